'use strict';

const http = require('node:http');

const MAX_BODY = 64 * 1024;

function classify(text) {
  const lines = text.split('\n').map((line) => line.trim()).filter(Boolean);
  const report = { good: [], odd: [] };
  for (const line of lines) {
    const known = /^(?:[a-z0-9]+-?)+(?:\.(?:[a-z0-9]+-?)+)*$/i.test(line);
    report[known ? 'good' : 'odd'].push(line);
  }
  return report;
}

const server = http.createServer((req, res) => {
  const parts = [];
  let size = 0;
  req.on('data', (part) => {
    size += part.length;
    if (size > MAX_BODY) {
      res.writeHead(413).end();
      req.destroy();
      return;
    }
    parts.push(part);
  });
  req.on('end', () => {
    const report = classify(Buffer.concat(parts).toString('utf8'));
    res.writeHead(200, { 'Content-Type': 'application/json' });
    res.end(JSON.stringify(report));
  });
});

server.listen(3030, '127.0.0.1');
