'use strict';

const express = require('express');
const axios = require('axios');
const { requireUser } = require('./auth');
const avatars = require('./avatars');

const router = express.Router();
const LIMIT = 512 * 1024;

async function download(source) {
  const answer = await axios({
    method: 'get',
    url: source,
    responseType: 'arraybuffer',
    timeout: 4000,
    maxContentLength: LIMIT,
  });
  return { type: answer.headers['content-type'], bytes: Buffer.from(answer.data) };
}

router.post('/me/avatar', requireUser, express.json({ limit: '4kb' }), async (req, res, next) => {
  const { pictureUrl } = req.body;
  if (typeof pictureUrl !== 'string' || !pictureUrl.startsWith('http')) {
    res.status(422).json({ error: 'pictureUrl is missing' });
    return;
  }
  try {
    const picture = await download(pictureUrl);
    await avatars.store(req.user.id, picture);
    res.status(204).end();
  } catch (err) {
    next(err);
  }
});

module.exports = router;
