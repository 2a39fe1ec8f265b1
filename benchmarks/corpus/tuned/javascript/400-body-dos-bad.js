const http = require('http');
const { store } = require('./store');

const server = http.createServer(async (req, res) => {
  if (req.method !== 'PUT') {
    res.writeHead(405).end();
    return;
  }
  const parts = [];
  for await (const part of req) {
    parts.push(part);
  }
  await store(Buffer.concat(parts));
  res.writeHead(204).end();
});

server.listen(8080);
