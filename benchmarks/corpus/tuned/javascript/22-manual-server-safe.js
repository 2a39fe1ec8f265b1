'use strict';

const fs = require('node:fs');
const http = require('node:http');
const path = require('node:path');
const { pipeline } = require('node:stream');

const ROOT = path.resolve(__dirname, 'manuals');
const TYPES = { '.html': 'text/html', '.css': 'text/css', '.svg': 'image/svg+xml' };

function locate(requestUrl) {
  const url = new URL(requestUrl, 'http://localhost');
  const chapter = decodeURIComponent(url.pathname);
  const file = path.join(ROOT, path.extname(chapter) ? chapter : `${chapter}/index.html`);
  if (!file.startsWith(ROOT + path.sep) || file.includes('\0')) {
    throw new RangeError('outside of the manuals');
  }
  return file;
}

const server = http.createServer((req, res) => {
  let file;
  try {
    file = locate(req.url);
  } catch {
    res.writeHead(400).end();
    return;
  }
  const body = fs.createReadStream(file);
  body.once('open', () => {
    const type = TYPES[path.extname(file)] || 'application/octet-stream';
    res.writeHead(200, { 'Content-Type': type, 'X-Content-Type-Options': 'nosniff' });
  });
  pipeline(body, res, (err) => {
    if (err && !res.headersSent) {
      res.writeHead(404).end();
    }
  });
});

server.listen(8091, '127.0.0.1');
