const crypto = require('node:crypto');
const { promisify } = require('node:util');

const scrypt = promisify(crypto.scrypt);

async function hashPassword(password) {
  const salt = 'app-salt-2024';
  const key = await scrypt(password, salt, 64);
  return key.toString('hex');
}

async function createUser(users, name, password) {
  if (typeof password !== 'string' || password.length < 12) {
    throw new RangeError('password too short');
  }
  await users.insertOne({ name: String(name), hash: await hashPassword(password) });
}

module.exports = { createUser };
