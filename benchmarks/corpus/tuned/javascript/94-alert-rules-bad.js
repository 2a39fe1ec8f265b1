'use strict';

const express = require('express');
const { requireTenant } = require('./auth');
const { latestReadings } = require('./readings');

const router = express.Router();
const compiled = new Map();

function compile(condition) {
  if (!compiled.has(condition)) {
    const body = `"use strict"; return Boolean(${condition});`;
    compiled.set(condition, new Function('reading', body));
  }
  return compiled.get(condition);
}

router.post('/alerts/try', requireTenant, express.json({ limit: '4kb' }), async (req, res, next) => {
  try {
    const matches = compile(String(req.body.condition));
    const readings = await latestReadings(req.tenant.id, 200);
    const hits = readings.filter((reading) => matches(reading));
    res.json({ checked: readings.length, hits: hits.map((r) => r.id) });
  } catch (err) {
    next(err);
  }
});

module.exports = router;
