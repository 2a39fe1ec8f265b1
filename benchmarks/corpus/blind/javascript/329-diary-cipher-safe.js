import crypto from 'node:crypto';

const ALGORITHM = 'aes-256-cbc';

export class DiaryCipher {
  constructor(key) {
    if (key.length !== 32) {
      throw new RangeError('the key has 32 bytes');
    }
    this.key = key;
  }

  seal(entry) {
    const iv = crypto.randomBytes(16);
    const cipher = crypto.createCipheriv(ALGORITHM, this.key, iv);
    return Buffer.concat([iv, cipher.update(entry, 'utf8'), cipher.final()]).toString('base64');
  }

  open(sealed) {
    const data = Buffer.from(sealed, 'base64');
    const decipher = crypto.createDecipheriv(ALGORITHM, this.key, data.subarray(0, 16));
    return decipher.update(data.subarray(16), undefined, 'utf8') + decipher.final('utf8');
  }
}
