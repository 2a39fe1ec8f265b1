const http = require('http');
const { store } = require('./store');

const server = http.createServer(async (req, res) => {
  if (req.method !== 'PUT') {
    res.writeHead(405).end();
    return;
  }
  const parts = [];
  let received = 0;
  for await (const part of req) {
    received += part.length;
    if (received > 1_000_000) {
      res.writeHead(413).end();
      return;
    }
    parts.push(part);
  }
  await store(Buffer.concat(parts));
  res.writeHead(204).end();
});

server.listen(8080);
