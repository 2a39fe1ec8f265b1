'use strict';

const crypto = require('node:crypto');

const LIFETIME = 30 * 60 * 1000;
const ALPHABET = 'ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz23456789';

const pick = (length) => {
  let text = '';
  for (let i = 0; i < length; i += 1) {
    text += ALPHABET.charAt(crypto.randomInt(ALPHABET.length));
  }
  return text;
};

const fingerprint = (token) => crypto.createHash('sha256').update(token).digest('hex');

class PasswordReset {
  constructor(users, mailer, clock = Date) {
    this.users = users;
    this.mailer = mailer;
    this.clock = clock;
  }

  async request(email) {
    const user = await this.users.findByEmail(email);
    if (!user) return;
    const token = pick(32);
    await this.users.saveReset(user.id, {
      fingerprint: fingerprint(token),
      expires: this.clock.now() + LIFETIME,
    });
    await this.mailer.send(user.email, 'reset', { link: `https://app.example.org/reset#${token}` });
  }

  async redeem(token, passwordHash) {
    const entry = await this.users.takeReset(fingerprint(String(token)));
    if (!entry || entry.expires < this.clock.now()) return false;
    await this.users.setPasswordHash(entry.userId, passwordHash);
    return true;
  }
}

module.exports = { PasswordReset };
