'use strict';

const express = require('express');
const { Pool } = require('pg');

const pool = new Pool();
const router = express.Router();

router.get('/berths', async (req, res, next) => {
  const { harbour, length } = req.query;
  try {
    const result = await pool.query(
      `SELECT number, max_length FROM berths
        WHERE harbour = '${harbour}' AND max_length >= ${Number(length) || 0}`
    );
    res.json({ count: result.rowCount, berths: result.rows });
  } catch (err) {
    next(err);
  }
});

module.exports = router;
