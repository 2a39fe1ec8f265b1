import path from 'node:path';
import express, { Request, Response } from 'express';
import multer from 'multer';
import { requireSpeaker } from './session';

const PUBLIC = path.resolve('public/slides');

const storage = multer.diskStorage({
  destination: PUBLIC,
  filename: (_req, file, done) => {
    done(null, path.basename(file.originalname));
  },
});

const upload = multer({ storage, limits: { fileSize: 20_000_000, files: 1 } });

const app = express();
app.use('/slides', express.static(PUBLIC));

app.post('/slides', requireSpeaker, upload.single('slides'), (req: Request, res: Response) => {
  if (!req.file) {
    res.status(400).json({ error: 'no file' });
    return;
  }
  res.status(201).json({ url: `/slides/${encodeURIComponent(req.file.filename)}` });
});

app.listen(8000);
