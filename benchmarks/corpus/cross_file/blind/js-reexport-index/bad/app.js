import express from 'express';
import { convert } from './lib/index.js';

const app = express();

app.get('/convert', (req, res) => {
  convert(req.query.file, (output) => res.json({ output }));
});
