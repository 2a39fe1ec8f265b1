'use strict';

const { exec } = require('node:child_process');
const { promisify } = require('node:util');
const path = require('node:path');
const { Worker } = require('bullmq');

const run = promisify(exec);
const SOURCE = '/srv/media/originals';
const TARGET = '/srv/media/thumbs';

function buildCommand(job) {
  const input = path.join(SOURCE, `${job.mediaId}.jpg`);
  const output = path.join(TARGET, `${job.mediaId}.webp`);
  return ['convert', input, '-resize', job.geometry, output].join(' ');
}

async function handle({ data }) {
  if (!Number.isInteger(data.mediaId)) {
    throw new TypeError('mediaId must be a whole number');
  }
  const started = Date.now();
  await run(buildCommand(data), { timeout: 20000 });
  return { mediaId: data.mediaId, took: Date.now() - started };
}

const worker = new Worker('user-thumbnails', handle, {
  connection: { host: process.env.REDIS_HOST, port: 6379 },
});

worker.on('failed', (job, err) => {
  console.error('thumbnail %s failed: %s', job && job.id, err.message);
});
