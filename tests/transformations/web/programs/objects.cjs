const test = require('node:test');
const assert = require('node:assert');

function merge(a, b) { return Object.assign({}, a, b); }
function own(object, key) { return Object.prototype.hasOwnProperty.call(object, key); }
function point(x, y) { return { x: x, y: y, 'sum': x + y }; }
function read(object) { const { x: x, y: other } = object; return x + other + object['sum']; }
function safe(text) {
  try { return JSON.parse(text); } catch (error) { return null; }
}
function count(words) {
  var counts = new Object();
  words.forEach(function (word) {
    var known = counts[word] || 0;
    counts[word] = known + 1;
  });
  var total = 0;
  for (var key in counts) { total = total + counts[key]; }
  return { counts: counts, total: total };
}

test('objects', () => {
  assert.deepStrictEqual(merge({ a: 1 }, { b: 2 }), { a: 1, b: 2 });
  assert.deepStrictEqual(merge(null, { b: 2 }), { b: 2 });
  assert.strictEqual(own({ a: 1 }, 'a'), true);
  assert.strictEqual(own(Object.create({ a: 1 }), 'a'), false);
  assert.strictEqual(read(point(1, 2)), 6);
  assert.strictEqual(safe('{'), null);
  assert.deepStrictEqual(count(['a', 'b', 'a']), { counts: { a: 2, b: 1 }, total: 3 });
});
