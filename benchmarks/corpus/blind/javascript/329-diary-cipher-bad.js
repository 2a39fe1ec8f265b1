import crypto from 'node:crypto';

const ALGORITHM = 'aes-256-cbc';
const IV = Buffer.from('diary-entry-0001', 'utf8');

export class DiaryCipher {
  constructor(key) {
    if (key.length !== 32) {
      throw new RangeError('the key has 32 bytes');
    }
    this.key = key;
  }

  seal(entry) {
    const cipher = crypto.createCipheriv(ALGORITHM, this.key, IV);
    return Buffer.concat([cipher.update(entry, 'utf8'), cipher.final()]).toString('base64');
  }

  open(sealed) {
    const decipher = crypto.createDecipheriv(ALGORITHM, this.key, IV);
    const data = Buffer.from(sealed, 'base64');
    return decipher.update(data, undefined, 'utf8') + decipher.final('utf8');
  }
}
