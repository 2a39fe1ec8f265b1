'use strict';

const Router = require('@koa/router');
const { Pool } = require('pg');
const { requireAgent } = require('./auth');

const pool = new Pool();
const router = new Router({ prefix: '/tickets' });

const DIRECTIONS = new Set(['asc', 'desc']);
const COLUMNS = new Map([
  ['opened', 'opened_at'],
  ['subject', 'lower(subject)'],
  ['state', 'state'],
]);

function orderClause({ sort, dir }) {
  const column = COLUMNS.get(sort) || 'opened_at';
  const direction = DIRECTIONS.has(dir) ? dir : 'desc';
  return `ORDER BY ${column} ${direction}`;
}

router.get('/', requireAgent, async (ctx) => {
  const params = [ctx.state.agent.teamId];
  let sql = 'SELECT id, subject, state, opened_at FROM ticket WHERE team_id = $1';
  if (ctx.query.state) {
    params.push(ctx.query.state);
    sql += ` AND state = $${params.length}`;
  }
  sql += ` ${orderClause(ctx.query)} LIMIT 100`;
  const { rows } = await pool.query(sql, params);
  ctx.body = { tickets: rows };
});

module.exports = router;
