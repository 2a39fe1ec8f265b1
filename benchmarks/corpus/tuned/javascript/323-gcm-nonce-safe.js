const { createCipheriv, randomBytes } = require('node:crypto');

class Sealer {
  constructor(key) {
    this.key = key;
  }

  seal(plain) {
    const nonce = randomBytes(12);
    const cipher = createCipheriv('aes-256-gcm', this.key, nonce);
    const data = Buffer.concat([cipher.update(plain), cipher.final()]);
    return { nonce, data, tag: cipher.getAuthTag() };
  }

  sealAll(list) {
    return list.map((each) => this.seal(each));
  }
}

module.exports = Sealer;
