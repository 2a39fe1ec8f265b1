'use strict';

const fastify = require('fastify');
const store = require('./layout-store');

const DEFAULTS = {
  theme: { name: 'light', accent: 'blue' },
  columns: 3,
  widgets: { clock: true, mail: false },
};

const isObject = (value) => typeof value === 'object' && value !== null;
const RESERVED = new Set(['__proto__', 'constructor', 'prototype']);

function assignDeep(target, source) {
  for (const key of Object.keys(source)) {
    if (RESERVED.has(key)) continue;
    const value = source[key];
    if (isObject(value) && Object.hasOwn(target, key) && isObject(target[key])) {
      assignDeep(target[key], value);
    } else {
      target[key] = value;
    }
  }
  return target;
}

function build() {
  const app = fastify({ bodyLimit: 16 * 1024 });

  app.addContentTypeParser('text/layout', { parseAs: 'string' }, (req, body, done) => {
    try {
      done(null, JSON.parse(body));
    } catch (err) {
      err.statusCode = 400;
      done(err);
    }
  });

  app.post('/layout/preview', async (request) => {
    const layout = assignDeep(structuredClone(DEFAULTS), request.body || {});
    return { html: await store.renderPreview(layout), columns: Number(layout.columns) };
  });

  return app;
}

module.exports = { build, assignDeep };
