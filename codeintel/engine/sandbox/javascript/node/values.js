// Draw values of a kind. The same seed always gives equal values that share nothing.

function randomOf(text) {
  let state = 2166136261;
  for (let i = 0; i < text.length; i++) {
    state = Math.imul(state ^ text.charCodeAt(i), 16777619);
  }
  return function next() {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}

const NUMBERS = [
  0, 1, 2, 3, -1, 4, 5, 7, 10, -0, 0.1, 0.2, 0.5, 1.5, 2.5, -2.5, -3, NaN, Infinity, -Infinity, 99, 100, 255,
  1000, 1e21, 2 ** 31, 2 ** 32 + 3, 2 ** 53, -(2 ** 31) - 1, 1.005, 12.345, 1e-7,
];
const STRINGS = [
  "a", "b", "c", "A", "B", "abc", "Abc", "aBc", "a b", "", " ", " x ", "\ta\n", "a,b", "a-b", "a.b", "a/b", "a=b",
  "10", "9", "2", "1", "0", "-1", "1.5", "1e3", "0x1f", "010", "12px", "NaN", "true", "null", "undefined",
  "constructor", "__proto__", "toString", "length", "\u00e9", "e\u0301", "\ud83d\ude00", "a\ud83d\ude00b", "\u00df",
  "\u0130", "\u00c5", "Z", "z", "x\ny", "aa", "aaa", "abab", "$1", "$&", "<b>", "a  b", "\u00a0x",
];

function isStructured(kind) {
  return Array.isArray(kind) ? !["either", "value", "likely"].includes(kind[0]) : kind === "function" || kind === "date";
}

function bare(kind) {
  return Array.isArray(kind) && kind[0] === "optional" ? kind[1] : kind;
}

class Maker {
  // `pool` has the constants of both programs. `typed` is true if annotations describe the parameters.
  constructor(seed, pool, wild, typed, world) {
    this.random = randomOf(seed);
    this.pool = pool;
    this.wild = wild;
    this.typed = typed;
    this.world = world;
    this.isOdd = false;
    this.numbers = [this.someNumber(), this.someNumber(), this.someNumber()];
    this.strings = [this.someString(), this.someString(), this.someString()];
    this.objects = [];
    this.small = world.small;
    this.isPlain = this.random() < 0.5;
  }

  chance(probability) {
    return this.random() < probability;
  }

  below(count) {
    return Math.floor(this.random() * count);
  }

  pick(list) {
    return list[this.below(list.length)];
  }

  someNumber() {
    const constants = this.pool.numbers;
    if (constants.length > 0 && this.chance(0.4)) {
      return this.pick(constants) + this.pick([0, 0, 0, 1, -1, 0.5, -0.5]);
    }
    if (this.chance(0.5)) return this.below(12);
    return this.pick(NUMBERS);
  }

  someString() {
    const constants = this.pool.strings;
    if (constants.length > 0 && this.chance(0.6)) {
      if (this.chance(0.4)) return this.pick(constants);
      const parts = [];
      const letters = this.chance(0.6) ? ["a", "b", "1", " ", "Q", "7"] : STRINGS;
      for (let count = this.below(9); count > 0; count--) {
        parts.push(this.chance(0.55) ? this.pick(constants) : this.pick(letters));
      }
      const text = parts.join("");
      return this.chance(0.1) ? text.toUpperCase() : text;
    }
    if (this.chance(0.25)) return this.pick(STRINGS) + this.pick(["", " ", ",", "-"]) + this.pick(STRINGS);
    return this.pick(STRINGS);
  }

  number() {
    const found = this.chance(0.45) ? this.pick(this.numbers) : this.someNumber();
    if (this.small && Math.abs(found) > 50) return this.below(12);
    if (!Number.isInteger(found) || Object.is(found, -0) || Math.abs(found) > 1e6) this.isOdd = true;
    return found;
  }

  string() {
    const found = this.chance(0.45) ? this.pick(this.strings) : this.someString();
    if (found === "__proto__") this.isOdd = true;
    return found;
  }

  // A value that the program does not seem to expect.
  surprise(kind) {
    this.isOdd = true;
    if (isStructured(kind)) return this.pick(this.pool.falsy ? [null, undefined, false, 0, ""] : [null, undefined]);
    if (this.chance(0.12)) return this.world.shown(this.number(), this.string());
    if (this.chance(0.3)) return this.pick([null, undefined, NaN, "", 0, -0, 3n, Symbol("s")]);
    return this.any(1);
  }

  value(kind, depth = 0) {
    if (this.wild && this.chance(depth === 0 ? 0.3 : 0.12)) return this.surprise(kind);
    if (typeof kind === "string") return this.simple(kind, depth);
    const [sort, inner] = kind;
    switch (sort) {
      case "array": return this.array(inner, depth);
      case "tuple": return inner.map((each) => this.value(each, depth + 1));
      case "object": return this.object(inner, depth);
      case "record": return this.record(inner, depth);
      case "map": return new Map(this.list(() => [this.key(), this.value(inner, depth + 1)]));
      case "set": return new Set(this.list(() => this.value(inner, depth + 1)));
      case "function": return this.world.callback(this, inner);
      case "likely": return this.likely(inner, depth);
      case "either": return this.value(this.pick(inner), depth);
      case "promise": return this.promise(inner, depth);
      case "iterable": return this.iterable(inner, depth);
      case "value": return inner;
      case "new": return this.world.construct(inner, this, depth);
      default: return this.any(depth);
    }
  }

  odd(make) {
    this.isOdd = true;
    return make();
  }

  // Prefer the first of some kinds. The others are unusual.
  likely(kinds, depth) {
    if (this.chance(0.7)) return this.value(kinds[0], depth);
    this.isOdd = true;
    return this.value(this.pick(kinds), depth);
  }

  simple(kind, depth) {
    switch (kind) {
      case "number": return this.number();
      case "string": return this.string();
      case "boolean": return this.chance(0.5);
      case "null": return null;
      case "undefined": return undefined;
      case "bigint": return BigInt(this.below(24) - 6);
      case "function": return this.world.callback(this);
      case "date": return this.date();
      case "regexp": return new RegExp(this.pick(["a", "[a-z]+", "\\d", "(b)(c)?"]), this.pick(["", "g", "i", "y"]));
      default: return this.any(depth);
    }
  }

  any(depth) {
    const choice = this.random();
    if (choice < 0.3) return this.number();
    if (choice < 0.55) return this.string();
    if (choice < 0.62) return this.chance(0.5);
    if (choice < 0.69) return null;
    if (choice < 0.77) return undefined;
    if (depth > 3) return this.below(5);
    if (choice < 0.85) return this.array("any", depth + 1);
    if (choice < 0.93) return this.thing(depth);
    if (choice < 0.95) return this.date();
    if (choice < 0.96) return this.odd(() => this.world.shown(this.number(), this.string()));
    if (choice < 0.97) return new Set([this.number(), this.string()]);
    if (choice < 0.98) return new Map([[this.string(), this.number()]]);
    return this.world.callback(this);
  }

  // Return an object with properties that the programs read.
  thing(depth) {
    const members = {};
    for (let count = 1 + this.below(3); count > 0; count--) members[this.pick(this.pool.names)] = "any";
    return this.object(members, depth + 1);
  }

  date() {
    return new Date(this.pick([0, 1700000000000, 86400000 * 59, 951782400000, NaN, 1711846800000]) + this.below(5) * 86400000);
  }

  key() {
    return this.chance(0.8) ? this.string() : this.number();
  }

  length() {
    const choice = this.random();
    if (choice < 0.12) return 0;
    if (choice < 0.27) return 1;
    if (choice < 0.9) return 2 + this.below(4);
    return this.pool.long ? 12 + this.below(30) : 6 + this.below(3);
  }

  list(make) {
    const found = [];
    for (let count = this.length(); count > 0; count--) found.push(make());
    return found;
  }

  array(inner, depth) {
    const found = [];
    const count = depth > 2 ? Math.min(this.length(), 3) : this.length();
    for (let i = 0; i < count; i++) {
      if (this.chance(0.15) && i > 0) found.push(found[this.below(i)]);
      else if (i > 0 && inner[0] === "object" && this.chance(0.3)) found.push(this.similar(found[this.below(i)], inner, depth));
      else found.push(this.value(inner, depth + 1));
    }
    if (this.wild && this.chance(0.35)) this.oddArray(found);
    this.objects.push(found);
    return found;
  }

  // Return a copy of an object in which one property differs.
  similar(other, inner, depth) {
    if (typeof other !== "object" || other === null) return this.value(inner, depth + 1);
    const found = { ...other };
    const key = this.pick(Object.keys(inner[1]));
    if (key !== undefined) this.define(found, key, this.value(bare(inner[1][key]), depth + 1));
    return found;
  }

  oddArray(found) {
    this.isOdd = true;
    const choice = this.random();
    if (choice < 0.6 && (choice >= 0.4 || found.length > 0)) this.world.holes += 1;
    if (choice < 0.4 && found.length > 0) delete found[this.below(found.length)];
    else if (choice < 0.6) found.length += 2;
    else if (choice < 0.8) Object.freeze(found);
    else found.extra = 1;
  }

  object(members, depth) {
    const keys = Object.keys(members);
    if (this.chance(0.15)) keys.reverse();
    const found = this.wild && this.chance(0.1) ? this.inherited() : {};
    for (const key of keys) {
      if (this.absent(found, key, members[key])) continue;
      this.define(found, key, this.value(bare(members[key]), depth + 1));
    }
    if (this.wild && this.chance(0.1)) this.oddObject(found);
    else if (this.typed && this.chance(0.04)) this.odd(() => this.define(found, "other", this.number()));
    this.objects.push(found);
    return found;
  }

  // Leave a property out, or set it to undefined or null.
  absent(found, key, kind) {
    const isOptional = Array.isArray(kind) && kind[0] === "optional";
    if (this.typed ? !isOptional : this.isPlain) return false;
    const choice = this.random();
    if (choice < 0.1) return true;
    if (choice < 0.15) return this.define(found, key, undefined);
    if (choice < 0.2 && !this.typed) return this.define(found, key, null);
    return this.typed && choice < 0.35;
  }

  define(found, key, value) {
    Object.defineProperty(found, key, { value, writable: true, enumerable: true, configurable: true });
    return true;
  }

  inherited() {
    this.isOdd = true;
    return this.chance(0.5) ? Object.create(null) : Object.create({ inherited: this.number() });
  }

  oddObject(found) {
    this.isOdd = true;
    const choice = this.random();
    if (choice < 0.4) Object.freeze(found);
    else if (choice < 0.7) found[Symbol("other")] = this.number();
    else found[this.string()] = this.number();
  }

  record(inner, depth) {
    const found = this.wild && this.chance(0.25) ? this.inherited() : {};
    for (let count = this.length(); count > 0; count--) {
      this.define(found, this.chance(0.85) ? this.string() : String(this.below(12)), this.value(inner, depth + 1));
    }
    this.objects.push(found);
    return found;
  }

  promise(inner, depth) {
    if (this.chance(0.25)) {
      const rejected = Promise.reject(new Error(this.string()));
      rejected.catch(() => {});
      return rejected;
    }
    return Promise.resolve(this.value(inner, depth + 1));
  }

  iterable(inner, depth) {
    const items = this.array(inner, depth);
    if (this.chance(0.4)) return items;
    if (this.chance(0.4)) return new Set(items);
    return items[Symbol.iterator]();
  }
}
