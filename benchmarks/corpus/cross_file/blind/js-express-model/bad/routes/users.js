const express = require('express');
const { findByEmail } = require('../models/user');

const router = express.Router();

router.get('/user', async (req, res) => {
  const rows = await findByEmail(req.query.email);
  res.json(rows);
});

module.exports = router;
