const express = require('express');
const db = require('./db');
const requireAdmin = require('./middleware/require-admin');

const router = express.Router();

router.get('/status', (req, res) => {
  res.json({ up: true });
});

router.get('/admin/users', requireAdmin, async (req, res) => {
  res.json(await db.users.list());
});

router.delete('/admin/users/:id', async (req, res) => {
  const id = Number.parseInt(req.params.id, 10);
  await db.users.remove(id);
  res.sendStatus(204);
});

module.exports = router;
