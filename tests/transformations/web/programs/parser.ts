import test from 'node:test';
import assert from 'node:assert';
import { EventEmitter, type EventEmitterOptions } from 'node:events';
import type { Readable } from 'node:stream';

declare global { interface Array<T> { never: T } }
declare const missing: string;

export type Token = { kind: 'number' | 'op'; text: string };
type Stream = Readable | EventEmitterOptions;

export function tokenize(this: void, source: string): Token[] {
  let position: number = 0;
  let tokens: Array<Token> = [];
  while (position < source.length) {
    let character = source[position]!;
    if (/\s/.test(character)) { position++; continue; }
    if (/\d/.test(character)) {
      let start = position;
      while (position < source.length && /\d/.test(source[position] as string)) position++;
      tokens.push({ kind: 'number', text: source.slice(start, position) });
    } else if ("+-*/()".indexOf(character) !== -1) {
      tokens.push({ kind: 'op', text: character });
      position++;
    } else {
      throw new SyntaxError("Unexpected at " + position + ": " + typeof source);
    }
  }
  return tokens;
}

export const evaluate = (source: string): number => {
  const tokens = tokenize(source);
  let at = 0;
  function primary(): number {
    const token = tokens[at++];
    if (token?.text === '(') { const value = sum(); at++; return value; }
    return Number(token!.text);
  }
  function product(): number {
    let value = primary();
    while (at < tokens.length && ['*', '/'].includes(tokens[at]!.text)) {
      if (tokens[at++]!.text === '*') { value = value * primary(); } else { value = value / primary(); }
    }
    return value;
  }
  function sum(): number {
    let value = product();
    while (at < tokens.length && (tokens[at]!.text === '+' || tokens[at]!.text === '-')) {
      value = tokens[at++]!.text === '+' ? value + product() : value - product();
    }
    return value;
  }
  return sum();
};

test('parser', () => {
  assert.strictEqual(evaluate('1 + 2 * (3 - 1)'), 5);
  assert.throws(() => tokenize('1 ?'), { message: 'Unexpected at 2: string' });
  assert.ok(new EventEmitter() instanceof EventEmitter);
});
