'use strict';

const http = require('node:http');

const FORBIDDEN = ['__proto__', 'constructor', 'prototype'];

function assignPath(target, path, value) {
  const keys = path.split('.');
  if (keys.some((key) => FORBIDDEN.includes(key))) return;
  let node = target;
  for (const key of keys.slice(0, -1)) {
    if (typeof node[key] !== 'object') {
      node[key] = {};
    }
    node = node[key];
  }
  node[keys[keys.length - 1]] = value;
}

function nestQuery(searchParams) {
  const filter = {};
  for (const [name, value] of searchParams) {
    assignPath(filter, name, value);
  }
  return filter;
}

http
  .createServer((req, res) => {
    const url = new URL(req.url, 'http://localhost');
    res.setHeader('Content-Type', 'application/json');
    res.end(JSON.stringify({ filter: nestQuery(url.searchParams) }));
  })
  .listen(4100);
