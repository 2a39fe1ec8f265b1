// Write a value as text, so that equal texts mean that no program can tell the values apart.
// Functions and promises are named by their order, and tried or awaited by `calls.js`.

const NATIVE_MESSAGE = new RegExp(
  [
    "is not a function", "Cannot read prop", "Cannot set prop", "is not iterable", "Cannot destructure",
    "is not defined", "Cannot convert", "of empty array", "Invalid array length", "is not a constructor",
    "Cannot assign to read only", "Cannot add property", "Cannot delete property", "Cannot mix BigInt",
    "called on null or undefined", "called on non-object", "incompatible receiver", "object is not extensible",
    "Cannot use 'in' operator", "Invalid time value", "Invalid count value", "Maximum call stack",
    "without 'new'", "Invalid string length", "before initialization", "not an object", "is not undefined",
    "must be an instance of", "must be a function", "argument must be", "is not a symbol", "constant variable",
    "must be callable", "Iterator value", "is not valid JSON", "must be between", "URI malformed", "Right-hand side",
  ].join("|"),
);

// Return whether the engine raised an error, and not the program. The program can make errors in
// any way: with a constructor, from a prototype, or by writing another message into an error.
function isNative(error) {
  if (!(error instanceof Error) || madeErrors.has(error) || !NATIVE_MESSAGE.test(error.message)) return false;
  return Object.hasOwn(error, "stack") && String(error.stack).includes(`: ${error.message}\n`);
}

// What callers can see of a function without a call: its length, and whether `new` can construct with it.
function shape(value) {
  const length = Object.getOwnPropertyDescriptor(value, "length")?.value;
  return `${String(length)}${Object.hasOwn(value, "prototype") ? " new" : ""}`;
}

class Writer {
  // `ids` numbers objects over a whole call, and `known` has names of objects from outside the call.
  // `shapes` receives the shapes of functions.
  constructor(ids, known, shapes) {
    this.ids = ids;
    this.known = known;
    this.shapes = shapes;
    this.seen = new Set();
    this.functions = [];
    this.left = 4000;
  }

  write(value) {
    if (--this.left < 0) throw new TooLarge();
    switch (typeof value) {
      case "undefined": return "undefined";
      case "boolean": return String(value);
      case "string": return JSON.stringify(value);
      case "bigint": return `${value}n`;
      case "symbol": return String(value);
      case "number": return Object.is(value, -0) ? "-0" : String(value);
      default: return value === null ? "null" : this.reference(value);
    }
  }

  reference(value) {
    if (this.known.has(value)) return this.known.get(value);
    if (!this.ids.has(value)) this.ids.set(value, this.ids.size);
    const id = `#${this.ids.get(value)}`;
    if (this.seen.has(value)) return id;
    this.seen.add(value);
    if (typeof value === "function") {
      this.functions.push(value);
      this.shapes.push(shape(value));
      const more = Object.keys(value).map((key) => `${key}=${this.write(value[key])}`);
      return `${id}function(${more.join()})`;
    }
    return `${id}${this.kind(value)}${this.flags(value)}{${this.members(value).join(",")}}`;
  }

  kind(value) {
    const prototype = Object.getPrototypeOf(value);
    if (prototype === null) return "bare";
    if (Array.isArray(value)) return `${this.named(prototype, Array)}[${value.length}]`;
    if (value instanceof Date) return `${this.named(prototype, Date)}(${Number(value)})`;
    if (value instanceof RegExp) return `RegExp(${value.source}/${value.flags}@${value.lastIndex})`;
    if (value instanceof Map) {
      const pairs = Array.from(value, ([key, item]) => `${this.write(key)}=>${this.write(item)}`);
      return `${this.named(prototype, Map)}(${pairs.join()})`;
    }
    if (value instanceof Set) {
      return `${this.named(prototype, Set)}(${Array.from(value, (item) => this.write(item)).join()})`;
    }
    if (value instanceof Error) return this.error(value, prototype);
    if (value instanceof Promise) return "Promise";
    if (value instanceof Number || value instanceof String || value instanceof Boolean) {
      return `boxed ${this.write(value.valueOf())}`;
    }
    if (ArrayBuffer.isView(value)) return `${prototype.constructor.name}(${Array.from(value).join()})`;
    return this.named(prototype, Object);
  }

  error(value, prototype) {
    const message = isNative(value) ? "" : JSON.stringify(String(value.message));
    return `${this.named(prototype, Error)}:${value.name}(${message})`;
  }

  // The class of a prototype. A prototype without a class is written out.
  named(prototype, usual) {
    if (prototype === usual.prototype) return usual.name;
    const own = Object.getOwnPropertyDescriptor(prototype, "constructor");
    if (own && typeof own.value === "function") return `class ${own.value.name}`;
    if (typeof prototype.next === "function") return "iterator";
    return `from ${this.write(prototype)}`;
  }

  flags(value) {
    if (Object.isFrozen(value) && Object.isExtensible(value) === false) return "!frozen";
    if (Object.isSealed(value)) return "!sealed";
    return Object.isExtensible(value) ? "" : "!fixed";
  }

  members(value) {
    const skipped = value instanceof Error ? ["stack", "message"] : Array.isArray(value) ? ["length"] : [];
    if (value instanceof RegExp) skipped.push("lastIndex");
    if (ArrayBuffer.isView(value)) return [];
    const found = [];
    for (const key of Reflect.ownKeys(value)) {
      if (skipped.includes(key)) continue;
      const own = Object.getOwnPropertyDescriptor(value, key);
      const name = typeof key === "symbol" ? String(key) : JSON.stringify(key);
      const marks = `${own.enumerable ? "" : "-"}${own.configurable ? "" : "="}`;
      const frozen = own.writable === false ? "!" : "";
      if ("value" in own) found.push(`${marks}${frozen}${name}:${this.write(own.value)}`);
      else found.push(`${marks}${name}:${own.set ? "set " : ""}${this.accessor(value, own)}`);
    }
    return found;
  }

  accessor(owner, own) {
    if (!own.get) return "nothing";
    try {
      return `get ${this.write(own.get.call(owner))}`;
    } catch (error) {
      if (error instanceof TooLarge) throw error;
      return `get throws ${this.write(error)}`;
    }
  }
}

class TooLarge extends Error {}
