// Call functions and classes of a program, and write down everything that the calls show.

const MOST_ITEMS = 40;
const TRIES = 3;
const MOST_SHAPES = 400;

class Calls {
  constructor(job, program) {
    this.targets = new Map(job.targets.map((each) => [each.name, each]));
    this.world = new World((name) => this.targets.get(name));
    this.world.pool = job.pool;
    this.world.program = program;
    this.program = program;
    this.seed = job.seed;
    this.outcome = null;
    this.earlier = new Map();
  }

  // Begin a call. The outcome is ready when no microtask and no timer is left.
  begin(name, number, wild, small) {
    const target = this.targets.get(name);
    this.world.small = small;
    this.number = number;
    const repeated = number % 7 === 6 ? number - 1 : number;
    const seed = `${this.seed} ${name} ${repeated}`;
    this.world.reset(seed);
    this.outcome = null;
    this.isDone = false;
    this.status = "pending";
    this.native = "";
    this.isOdd = false;
    const maker = new Maker(seed, this.world.pool, wild, target.typed, this.world);
    this.further = new Maker(`${seed} further`, this.world.pool, wild, target.typed, this.world);
    this.roots = [];
    this.shown = [];
    this.work(target, maker).then(
      () => { this.isDone = true; },
      (error) => {
        this.isDone = true;
        this.status = error instanceof TooLarge ? "large" : "broken";
      },
    );
  }

  async work(target, maker) {
    if (target.sort === "class") await this.visit(target, maker);
    else if (target.sort === "value") this.shown.push(`value ${this.show(this.program(target.name))}`);
    else {
      const receiver = target.receiver ? maker.object({ name: "string", value: "number" }, 1) : undefined;
      const given = this.given(target, maker);
      this.world.shapes.push(shape(this.program(target.name)));
      this.roots = [receiver, given];
      this.world.roots = given;
      await this.record(() => this.program(target.name).apply(receiver, given), maker);
      this.isOdd ||= maker.isOdd;
    }
  }

  // Draw arguments. The last ones are sometimes left out, and one object is sometimes passed twice.
  given(target, maker) {
    const values = [];
    let count = target.given.length;
    if (!target.typed && maker.wild && maker.chance(0.2)) count = maker.below(count + 1);
    const optional = target.given.filter((each) => each.optional).length;
    if (optional > 0 && maker.chance(0.3)) count -= 1 + maker.below(optional);
    for (const each of target.given.slice(0, Math.max(count, 0))) {
      if (each.rest) {
        for (let more = maker.below(4); more > 0; more--) values.push(maker.value(each.kind));
      } else if (each.optional && maker.chance(0.15)) values.push(undefined);
      else values.push(maker.value(each.kind));
    }
    this.addFurther(target, values);
    if (values.length > 1 && maker.chance(0.06)) values[1] = values[0];
    if (values.length > 1 && values[1] === values[0] && typeof values[0] === "object") maker.isOdd = true;
    this.isOdd ||= maker.isOdd;
    return values;
  }

  // Sometimes pass more arguments than the original has parameters, as methods of arrays do.
  addFurther(target, values) {
    const isFull = values.length === target.given.length && !target.given.some((each) => each.rest);
    if (!isFull || !this.further.chance(0.1)) return;
    for (let more = 1 + this.further.below(2); more > 0; more--) values.push(this.further.any(1));
    this.isOdd = true;
  }

  // Make an instance and call some of its methods in sequence.
  async visit(target, maker) {
    const kind = this.program(target.name);
    const given = this.given(target, maker);
    this.roots = [given];
    let made;
    try {
      made = new kind(...given);
    } catch (error) {
      this.fail(error);
      return;
    }
    this.roots.push(made);
    this.showShapes(kind);
    this.world.instance = (other) => this.reenter(target, made, other);
    this.status = "value";
    for (let count = maker.below(10); count > 0 && target.methods.length > 0; count--) {
      const method = maker.pick(target.methods);
      this.shown.push(method.name);
      const values = method.sort === "get" ? [] : this.given(method, maker);
      this.roots.push(values);
      const owner = method.isStatic ? kind : made;
      await this.record(() => {
        if (method.sort === "get") return owner[method.name];
        if (method.sort === "set") return (owner[method.name] = values[0]);
        return owner[method.name](...values);
      }, maker);
      this.disturb(maker);
    }
    this.shown.push(`class ${this.statics(kind)}`);
    this.isOdd ||= maker.isOdd;
  }

  // Note the shapes of a class and of its methods.
  showShapes(kind) {
    for (const owner of [kind, kind.prototype]) {
      for (const key of Reflect.ownKeys(owner)) {
        const { value } = Object.getOwnPropertyDescriptor(owner, key);
        if (typeof value === "function") this.world.shapes.push(`${String(key)} ${shape(value)}`);
      }
    }
  }

  // Write the static properties of a class.
  statics(kind) {
    const names = Reflect.ownKeys(kind).filter((each) => !["length", "name", "prototype"].includes(each));
    const values = names.map((each) => Object.getOwnPropertyDescriptor(kind, each).value);
    return values.map((each, place) => `${String(names[place])}=${typeof each === "function" ? "" : this.show(each)}`).join();
  }

  // Sometimes change an argument between two calls, as its owner may do.
  disturb(maker) {
    if (!maker.chance(0.1)) return;
    this.world.roots = this.roots.filter((each) => Array.isArray(each)).flat();
    const { instance } = this.world;
    this.world.instance = null;
    this.world.disturb([], maker.random);
    this.world.instance = instance;
  }

