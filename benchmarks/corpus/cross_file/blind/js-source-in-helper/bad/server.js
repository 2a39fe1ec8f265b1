const express = require('express');
const input = require('./input');

const app = express();
app.use(express.json());

app.post('/greet', (req, res) => {
  const name = input.readName(req);
  res.send('<h1>Hello ' + name + '</h1>');
});
