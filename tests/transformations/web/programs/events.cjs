"use strict";
const test = require("node:test");
const assert = require("node:assert");

function Emitter() {
  this.handlers = {};
}
Emitter.prototype.on = function (name, handler) {
  var list = this.handlers[name] = this.handlers[name] || [];
  list.push(handler);
  return this;
};
Emitter.prototype.emit = function (name) {
  var args = Array.prototype.slice.call(arguments, 1), self = this;
  var list = this.handlers[name] || [];
  list.forEach(function (handler) { handler.apply(self, args); });
  return list.length > 0;
};

var registry = { Emitter: Emitter, make: function () { return new registry.Emitter(); } };
var states = ["idle", "busy"];
function next(state) { var at = states.indexOf(state); return states[(at + 1) % states.length]; }
function wait(ms) { return new Promise(function (resolve) { setTimeout(function () { resolve(ms); }, ms); }); }

test("events", async function () {
  var emitter = registry.make();
  var got = [];
  emitter.on("x", function (a, b) { got.push(this === emitter, a, b); });
  assert.strictEqual(emitter.emit("x", 1, 2), true);
  assert.strictEqual(emitter.emit("y"), false);
  assert.deepStrictEqual(got, [true, 1, 2]);
  assert.strictEqual(next("busy"), "idle");
  assert.strictEqual(await wait(1), 1);
});
