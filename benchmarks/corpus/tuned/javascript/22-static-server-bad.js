const http = require('node:http');
const { readFile } = require('node:fs');
const { join, normalize, sep } = require('node:path');

const PUBLIC = join(__dirname, 'public');
const TYPES = { html: 'text/html', css: 'text/css', js: 'text/javascript' };

function resolvePath(url) {
  const pathname = decodeURIComponent(url.split('?')[0]);
  return join(PUBLIC, pathname === '/' ? 'index.html' : pathname);
}

http.createServer((req, res) => {
  const file = resolvePath(req.url);
  readFile(file, (error, data) => {
    if (error) {
      res.writeHead(404).end();
      return;
    }
    res.writeHead(200, { 'Content-Type': TYPES[file.split('.').pop()] || 'application/octet-stream' });
    res.end(data);
  });
}).listen(8080);
