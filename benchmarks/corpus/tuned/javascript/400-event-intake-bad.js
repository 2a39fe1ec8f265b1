'use strict';

const http = require('node:http');
const { appendEvents } = require('./event-log');
const { keyIsKnown } = require('./ingest-keys');

const MAX_EVENTS = 500;

function readBody(req) {
  return new Promise((resolve, reject) => {
    let text = '';
    req.setEncoding('utf8');
    req.on('data', (chunk) => {
      text += chunk;
    });
    req.on('end', () => resolve(text));
    req.on('error', reject);
  });
}

async function intake(req) {
  const events = JSON.parse(await readBody(req));
  if (!Array.isArray(events)) {
    throw new TypeError('a list of events is expected');
  }
  await appendEvents(events.slice(0, MAX_EVENTS));
  return Math.min(events.length, MAX_EVENTS);
}

const server = http.createServer((req, res) => {
  if (req.method !== 'POST' || !keyIsKnown(req.headers['x-ingest-key'])) {
    res.writeHead(403).end();
    return;
  }
  intake(req).then(
    (count) => res.writeHead(202).end(String(count)),
    () => res.writeHead(400).end(),
  );
});

server.requestTimeout = 10000;
server.listen(3040, '127.0.0.1');
