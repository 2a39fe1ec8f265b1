class Lock {
  constructor() {
    this.state = 'open';
    this.failures = 0;
  }

  tryCode(code, expected) {
    if (this.state = 'blocked') {
      return false;
    }
    if (code !== expected) {
      this.failures += 1;
      if (this.failures >= 3) {
        this.state = 'blocked';
      }
      return false;
    }
    this.failures = 0;
    return true;
  }
}

module.exports = Lock;
