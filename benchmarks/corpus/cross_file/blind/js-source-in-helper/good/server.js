const express = require('express');
const input = require('./input');

const app = express();
app.use(express.json());

app.post('/greet', (req, res) => {
  const count = input.readCount(req);
  res.send('<h1>Hello ' + count + '</h1>');
});
