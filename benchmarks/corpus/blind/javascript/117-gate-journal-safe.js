const fs = require('node:fs/promises');
const express = require('express');
const { checkPin } = require('./pins');

const JOURNAL = '/var/log/gatehouse/journal.log';
const app = express();
app.use(express.urlencoded({ extended: false, limit: '4kb' }));

async function journal(outcome, visitor) {
  const stamp = new Date().toISOString();
  const line = `${stamp} ${outcome} visitor=${JSON.stringify(visitor)}\n`;
  await fs.appendFile(JOURNAL, line);
}

app.post('/gate', async (req, res) => {
  const visitor = String(req.body.visitor || 'unknown').slice(0, 80);
  const open = await checkPin(visitor, req.body.pin);
  await journal(open ? 'OPENED' : 'REFUSED', visitor);
  res.sendStatus(open ? 204 : 403);
});

app.listen(7000);
