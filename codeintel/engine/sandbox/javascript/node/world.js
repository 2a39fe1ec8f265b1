// What a program can reach: a clock, timers, random numbers and a console that repeat and are
// recorded, callbacks that record their calls, and the probes.

const RealDate = Date;
const RealRangeError = RangeError;
const ERRORS = [
  "Error", "TypeError", "RangeError", "SyntaxError", "ReferenceError", "EvalError", "URIError", "AggregateError",
];
const madeErrors = new WeakSet();
const FIRST_MOMENT = 1700000000000;
const MOST_EVENTS = 3000;

class World {
  constructor(getTarget) {
    this.getTarget = getTarget;
    this.known = new WeakMap();
    this.pool = { numbers: [], strings: [], names: ["a"], long: false };
    this.small = false;
    this.reset("load");
  }

  reset(seed) {
    this.events = [];
    this.ids = new Map();
    this.timers = [];
    this.order = 0;
    this.moment = FIRST_MOMENT;
    this.chance = randomOf(`chance ${seed}`);
    this.made = 0;
    this.roots = [];
    this.instance = null;
    this.disturbed = 0;
    this.holes = 0;
    this.shapes = [];
  }

  writer() {
    return new Writer(this.ids, this.known, this.shapes);
  }

  log(text) {
    if (this.events.length < MOST_EVENTS) this.events.push(text);
  }

  write(values) {
    const writer = this.writer();
    return values.map((each) => writer.write(each)).join();
  }

  // Return a function that records its calls and answers in one of several ways.
  callback(maker, kind) {
    const world = this;
    const number = ++this.made;
    const style = maker.random();
    const seed = `callback ${maker.random()}`;
    const disturbs = maker.random() < 0.15;
    let calls = 0;
    const found = function (...values) {
      const made = new.target ? "new " : "";
      const receiver = this === undefined || made ? "" : `${world.write([this])}.`;
      world.log(`${made}${receiver}callback${number}(${world.write(values)})`);
      if (world.events.length >= MOST_EVENTS) throw new RealRangeError("Maximum call stack of callbacks");
      calls += 1;
      world.moment += 11;
      if (disturbs) world.disturb(values, randomOf(`${seed} disturbs ${calls}`));
      return world.answer(style, `${seed} ${calls}`, values, calls, kind);
    };
    this.known.set(found, `callback${number}`);
    return found;
  }

  // Change something that the program may be using: callbacks of real programs do so, too.
  disturb(values, random) {
    if (this.disturbed >= 3 || random() < 0.3) return;
    this.disturbed += 1;
    const choice = random();
    if (this.instance !== null && choice < 0.6) {
      this.instance(new Maker(`disturb ${choice}`, this.pool, false, false, this));
      return;
    }
    const objects = [...values, ...this.roots, ...this.roots.flat()].filter((each) => typeof each === "object" && each !== null);
    const found = objects[Math.floor(random() * objects.length)];
    if (Array.isArray(found) && !Object.isFrozen(found)) {
      if (choice < 0.3) found.push(choice);
      else if (choice < 0.6) found.pop();
      else found.shift();
    } else if (found !== undefined && Object.isExtensible(found) && !(found instanceof Promise)) {
      found[this.pool.names[Math.floor(random() * this.pool.names.length)]] = choice;
    }
  }

  answer(style, seed, values, calls, kind) {
    if (kind !== undefined && style < 0.66) return this.fitting(style, seed, calls, kind);
    const random = randomOf(style < 0.55 ? `${seed} ${this.write(values.slice(0, 1))}` : seed);
    if (style < 0.12) return random() < 0.5;
    if (style < 0.22) return [true, 0, "", null, NaN, 1, "a", undefined][Math.floor(random() * 8)];
    if (style < 0.34) return compare(values[0], values[1]);
    if (style < 0.44) return values[0];
    if (style < 0.52) return typeof values[0] === "number" ? values[0] % 3 : String(typeof values[0]);
    const maker = new Maker(seed, this.pool, false, false, this);
    if (style < 0.62 && calls > 1 + Math.floor(random() * 3)) throw this.error(maker);
    if (style < 0.72) return Promise.resolve(maker.any(2));
    if (style < 0.8) return this.rejected(maker, random);
    if (style < 0.86) return this.later(maker, random);
    return maker.any(1);
  }

