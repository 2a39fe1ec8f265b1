import test from 'node:test';
import assert from 'node:assert';

interface Item { sku: string; count: number; tags?: string[] }
type Visitor<R> = (item: Item, index: number) => R;
const enum_ = { A: 1, B: 2 } as const;

export class Inventory {
  private items = new Map<string, Item>();
  static from(items: readonly Item[]): Inventory {
    const made = new Inventory();
    items.forEach(function (item: Item): void { made.put(item); });
    return made;
  }
  put(item: Item): void { this.items.set(item.sku, Object.assign({}, item)); }
  visit<R>(visitor: Visitor<R>): R[] { return [...this.items.values()].map(visitor); }
  find(sku: string): Item | undefined { return this.items.get(sku); }
  tagged(tag: string): Item[] {
    return [...this.items.values()].filter((item) => {
      const tags: string[] = item.tags ?? [];
      return tags.indexOf(tag) !== -1;
    });
  }
  label(sku: string, count: number): string {
    return "Item " + sku + " x" + count;
  }
  last(skus: string[]): string | undefined { return skus[skus.length - 1]; }
}

export default function total(...counts: number[]): number {
  var sum = 0;
  for (var i = 0; i < counts.length; i++) { sum = sum + counts[i]!; }
  return sum;
}

test('inventory', () => {
  const inventory = Inventory.from([{ sku: 'a', count: 1, tags: ['x'] }, { sku: 'b', count: 2 }]);
  assert.deepStrictEqual(inventory.visit((item) => item.count), [1, 2]);
  assert.strictEqual(inventory.tagged('x').length, 1);
  assert.strictEqual(inventory.label('a', 2), 'Item a x2');
  assert.strictEqual(inventory.last(['p', 'q']), 'q');
  assert.strictEqual(total(1, 2, 3), 6);
  assert.strictEqual(enum_.B as number, 2);
  assert.strictEqual(inventory.find('c')?.count, undefined);
});
