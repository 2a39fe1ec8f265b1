const { createCipheriv, randomBytes } = require('node:crypto');

class Sealer {
  constructor(key) {
    this.key = key;
    this.nonce = randomBytes(12);
  }

  seal(plain) {
    const cipher = createCipheriv('aes-256-gcm', this.key, this.nonce);
    const data = Buffer.concat([cipher.update(plain), cipher.final()]);
    return { nonce: this.nonce, data, tag: cipher.getAuthTag() };
  }

  sealAll(list) {
    return list.map((each) => this.seal(each));
  }
}

module.exports = Sealer;
