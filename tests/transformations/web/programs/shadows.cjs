const test = require('node:test');
const assert = require('node:assert');

function own() {
  const Math = { pow: () => 'mine' };
  const Object = { assign: () => 'mine', prototype: { hasOwnProperty: { call: () => 'mine' } } };
  return [Math.pow(1, 2), Object.assign({}, 1), Object.prototype.hasOwnProperty.call({}, 'a')];
}
function inner(list) {
  var x = 1;
  { let x = 2; list.push(x); }
  (function () { var x = 3; list.push(x); })();
  list.push(x);
  return list;
}
function swap(a, b) { var t = a; a = b; b = t; return [a, b]; }
function destructured({ a, b: [c] }, ...rest) { var { d, e = 4 } = rest[0]; return a + c + d + e; }
function labelled() {
  var out = [];
  outer: for (var i = 0; i < 3; i++) { for (var j = 0; j < 3; j++) { if (j === 1) continue outer; out.push(i + ':' + j); } }
  return out;
}
var assigned;
[assigned, ...[]] = [7];
let typed = typeof undefinedName === 'undefined' ? true : false;

test('shadows', () => {
  assert.deepStrictEqual(own(), ['mine', 'mine', 'mine']);
  assert.deepStrictEqual(inner([]), [2, 3, 1]);
  assert.deepStrictEqual(swap(1, 2), [2, 1]);
  assert.strictEqual(destructured({ a: 1, b: [2] }, { d: 3 }), 10);
  assert.deepStrictEqual(labelled(), ['0:0', '1:0', '2:0']);
  assert.strictEqual(assigned, 7);
  assert.strictEqual(typed, true);
});
