'use strict';

const express = require('express');
const { requireUser } = require('./auth');
const store = require('./settings-store');

const DEFAULTS = { theme: 'light', mail: { digest: 'weekly', offers: false } };
const RESERVED = new Set(['__proto__', 'constructor', 'prototype']);

function isObject(value) {
  return value !== null && typeof value === 'object' && !Array.isArray(value);
}

function assignDeep(target, source) {
  for (const key of Object.keys(source)) {
    if (RESERVED.has(key)) {
      continue;
    }
    if (isObject(source[key]) && isObject(target[key])) {
      assignDeep(target[key], source[key]);
    } else {
      target[key] = source[key];
    }
  }
  return target;
}

const app = express();
app.use(express.json({ limit: '16kb' }));

app.patch('/settings', requireUser, async (req, res, next) => {
  try {
    const current = await store.load(req.user.id);
    const merged = assignDeep(assignDeep(structuredClone(DEFAULTS), current), req.body);
    await store.save(req.user.id, merged);
    res.json(merged);
  } catch (err) {
    next(err);
  }
});

module.exports = app;
