import test from 'node:test'
import assert from 'node:assert'

abstract class Shape {
  abstract readonly name: string
  abstract area(): number
  declare tag: string
  label: string = ''
  toString(): string { return this.name + ': ' + this.area().toFixed(1) }
}

class Circle extends Shape {
  override readonly name = 'circle' as const
  private r: number
  constructor(r: number) { super(); this.r = r }
  area(): number { return Math.PI * Math.pow(this.r, 2) }
}

class Square extends Shape {
  name = 'square'
  #side: number
  static count: number
  constructor(side: number) {
    super()
    this.#side = side
    Square.count = (Square.count ?? 0) + 1
  }
  area() { return this.#side ** 2 }
}

type Kind = 'circle' | 'square'
const makers: Record<Kind, (n: number) => Shape> = {
  circle: (n: number) => new Circle(n),
  square: (n) => new Square(n),
}

function make<K extends Kind>(kind: K, size: number): Shape { return makers[kind](size) }
function isCircle(shape: Shape): shape is Circle { return shape.name === 'circle' }
function assertShape(value: unknown): asserts value is Shape {
  if (!(value instanceof Shape)) { throw new TypeError('no shape') }
}

let value = make('circle', 1) as Shape | undefined
;[1].forEach(() => {})
type Later = string
;(() => {})()

test('shapes', () => {
  assert.strictEqual(`${make('square', 2)}`, 'square: 4.0')
  assert.strictEqual(String(value), 'circle: 3.1')
  assert.strictEqual(isCircle(value!), true)
  assert.throws(() => assertShape(1), TypeError)
  assert.strictEqual(Square.count, 1)
  assert.strictEqual('tag' in value!, false)
  const late = <T,>(x: T): T => x
  assert.strictEqual(late<string>('x'), 'x')
})
