import test from 'node:test';
import assert from 'node:assert';

export function slug(title) {
  const text = String(title).trim().toLowerCase();
  if (text.indexOf('the ') === 0) {
    return text.substring(4).split(' ').join('-');
  } else {
    return text.split(' ').join('-');
  }
}
export function wrap(tag, text) { return '<' + String(tag) + '>' + String(text) + '</' + tag + '>'; }
export function pad(n) { const text = String(n); return text.length < 2 ? '0' + text : text; }
export function time(seconds) {
  const hours = Math.floor(seconds / 3600), minutes = Math.floor(seconds / 60) % 60;
  return pad(hours) + ':' + pad(minutes) + ' (' + hours + 'h' + ')';
}
export function vowels(word) {
  let count = 0;
  for (let letter of word) { if ('aeiou'.indexOf(`${letter}`) > -1) count = count + 1; }
  return count;
}
export const escape = (text) => text.replace(/[&<>]/g, function (c) {
  return { '&': '&amp;', '<': '&lt;', '>': '&gt;' }[c];
});

test('text', () => {
  assert.strictEqual(slug(' The Big One '), 'big-one');
  assert.strictEqual(wrap('b', 1), '<b>1</b>');
  assert.strictEqual(time(3725), '01:02 (1h)');
  assert.strictEqual(vowels('banana'), 3);
  assert.strictEqual(escape('<&>'), '&lt;&amp;&gt;');
});
