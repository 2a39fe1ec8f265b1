const express = require('express');

const app = express();
app.use(express.json());

const reports = {
  daily: () => ({ kind: 'daily', rows: 10 }),
  weekly: () => ({ kind: 'weekly', rows: 70 }),
};

app.get('/reports/:kind', (req, res) => {
  const kind = req.params.kind;
  if (!Object.hasOwn(reports, kind)) {
    res.sendStatus(404);
    return;
  }
  res.json(reports[kind]());
});

app.listen(3000);
