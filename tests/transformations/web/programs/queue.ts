import test from 'node:test';
import assert from 'node:assert';

/** Something to do. */
interface Task<T> {
  readonly id: string;
  run(): Promise<T>;
}

type Result<T> = { ok: true; value: T } | { ok: false; error: Error };

export class Queue<T> implements Iterable<Task<T>> {
  private readonly tasks: Task<T>[] = [];
  protected done?: number;
  static readonly LIMIT: number = 10;
  [key: string]: unknown;

  constructor(limit?: number) {
    this.done = limit! - limit!;
  }

  public add(task: Task<T>): this {
    if (this.tasks.length >= Queue.LIMIT) throw new RangeError('full' as string);
    this.tasks.push(task);
    return this;
  }

  async runAll<R = T>(map: (value: T) => R = (value) => value as unknown as R): Promise<Result<R>[]> {
    var results: Result<R>[] = [];
    for (const task of this.tasks) {
      try {
        const value = await task.run();
        results.push({ ok: true, value: map(value) } satisfies Result<R>);
      } catch (error: unknown) {
        results.push({ ok: false, error: error as Error });
      }
    }
    return results;
  }

  *[Symbol.iterator](): IterableIterator<Task<T>> {
    yield* this.tasks;
  }
}

export function describe(id: string): string;
export function describe(id: number, radix: number): string;
export function describe(id: string | number, radix?: number): string {
  return typeof id === 'number' ? id.toString(radix) : id;
}

test('queue', async () => {
  const queue = new Queue<number>(3)
    .add({ id: 'a', run: async () => 1 })
    .add({ id: 'b', run: async () => { throw new Error('no'); } });
  const results = await queue.runAll<string>((value: number): string => `${value}!`);
  assert.deepStrictEqual(results[0], { ok: true, value: '1!' });
  assert.strictEqual((results[1] as { ok: false; error: Error }).error.message, 'no');
  assert.deepStrictEqual([...queue].map(({ id }) => id), ['a', 'b']);
  assert.strictEqual(describe(255, 16), 'ff');
});
