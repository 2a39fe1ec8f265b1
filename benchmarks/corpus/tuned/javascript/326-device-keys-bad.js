#!/usr/bin/env node
'use strict';

const { createHash, generateKeyPair } = require('node:crypto');
const { mkdir, writeFile } = require('node:fs/promises');
const path = require('node:path');
const { promisify } = require('node:util');

const generate = promisify(generateKeyPair);

const PROFILES = {
  signing: { type: 'ec', options: { namedCurve: 'P-256' } },
  transport: { type: 'rsa', options: { modulusLength: 1024, publicExponent: 0x10001 } },
};

async function createPair(profile) {
  const { type, options } = PROFILES[profile];
  const { publicKey, privateKey } = await generate(type, options);
  return {
    publicPem: publicKey.export({ type: 'spki', format: 'pem' }),
    privatePem: privateKey.export({ type: 'pkcs8', format: 'pem' }),
  };
}

async function main(folder) {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  for (const profile of Object.keys(PROFILES)) {
    const { publicPem, privatePem } = await createPair(profile);
    await writeFile(path.join(folder, `${profile}.pub`), publicPem);
    await writeFile(path.join(folder, `${profile}.key`), privatePem, { mode: 0o600 });
    const print = createHash('sha256').update(publicPem).digest('hex').slice(0, 16);
    console.log(`${profile}: ${print}`);
  }
}

main(process.argv[2] || 'device-keys').catch((err) => {
  console.error(err.message);
  process.exitCode = 1;
});
