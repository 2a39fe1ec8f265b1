import express from 'express';
import { MongoClient } from 'mongodb';

const client = new MongoClient(process.env.MONGO_URL);

export function leaveRouter() {
  const router = express.Router();
  const subscribers = client.db('letters').collection('subscribers');

  router.use(express.json({ limit: '10kb' }));

  router.post('/leave', async (req, res, next) => {
    const { email, token } = req.body ?? {};
    if (typeof email !== 'string' || typeof token !== 'string' || !token) {
      return res.status(400).json({ error: 'email and token are needed' });
    }
    try {
      const result = await subscribers.deleteOne({ email, token });
      if (result.deletedCount === 0) {
        return res.status(404).json({ error: 'no such subscription' });
      }
      return res.status(204).end();
    } catch (err) {
      return next(err);
    }
  });

  return router;
}

export async function start() {
  await client.connect();
  return leaveRouter();
}