  // Return a value of the kind that the program seems to expect, or throw.
  fitting(style, seed, calls, kind) {
    const maker = new Maker(seed, this.pool, false, false, this);
    if (style > 0.5 || (style > 0.36 && calls < 3)) throw this.error(maker);
    return maker.value(kind, 1);
  }

  // Return an error that has a property which the programs read.
  error(maker) {
    const found = new Error(`callback ${maker.string()}`);
    if (maker.chance(0.6)) found[maker.pick(this.pool.names)] = maker.any(2);
    return found;
  }

  rejected(maker, random) {
    const found = random() < 0.5 ? Promise.reject(this.error(maker)) : Promise.resolve(maker.number());
    found.catch(() => {});
    return found;
  }

  later(maker, random) {
    const value = maker.any(2);
    return new Promise((resolve) => this.timer(resolve, Math.floor(random() * 50), [value], false));
  }

  // Return an object that is different as a string and as a number.
  shown(number, text) {
    const found = { valueOf: () => number, toString: () => text };
    shownObjects.add(found);
    this.known.set(found.valueOf, "valueOf");
    this.known.set(found.toString, "toString");
    return found;
  }

  construct(name, maker, depth) {
    const target = this.getTarget(name);
    if (depth > 3 || !target) return {};
    const kind = this.program(name);
    return new kind(...target.given.map((each) => maker.value(each.kind, depth + 1)));
  }

  now() {
    this.moment += 7;
    return this.moment;
  }

  timer(action, delay, values, again) {
    const wait = Math.max(Number(delay) || 0, 1);
    const id = ++this.order;
    this.timers.push({ id, at: this.moment + wait, action, values, again: again ? wait : 0 });
    return id;
  }

  // Run the next timer. Return false if there is none.
  tick() {
    if (this.timers.length === 0) return false;
    let next = this.timers[0];
    for (const each of this.timers) {
      if (each.at < next.at || (each.at === next.at && each.id < next.id)) next = each;
    }
    this.timers.splice(this.timers.indexOf(next), 1);
    this.moment = Math.max(this.moment, next.at);
    if (next.again) this.timers.push({ ...next, at: next.at + next.again });
    try {
      next.action(...next.values);
    } catch (error) {
      this.log(`timer throws ${this.write([error])}`);
    }
    return true;
  }

  // Define the globals that a program finds in addition to those of the language.
  furnish(scope) {
    const world = this;
    const hide = (name, value) => {
      Object.defineProperty(scope, name, { value, writable: true, configurable: true, enumerable: false });
    };
    hide("Date", dated(this));
    hide("setTimeout", (action, delay, ...values) => {
      world.log(`setTimeout ${delay}`);
      return world.timer(action, delay, values, false);
    });
    hide("setInterval", (action, delay, ...values) => {
      world.log(`setInterval ${delay}`);
      return world.timer(action, delay, values, true);
    });
    const clear = (id) => {
      world.log(`clear ${id}`);
      world.timers = world.timers.filter((each) => each.id !== id);
    };
    hide("clearTimeout", clear);
    hide("clearInterval", clear);
    hide("queueMicrotask", (action) => {
      Promise.resolve().then(() => action());
    });
    const console = {};
    for (const name of ["log", "info", "warn", "error", "debug", "table", "assert", "trace"]) {
      console[name] = (...values) => world.log(`console.${name}(${world.write(values)})`);
    }
    hide("console", console);
    hide("module", { exports: {} });
    hide("exports", scope.module.exports);
    for (const name of ERRORS) hide(name, watchedError(scope[name]));
    watchSorting(this);
    Math.random = () => world.chance();
    for (const name of Object.keys(PROBES)) {
      Object.defineProperty(scope, name, { value: PROBES[name], enumerable: false });
    }
    for (const name of ["WebAssembly", "SharedArrayBuffer", "Atomics"]) delete scope[name];
  }
}

// Record what comparisons return, because not every engine calls them for the same elements.
function watchSorting(world) {
  for (const name of ["sort", "toSorted"]) {
    const original = Array.prototype[name];
    const watched = {
      [name](order) {
        if (typeof order !== "function") return original.call(this, order);
        return original.call(this, (one, other) => {
          const answer = order(one, other);
          world.log(`compares ${Math.sign(Number(answer)) || 0}`);
          return answer;
        });
      },
    };
    if (original) Object.defineProperty(Array.prototype, name, { value: watched[name], writable: true, configurable: true });
  }
}

