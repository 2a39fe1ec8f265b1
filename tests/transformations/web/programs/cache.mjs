import test from 'node:test';
import assert from 'node:assert';

/** Least recently used. */
export class Cache {
  #map = new Map();
  constructor(limit = 3) { this.limit = limit; }
  get(key) {
    if (!this.#map.has(key)) { return undefined; }
    let value = this.#map.get(key);
    this.#map.delete(key);
    this.#map.set(key, value);
    return value;
  }
  set(key, value) {
    if (this.#map.size >= this.limit) {
      if (!this.#map.has(key)) {
        this.#map.delete(this.#map.keys().next().value);
      }
    }
    this.#map.set(key, value);
  }
  get size() { return this.#map.size; }
}

export function memoize(fn) {
  let cache = {};
  return function (key) {
    if (!Object.prototype.hasOwnProperty.call(cache, key)) {
      cache[key] = fn.apply(this, arguments);
    }
    return cache[key];
  };
}

export async function* pages(limit) {
  let page = 0;
  while (true) {
    if (page >= limit) { return; }
    yield 'page ' + page;
    page = page + 1;
  }
}

test('cache', async () => {
  const cache = new Cache(2);
  cache.set('a', 1); cache.set('b', 2); cache.get('a'); cache.set('c', 3);
  assert.strictEqual(cache.get('b'), undefined);
  assert.strictEqual(cache.size, 2);
  let calls = 0;
  const twice = memoize((n) => { calls += 1; return n * 2; });
  assert.strictEqual(twice(2) + twice(2), 8);
  assert.strictEqual(calls, 1);
  const seen = [];
  for await (let page of pages(2)) seen.push(page);
  assert.deepStrictEqual(seen, ['page 0', 'page 1']);
});
