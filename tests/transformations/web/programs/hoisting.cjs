const test = require('node:test');
const assert = require('node:assert');

const before = early();
var late = 'late';
function early() { return typeof late; }

function loops() {
  var made = [];
  for (var i = 0; i < 3; i++) {
    made.push(function () { return i; });
  }
  return made.map(function (each) { return each(); });
}

function perTurn() {
  var seen = [];
  for (var n of [1, 2, 3]) {
    var kept;
    if (n === 1) kept = 'first';
    seen.push(kept);
  }
  return seen;
}

function redeclared(x) {
  var x = x || 5;
  var x;
  return x;
}

function outside(flag) {
  if (flag) { var found = 1; }
  return found;
}

function caught() {
  try { throw new Error('x'); } catch (e) { var e = 2; }
  return e;
}

function switching(k) {
  switch (k) {
    case 1: var text = 'one'; break;
    default: text = 'other';
  }
  return text;
}

function selfish() {
  var value = value || 'default';
  return value;
}

function calledBefore() {
  const first = read();
  var store = { a: 1 };
  function read() { return store; }
  return [first, read()];
}

test('var keeps its ways', () => {
  assert.strictEqual(before, 'undefined');
  assert.deepStrictEqual(loops(), [3, 3, 3]);
  assert.deepStrictEqual(perTurn(), ['first', 'first', 'first']);
  assert.strictEqual(redeclared(0), 5);
  assert.strictEqual(outside(false), undefined);
  assert.strictEqual(caught(), undefined);
  assert.strictEqual(switching(2), 'other');
  assert.strictEqual(selfish(), 'default');
  assert.deepStrictEqual(calledBefore(), [undefined, { a: 1 }]);
});
