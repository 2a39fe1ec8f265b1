const test = require('node:test');
const assert = require('node:assert');
const { EventEmitter } = require('node:events');

class Counter {
  constructor() { this.count = 0; }
  addAll(list) {
    const self = this;
    list.forEach(function (n) { self.count += n; });
    list.forEach(function (n) { this.count += n; }, this);
    return this.count;
  }
}

function sumAll() {
  return [0].map(function () { return arguments.length; })[0] + Array.prototype.reduce.call(
    arguments, function (a, b) { return a + b; }, 0);
}

const sorted = [3, 1, 2].sort(function (a, b) { return a - b; });
const objects = [1, 2].map(function (n) { return { n: n }; });
const named = [5].map(function fact(n) { return n < 2 ? 1 : n * fact(n - 1); });

test('callbacks', async () => {
  assert.strictEqual(new Counter().addAll([1, 2]), 6);
  assert.strictEqual(sumAll(1, 2, 3), 9);
  assert.deepStrictEqual(sorted, [1, 2, 3]);
  assert.deepStrictEqual(objects, [{ n: 1 }, { n: 2 }]);
  assert.deepStrictEqual(named, [120]);
  const emitter = new EventEmitter();
  emitter.on('x', function () { assert.strictEqual(this, emitter); });
  emitter.emit('x');
  const value = await Promise.resolve(1).then(function (x) {
    return x + 1;
  }).catch(function () { return 0; });
  assert.strictEqual(value, 2);
});