// Return a constructor that remembers the errors that the program makes.
function watchedError(Real) {
  const Fake = function (...values) {
    const made = Reflect.construct(Real, values, new.target ?? Fake);
    madeErrors.add(made);
    return made;
  };
  Object.defineProperty(Fake, "name", { value: Real.name });
  Object.defineProperty(Fake, "length", { value: Real.length });
  Object.defineProperty(Fake, "prototype", { value: Real.prototype, writable: false });
  Object.defineProperty(Real.prototype, "constructor", { value: Fake, writable: true, configurable: true });
  return Object.setPrototypeOf(Fake, Real);
}

function dated(world) {
  const Fake = function Date(...values) {
    if (!new.target) return new RealDate(world.now()).toString();
    return Reflect.construct(RealDate, values.length > 0 ? values : [world.now()], new.target);
  };
  Fake.prototype = RealDate.prototype;
  Fake.now = () => world.now();
  Fake.parse = RealDate.parse;
  Fake.UTC = RealDate.UTC;
  Object.defineProperty(RealDate.prototype, "constructor", { value: Fake, writable: true, configurable: true });
  return Fake;
}

function compare(one, other) {
  if (typeof one === "symbol" || typeof other === "symbol") return 0;
  try {
    return one < other ? -1 : one > other ? 1 : 0;
  } catch {
    return 0;
  }
}

const shownObjects = new WeakSet();
const met = Object.create(null);
const rounds = Object.create(null);

function meet(id, what) {
  const key = `${id} ${what}`;
  met[key] = (met[key] ?? 0) + 1;
}

function typeName(value) {
  return value === null ? "null" : typeof value;
}

function relate(id, operator, one, other) {
  if (Object.is(one, -0) || Object.is(other, -0)) meet(id, "negative zero");
  if (one === other || (typeof one === "number" && one == other)) meet(id, "equal");
  else if (one < other) meet(id, "less");
  else if (one > other) meet(id, "more");
  else meet(id, "unordered");
  switch (operator) {
    case "<": return one < other;
    case "<=": return one <= other;
    case ">": return one > other;
    default: return one >= other;
  }
}

const PROBES = {
  // A statement runs.
  $codeintel_s: (id) => meet(id, "run"),
  // An expression has a value.
  $codeintel_v: (id, value) => {
    meet(id, "run");
    return value;
  },
  // A condition is true or false.
  $codeintel_c: (id, value) => {
    meet(id, value ? "true" : "false");
    return value;
  },
  // Two values are ordered.
  $codeintel_b: relate,
  // A value is tested for null and undefined.
  $codeintel_n: (id, value) => {
    meet(id, value === undefined || value === null ? String(value) : value ? "truthy" : "falsy");
    if (value !== null && value !== undefined) meet(id, `is ${typeof value}`);
    return value;
  },
  // An operand of an operator that takes any type.
  $codeintel_t: (id, value) => {
    meet(id, Number.isNaN(value) ? "NaN" : shownObjects.has(value) ? "shown" : typeName(value));
    return value;
  },
  // A loop begins an iteration, and ends.
  $codeintel_i: (id) => {
    rounds[id] = (rounds[id] ?? 0) + 1;
  },
  $codeintel_e: (id, goes) => {
    if (!goes) {
      meet(id, ["none", "once"][rounds[id] ?? 0] ?? "several");
      rounds[id] = 0;
    }
    return goes;
  },
  $codeintel_o: (id, items) => {
    if (Array.isArray(items)) meet(id, ["none", "once"][items.length] ?? "several");
    else {
      const size = items?.size ?? items?.length;
      meet(id, typeof size === "number" ? ["none", "once"][size] ?? "several" : "unknown");
    }
    return items;
  },
  // A value selects a case.
  $codeintel_w: (id, value) => {
    if (typeof value !== "object" && typeof value !== "function") meet(id, `case ${String(value)}`.slice(0, 60));
    else meet(id, "case object");
    return value;
  },
};
