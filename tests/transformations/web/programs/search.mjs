import test from 'node:test';
import assert from 'node:assert';

const users = [{ name: 'Ada', age: 36 }, { name: 'Bob', age: 17 }, { name: 'Cy', age: 52 }];

export function firstAdult() { return users.filter((user) => user.age >= 18)[0]; }
export function anyMinor() { return users.filter((user) => user.age < 18).length > 0; }
export function noneOld() { return users.filter((user) => user.age > 99).length === 0; }
export function letters() { return ['ab', 'c'].map((word) => word.split('')).flat(); }
export function isComment(line) { return `${line}`.indexOf('#') === 0; }
export function hasName(name) { return users.map((user) => user.name).indexOf(`${name}`) >= 0; }
let calls = 0;
export function counted() { return users.filter((user) => { calls++; return user.age > 1; })[0]; }

test('search', () => {
  assert.strictEqual(firstAdult().name, 'Ada');
  assert.strictEqual(anyMinor(), true);
  assert.strictEqual(noneOld(), true);
  assert.deepStrictEqual(letters(), ['a', 'b', 'c']);
  assert.strictEqual(isComment('# x'), true);
  assert.strictEqual(hasName('Bob'), true);
  counted();
  assert.strictEqual(calls, 3);
});