  // Call a method of the instance from within a callback.
  reenter(target, made, maker) {
    const methods = target.methods.filter((each) => each.sort === "method" && !each.isStatic);
    if (methods.length === 0) return;
    const method = maker.pick(methods);
    this.shown.push(`again ${method.name}`);
    try {
      made[method.name](...method.given.map((each) => maker.value(each.kind)));
    } catch (error) {
      this.shown.push(`throws ${this.show(error)}`);
    }
  }

  fail(error) {
    this.status = "raised";
    if (isNative(error)) this.native = error.name;
    this.shown.push(`throws ${this.show(error)}`);
  }

  async record(action, maker) {
    let value;
    try {
      value = action();
    } catch (error) {
      this.fail(error);
      return;
    }
    await this.observe(value, maker, 0);
  }

  // Await promises, drain iterators and try functions that are in a value.
  async observe(value, maker, depth) {
    if (value instanceof Promise) {
      this.shown.push("promise");
      this.status = "pending";
      try {
        value = await value;
      } catch (error) {
        this.fail(error);
        return;
      }
    }
    this.status = "value";
    if (isIterator(value)) {
      await this.drain(value, maker);
      return;
    }
    const writer = this.world.writer();
    this.shown.push(`returns ${writer.write(value)}`);
    this.compareWithEarlier(value);
    if (depth < 2) await this.tryFunctions(writer.functions.slice(0, 3), maker, depth);
  }

  // Call some functions, each at least a few times, in an order that changes.
  async tryFunctions(functions, maker, depth) {
    const order = [...functions];
    for (let count = functions.length * (TRIES - 1); count > 0; count--) order.push(maker.pick(functions));
    for (const each of order) {
      if (isClass(each)) {
        this.shown.push("class");
        continue;
      }
      this.disturb(maker);
      await this.tryFunction(each, maker, depth);
    }
  }

  async tryFunction(each, maker, depth) {
    const values = [];
    for (let more = Math.min(each.length + maker.below(2), 4); more > 0; more--) values.push(maker.any(1));
    this.roots.push(values);
    try {
      const answer = each(...values);
      await this.observe(answer, maker, depth + 1);
    } catch (error) {
      if (error instanceof TooLarge) throw error;
      if (isNative(error)) this.isOdd = true;
      this.shown.push(`inner throws ${this.show(error)}`);
    }
  }

  // Read an iterator, sometimes with values for it, and sometimes not to its end.
  async drain(items, maker) {
    const sends = maker.chance(0.3);
    const most = maker.chance(0.2) ? maker.below(4) : MOST_ITEMS;
    try {
      for (let count = 0; count < MOST_ITEMS; count++) {
        const isEnd = count === most && typeof items.return === "function";
        let next = isEnd ? items.return(maker.any(1)) : sends ? items.next(maker.any(1)) : items.next();
        if (next instanceof Promise) next = await next;
        this.shown.push(`${next.done ? "ends with" : "yields"} ${this.show(next.value)}`);
        this.world.log("step");
        if (next.done || isEnd) return;
      }
    } catch (error) {
      if (error instanceof TooLarge) throw error;
      this.fail(error);
    }
  }

  // Show whether a call returns an object that an earlier call has returned.
  compareWithEarlier(value) {
    if ((typeof value !== "object" && typeof value !== "function") || value === null) return;
    if (this.world.known.has(value)) return;
    this.compareInside(value, "", 0);
  }

  compareInside(value, path, depth) {
    if (this.earlier.has(value)) this.shown.push(`${path} the same as ${this.earlier.get(value)}`);
    else if (this.earlier.size < 8000) this.earlier.set(value, this.number);
    if (depth > 4) return;
    for (const key of Object.keys(value).slice(0, 12)) {
      const inner = Object.getOwnPropertyDescriptor(value, key).value;
      if (typeof inner === "object" && inner !== null && !this.world.known.has(inner)) {
        this.compareInside(inner, `${path}.${key}`, depth + 1);
      }
    }
  }

  show(value) {
    return this.world.writer().write(value);
  }

  // Run the next timer and return an empty text, or return the outcome if there is none.
  next(isLast) {
    return !isLast && this.world.tick() ? "" : this.end();
  }

  // Return how the call ended, whether its values were unusual, and everything that it showed.
  end() {
    let text;
    const status = this.isDone ? this.status : "pending";
    try {
      text = [...this.shown, "after", this.show(this.roots), ...this.world.events].join("\n");
    } catch (error) {
      if (!(error instanceof TooLarge)) throw error;
      return JSON.stringify(["large", false, "", "", 0, ""]);
    }
    if (this.world.disturbed > 0) this.isOdd = true;
    if (this.world.timers.length > 0) text += `\n${this.world.timers.length} timers`;
    const shapes = this.world.shapes.slice(0, MOST_SHAPES).join();
    return JSON.stringify([status, Boolean(this.isOdd), this.native, text, this.world.holes, shapes]);
  }
}

function isIterator(value) {
  if (typeof value !== "object" || value === null || typeof value.next !== "function") return false;
  const itself = value[Symbol.iterator] ?? value[Symbol.asyncIterator];
  return typeof itself === "function";
}

function isClass(value) {
  return /^class\b/.test(Function.prototype.toString.call(value));
}
