'use strict';

const fastify = require('fastify')({ bodyLimit: 8192 });
const { MongoClient } = require('mongodb');

const client = new MongoClient(process.env.MONGO_URL);

function invites() {
  return client.db('club').collection('invites');
}

async function takeInvite(email, code) {
  const filter = { email, code, used: false };
  const result = await invites().findOneAndUpdate(filter, { $set: { used: true } });
  return result;
}

fastify.post('/invites/redeem', async (request, reply) => {
  const { email, code } = request.body;
  if (!email || !code) {
    return reply.code(422).send({ error: 'email and code are needed' });
  }
  const invite = await takeInvite(email, code);
  if (!invite) {
    return reply.code(404).send({ error: 'unknown invitation' });
  }
  return { club: invite.club, since: new Date().toISOString() };
});

async function main() {
  await client.connect();
  await fastify.listen({ port: 3010, host: '127.0.0.1' });
}

main().catch((err) => {
  console.error(err);
  process.exitCode = 1;
});
