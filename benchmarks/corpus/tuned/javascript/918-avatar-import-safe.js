'use strict';

const express = require('express');
const axios = require('axios');
const { requireUser } = require('./auth');
const avatars = require('./avatars');

const router = express.Router();
const LIMIT = 512 * 1024;
const HOSTS = new Set(['pictures.example.com', 'avatars.example.net']);

async function download(source) {
  const answer = await axios({
    method: 'get',
    url: source.href,
    responseType: 'arraybuffer',
    timeout: 4000,
    maxContentLength: LIMIT,
    maxRedirects: 0,
  });
  return { type: answer.headers['content-type'], bytes: Buffer.from(answer.data) };
}

router.post('/me/avatar', requireUser, express.json({ limit: '4kb' }), async (req, res, next) => {
  const { pictureUrl } = req.body;
  try {
    const source = new URL(pictureUrl);
    if (source.protocol !== 'https:' || !HOSTS.has(source.host)) {
      res.status(422).json({ error: 'pictureUrl is not from a known site' });
      return;
    }
    const picture = await download(source);
    await avatars.store(req.user.id, picture);
    res.status(204).end();
  } catch (err) {
    next(err);
  }
});

module.exports = router;
