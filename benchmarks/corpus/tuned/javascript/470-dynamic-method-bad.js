const express = require('express');

const app = express();
app.use(express.json());

const reports = {
  daily: () => ({ kind: 'daily', rows: 10 }),
  weekly: () => ({ kind: 'weekly', rows: 70 }),
};

app.get('/reports/:kind', (req, res) => {
  const build = reports[req.params.kind];
  res.json(build(req.query));
});

app.listen(3000);
