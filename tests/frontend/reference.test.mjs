// The requests of the form of the API reference.
import assert from "node:assert/strict";
import { test } from "node:test";

import { Mistake, adviceFor, bearer, readable, requestOf } from "../../frontend/src/reference/request.js";

const field = (place, name, value, required = false) => ({ name, place, value, required });
const refused = (run, name) => assert.throws(run, (error) => error instanceof Mistake && error.field === name);

test("values go to their place", () => {
  const values = [field("path", "id", "a b/c"), field("query", "q", "x&y"), field("query", "limit", ""), field("header", "Idempotency-Key", "1")];
  assert.deepEqual(requestOf("/api/{id}", values, null), { address: "/api/a%20b/c?q=x%26y", headers: { "Idempotency-Key": "1" }, body: undefined });
  assert.equal(requestOf("/api/{id}", [field("path", "id", "$&")], null).address, "/api/%24%26");
});

test("a path stays on this origin and below its operation", () => {
  for (const value of ["..", "a/../b", ".", "/../x"]) refused(() => requestOf("/api/runs/{id}", [field("path", "id", value)], null), "id");
  for (const value of ["//evil.example", "https://evil.example", "\\\\evil.example"]) {
    const { address } = requestOf("/api/{id}", [field("path", "id", value)], null);
    assert.equal(new URL(address, "http://localhost").host, "localhost");
    assert.ok(new URL(address, "http://localhost").pathname.startsWith("/api/"));
  }
});

test("mistakes name their field", () => {
  refused(() => requestOf("/api/{id}", [field("path", "id", "", true)], null), "id");
  refused(() => requestOf("/api", [field("header", "Key", "line\nbreak")], null), "Key");
  refused(() => requestOf("/api", [], "{"), "body");
  for (const key of ["", "  ", "ci key", "é"]) refused(() => bearer(key), "key");
  assert.equal(bearer(" ci_live_1\n"), "Bearer ci_live_1");
});

test("a body is sent as it was typed", () => {
  const { headers, body } = requestOf("/api", [], '{"a": 1.0}');
  assert.deepEqual([headers, body], [{ "Content-Type": "application/json" }, '{"a": 1.0}']);
  assert.equal(requestOf("/api", [], " ").body, undefined);
});

test("answers are readable", () => {
  assert.equal(readable('{"a":[1]}'), '{\n  "a": [\n    1\n  ]\n}');
  assert.equal(readable("plain"), "plain");
  assert.equal(adviceFor(200, "key", 0), "");
  assert.match(adviceFor(401, "key", 0), /wrong, revoked or expired/);
  assert.match(adviceFor(401, "session", 0), /Sign in/);
  assert.match(adviceFor(429, "none", 7), /7 seconds/);
});
