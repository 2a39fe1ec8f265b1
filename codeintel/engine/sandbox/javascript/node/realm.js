// The only entrance from outside: it takes and returns texts.

let calls = null;

return Object.freeze(function enter(what, given) {
  switch (what) {
    case "start":
      calls = new Calls(JSON.parse(given), (name) => globalThis.$codeintel_get(name));
      calls.world.furnish(globalThis);
      return "started";
    case "loaded":
      return JSON.stringify({ events: calls.world.events });
    case "begin":
      return String(calls.begin(...JSON.parse(given)));
    case "tick":
      return String(calls.world.tick());
    case "next":
      return calls.next(given === "last");
    default:
      return JSON.stringify(met);
  }
});
