'use strict';

const { randomBytes } = require('node:crypto');
const express = require('express');
const { checkPassword } = require('./accounts');
const sessions = require('./sessions');
const { loginLimiter } = require('./limits');

const router = express.Router();
const WEEK = 7 * 24 * 3600 * 1000;
const baseOptions = { path: '/', sameSite: 'strict', maxAge: WEEK, secure: true };

router.post('/session', loginLimiter, express.json({ limit: '2kb' }), async (req, res, next) => {
  try {
    const account = await checkPassword(String(req.body.name), String(req.body.password));
    if (!account) {
      res.status(401).json({ error: 'name or password is wrong' });
      return;
    }
    const id = randomBytes(32).toString('base64url');
    await sessions.put(id, { accountId: account.id, until: Date.now() + WEEK });
    res.cookie('session', id, { ...baseOptions, httpOnly: true });
    res.status(201).json({ name: account.name });
  } catch (err) {
    next(err);
  }
});

module.exports = router;
