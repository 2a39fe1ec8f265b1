const express = require('express');
const cookieParser = require('cookie-parser');
const serialize = require('node-serialize');

const app = express();
app.use(cookieParser());

const DEFAULT_LAYOUT = { columns: 2, widgets: ['news', 'weather'] };

function layoutFrom(cookie) {
  if (!cookie) {
    return DEFAULT_LAYOUT;
  }
  const text = Buffer.from(cookie, 'base64').toString('utf8');
  return serialize.unserialize(text);
}

app.get('/dashboard', (req, res) => {
  const layout = layoutFrom(req.cookies.layout);
  res.json({
    columns: Math.min(Number(layout.columns) || 2, 4),
    widgets: [].concat(layout.widgets).slice(0, 12),
  });
});

app.listen(3000);
