import test from 'node:test';
import assert from 'node:assert';

export function grade(points) {
  if (points > 90) {
    return 'A';
  } else if (points > 75) {
    return 'B';
  } else {
    const rest = 75 - points;
    return `C${rest}`;
  }
}

export function sign(n) {
  if (n < 0) {
    return -1;
  } else {
    if (n > 0) {
      return 1;
    }
  }
  return 0;
}

export function isLeap(year) {
  if (year % 4 === 0) {
    if (year % 100 !== 0 || year % 400 === 0) {
      return true;
    }
  }
  return false;
}

export function adult(age) {
  if (age >= 18) {
    return true;
  }
  return false;
}

export function check(value) {
  let found = undefined;
  if (!!value) {
    found = !(value === 'x');
  }
  if (Boolean(found)) {
    return 'yes';
  } else {
    return 'no';
  }
}

export function log(lines, text) {
  lines.push(text);
  return;
}

test('branches', () => {
  assert.deepStrictEqual([95, 80, 70].map(grade), ['A', 'B', 'C5']);
  assert.deepStrictEqual([-5, 5, 0].map(sign), [-1, 1, 0]);
  assert.deepStrictEqual([1900, 2000, 2024, 2023].map(isLeap), [false, true, true, false]);
  assert.deepStrictEqual([17, 18].map(adult), [false, true]);
  assert.deepStrictEqual(['', 'x', 'y'].map(check), ['no', 'no', 'yes']);
  assert.strictEqual(log([], 'a'), undefined);
});
