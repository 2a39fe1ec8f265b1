// Run two programs in contexts of their own, call both with equal values, and report what differs.
// Only texts pass between this script and the programs.

"use strict";

const fs = require("node:fs");
const inspector = require("node:inspector");
const path = require("node:path");
const vm = require("node:vm");

const SCRIPTS = ["values.js", "canonical.js", "world.js", "calls.js", "realm.js"];
const LOAD_MS = 500;
const CALL_MS = 150;
const TICKS = 60;
const CHUNK = 25;
const MOST_TIMEOUTS = 6;

class Side {
  constructor(name, code, job) {
    this.name = name;
    this.code = code;
    this.context = vm.createContext(Object.create(null), {
      codeGeneration: { strings: false, wasm: false },
      microtaskMode: "afterEvaluate",
    });
    const scripts = SCRIPTS.map((each) => fs.readFileSync(path.join(__dirname, each), "utf8"));
    this.enter = vm.runInContext(`(function () {"use strict";${scripts.join("\n")}\n})()`, this.context);
    this.job = job;
  }

  // Call the realm within a time limit. Microtasks run within it too. Return null if time was up.
  do(what, given, milliseconds = CALL_MS) {
    const enter = this.enter;
    let answer = null;
    Object.defineProperty(this.context, "$codeintel_do", {
      value: Object.freeze(() => { answer = enter(what, given); }), configurable: true,
    });
    try {
      vm.runInContext(
        "{ const go = globalThis.$codeintel_do; delete globalThis.$codeintel_do; go(); }",
        this.context,
        { timeout: milliseconds },
      );
    } catch (error) {
      if (error && error.code === "ERR_SCRIPT_EXECUTION_TIMEOUT") return null;
      return "broken";
    }
    return String(answer);
  }

  load() {
    this.do("start", JSON.stringify(this.job));
    try {
      vm.runInContext(this.code, this.context, { timeout: LOAD_MS, filename: this.name });
    } catch (error) {
      if (error && error.code === "ERR_SCRIPT_EXECUTION_TIMEOUT") return "timeout";
      return `failed ${this.errorName(error)}`;
    }
    this.drain();
    return this.do("loaded", "");
  }

  errorName(error) {
    const name = error === null || typeof error !== "object" ? "" : String(error.name);
    return /^\w{1,40}$/.test(name) ? name : "Error";
  }

  drain() {
    for (let count = 0; count < TICKS; count++) {
      const answer = this.do("tick", "");
      if (answer === null) return false;
      if (answer !== "true") return true;
    }
    return true;
  }

  // Return the outcome of a call, or null if it took too long.
  call(name, number, wild, small) {
    if (this.do("begin", JSON.stringify([name, number, wild, small])) === null) return null;
    for (let count = 0; count <= TICKS; count++) {
      const answer = this.do("next", count === TICKS ? "last" : "");
      if (answer === null || answer === "broken") return null;
      if (answer !== "") return JSON.parse(answer);
    }
    return null;
  }

  met() {
    return JSON.parse(this.do("met", "", 1000) ?? "{}");
  }
}

class Session {
  constructor() {
    this.session = new inspector.Session();
    this.session.connect();
    this.post("Profiler.enable");
    this.post("Profiler.startPreciseCoverage", { callCount: true, detailed: true });
  }

  post(method, parameters) {
    let answer;
    this.session.post(method, parameters, (error, result) => { answer = result; });
    return answer;
  }

  // Return the lines at which blocks begin that never ran, by the name of the side.
  blocks(sides) {
    const found = {};
    for (const script of this.post("Profiler.takePreciseCoverage").result) {
      const side = sides.find((each) => each.name === script.url);
      if (!side) continue;
      const lines = new Set();
      for (const each of script.functions.flatMap((one) => one.ranges)) {
        if (each.count === 0 && /\w/.test(side.code.slice(each.startOffset, each.endOffset))) {
          lines.add(lineAt(side.code, each.startOffset));
        }
      }
      found[side.name] = [...lines];
    }
    return found;
  }
}

function lineAt(code, offset) {
  let at = offset;
  while (/[\s{}]/.test(code[at] ?? "x")) at += 1;
  return code.slice(0, at).split("\n").length;
}

function tally(target) {
  return {
    name: target.name, calls: 0, compared: 0, returned: 0, raised: 0, odd: 0, slow: 0, uneven: 0, blocked: 0, holed: 0,
    differs: false, doubtful: false, example: "",
  };
}

// Compare one call. Return false if nothing more can be learned from the target.
function compareCall(sides, target, number, found) {
  const wild = !target.typed && number % 4 === 3;
  const [one, other] = sides.map((each) => each.call(target.name, number, wild, found.slow > 0));
  found.calls += 1;
  if (one === null || other === null) {
    found.slow += 1;
    if ((one === null) !== (other === null)) found.uneven += 1;
    return found.slow < MOST_TIMEOUTS;
  }
  const [status, odd, native, text, holes, shapes] = one;
  if (["large", "broken"].includes(status) || ["large", "broken"].includes(other[0]) || native === "ReferenceError") {
    found.blocked += 1;
    return found.blocked < 400;
  }
  found.odd += odd ? 1 : 0;
  found.holed += holes > 0 ? 1 : 0;
  if (shapes !== other[5]) found.doubtful = true;
  if (status !== other[0] || text !== other[3]) {
    if (odd || wild || other[1] || native !== "" || status === "pending" || found.slow > 0) found.doubtful = true;
    else {
      found.differs = true;
      found.example = String(number);
      return false;
    }
  }
  found.compared += 1;
  found.returned += status === "value" ? 1 : 0;
  found.raised += status === "raised" ? 1 : 0;
  return true;
}

// A count of 0 means that something must not be met.
function isMet(counts, wanted) {
  return wanted.every(([key, times]) => (times > 0 ? (counts[key] ?? 0) >= times : !counts[key]));
}

function main() {
  const job = JSON.parse(fs.readFileSync(0, "utf8"));
  const begun = Date.now();
  const session = new Session();
  const sides = ["original", "result"].map((name) => new Side(name, job[name], job.shared));
  const say = (line) => fs.writeSync(1, `${JSON.stringify(line)}\n`);
  const loads = sides.map((each) => each.load());
  say({ what: "loaded", outcomes: loads });
  if (loads.some((each) => each === null || !each.startsWith("{"))) return;
  const tallies = job.shared.targets.map(tally);
  const left = () => job.milliseconds - (Date.now() - begun);
  const isOver = tallies.map(() => false);
  let isReached = false;
  for (let first = 0; left() > 0 && isOver.some((each) => !each); first += CHUNK) {
    job.shared.targets.forEach((target, place) => {
      if (isOver[place]) return;
      const most = target.sort === "value" ? 1 : target.most;
      for (let number = first; number < first + CHUNK && left() > 0; number++) {
        if (number >= most || (number >= target.least && isReached)) {
          isOver[place] = true;
          return;
        }
        if (!compareCall(sides, target, number, tallies[place])) {
          isOver[place] = true;
          return;
        }
      }
    });
    const counts = sides.map((each) => each.met());
    isReached = job.goals.every(([side, anyOf]) => anyOf.some((each) => isMet(counts[side], each)));
  }
  const ended = job.shared.targets.map((each, place) => isOver[place] || tallies[place].calls >= each.least);
  say({ what: "called", targets: tallies, ended });
  say({ what: "met", sides: sides.map((each) => each.met()), blocks: session.blocks(sides) });
  say({ what: "finished" });
}

main();
process.exit(0);
