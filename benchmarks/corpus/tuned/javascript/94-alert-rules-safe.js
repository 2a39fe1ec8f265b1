'use strict';

const express = require('express');
const { requireTenant } = require('./auth');
const { latestReadings } = require('./readings');

const router = express.Router();
const compiled = new Map([
  ['above', (field, limit) => (reading) => reading[field] > limit],
  ['below', (field, limit) => (reading) => reading[field] < limit],
  ['equal', (field, limit) => (reading) => reading[field] === limit],
]);
const FIELDS = new Set(['temperature', 'humidity', 'pressure']);

function compile({ field, test, limit }) {
  if (!compiled.has(test) || !FIELDS.has(field) || !Number.isFinite(limit)) {
    return null;
  }
  return compiled.get(test)(field, limit);
}

router.post('/alerts/try', requireTenant, express.json({ limit: '4kb' }), async (req, res, next) => {
  try {
    const matches = compile(req.body.condition || {});
    if (!matches) {
      res.status(422).json({ error: 'condition not understood' });
      return;
    }
    const readings = await latestReadings(req.tenant.id, 200);
    const hits = readings.filter((reading) => matches(reading));
    res.json({ checked: readings.length, hits: hits.map((r) => r.id) });
  } catch (err) {
    next(err);
  }
});

module.exports = router;
