import express from 'express';
import { files } from './lib';

const app = express();

app.get('/file', (req, res) => {
  res.json({ text: files.readText(req.query.name as string) });
});
