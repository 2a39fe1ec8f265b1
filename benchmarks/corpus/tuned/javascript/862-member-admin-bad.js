'use strict';

const express = require('express');
const members = require('./members');
const { requireLogin, requireRole } = require('./auth');

const router = express.Router();
router.use(requireLogin);

function numericId(req, res, next) {
  if (!/^[0-9]{1,9}$/.test(req.params.id)) {
    res.status(404).end();
    return;
  }
  req.memberId = Number(req.params.id);
  next();
}

const wrap = (action) => (req, res, next) => action(req, res).catch(next);

router.get('/', requireRole('admin'), wrap(async (req, res) => {
  res.json(await members.list({ limit: 100 }));
}));

router.post('/:id/lock', requireRole('admin'), numericId, wrap(async (req, res) => {
  await members.lock(req.memberId, req.user.id);
  res.status(204).end();
}));

router.delete('/:id', numericId, wrap(async (req, res) => {
  await members.remove(req.memberId);
  res.status(204).end();
}));

module.exports = router;
