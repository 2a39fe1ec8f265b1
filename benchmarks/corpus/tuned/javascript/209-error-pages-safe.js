'use strict';

const { randomUUID } = require('node:crypto');
const { STATUS_CODES } = require('node:http');
const express = require('express');
const pino = require('pino');
const orders = require('./routes/orders');

const log = pino({ name: 'orders-api' });
const app = express();
app.disable('x-powered-by');
app.use('/orders', orders);

app.use((req, res) => {
  res.status(404).json({ error: 'not found' });
});

function asProblem(err) {
  const status = Number.isInteger(err.status) ? err.status : 500;
  return { id: randomUUID(), status, error: STATUS_CODES[status] || 'failed' };
}

app.use((err, req, res, next) => {
  if (res.headersSent) {
    next(err);
    return;
  }
  const problem = asProblem(err);
  log.error({ message: err.message, stack: err.stack, problemId: problem.id }, 'request failed');
  res.status(problem.status).json(problem);
});

app.listen(3050, '127.0.0.1', () => log.info('listening'));
