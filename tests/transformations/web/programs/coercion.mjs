'use strict';
import test from 'node:test';
import assert from 'node:assert';

const odd = { valueOf() { return 1; }, toString() { return 'odd'; } };

function join(a, b) { return 'v' + a + b; }
function sum(a, b) { return a + b + '!'; }
function has(list, x) { return list.indexOf(x) !== -1; }
function flag(a, b) { return a && b ? true : false; }
function equal(a, b) { return a === b ? true : false; }
function truth(x) { return x === true; }
function isTen(x) { return 10 === x; }
function pick(x) { return x !== null && x !== undefined ? x : 'none'; }
function either(a) { a = a || 'x'; return a; }
function power(a, b) { return -Math.pow(a, b) + Math.pow(a + 1, b) ** 1; }

test('what looks alike is not the same', () => {
  assert.strictEqual(join(odd, odd), 'v11');
  assert.strictEqual(sum(1, 2), '3!');
  assert.strictEqual(has([NaN], NaN), false);
  assert.strictEqual(flag(1, ''), false);
  assert.strictEqual(equal(1, 1), true);
  assert.strictEqual(truth(1), false);
  assert.strictEqual(isTen(10), true);
  assert.strictEqual(pick(0), 0);
  assert.strictEqual(pick(undefined), 'none');
  assert.strictEqual(either(0), 'x');
  assert.strictEqual(power(2, 3), -8 + 27);
  let text = '';
  for (let i = 0; i < 3; i++) text += 'n' + i + '`${' + (i + 1) + '}\'"';
  assert.strictEqual(text, 'n0`${1}\'"n1`${2}\'"n2`${3}\'"');
});
