import Fastify from 'fastify';
import { request } from 'undici';

const app = Fastify({ logger: true });

const FEEDS = {
  tides: 'https://tides.harbour.example/today.json',
  wind: 'https://wind.harbour.example/now.json',
};

app.get('/feed', async (req, reply) => {
  const wanted = req.query.source ?? 'tides';
  const address = Object.hasOwn(FEEDS, wanted) ? FEEDS[wanted] : FEEDS.tides;
  const { statusCode, body } = await request(address, { headersTimeout: 3000 });
  if (statusCode !== 200) {
    return reply.code(502).send({ error: 'feed not available' });
  }
  const data = await body.json();
  return { source: wanted, data };
});

await app.listen({ port: 8080 });
