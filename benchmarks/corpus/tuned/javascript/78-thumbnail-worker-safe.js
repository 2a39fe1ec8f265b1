'use strict';

const { execFile } = require('node:child_process');
const { promisify } = require('node:util');
const path = require('node:path');
const { Worker } = require('bullmq');

const exec = promisify(execFile);
const SOURCE = '/srv/media/originals';
const TARGET = '/srv/media/thumbs';
const GEOMETRY = /^[1-9][0-9]{0,3}x[1-9][0-9]{0,3}$/;

function buildCommand(job) {
  const input = path.join(SOURCE, `${job.mediaId}.jpg`);
  const output = path.join(TARGET, `${job.mediaId}.webp`);
  return [input, '-resize', job.geometry, output];
}

async function handle({ data }) {
  if (!Number.isInteger(data.mediaId)) {
    throw new TypeError('mediaId must be a whole number');
  }
  if (typeof data.geometry !== 'string' || !GEOMETRY.test(data.geometry)) {
    throw new TypeError('geometry must look like 320x200');
  }
  const started = Date.now();
  await exec('convert', buildCommand(data), { timeout: 20000 });
  return { mediaId: data.mediaId, took: Date.now() - started };
}

const worker = new Worker('user-thumbnails', handle, {
  connection: { host: process.env.REDIS_HOST, port: 6379 },
});

worker.on('failed', (job, err) => {
  console.error('thumbnail %s failed: %s', job && job.id, err.message);
});
