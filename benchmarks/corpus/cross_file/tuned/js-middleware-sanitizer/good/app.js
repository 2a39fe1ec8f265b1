const express = require('express');
const { normalize } = require('./util/text');
const { writeLine } = require('./render');

const app = express();

app.get('/comment', (req, res) => {
  const text = normalize(req.query.text);
  writeLine(res, text);
});
