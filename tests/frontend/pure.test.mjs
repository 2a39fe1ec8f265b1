// Functions of the front end that take values and return values.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { test } from "node:test";

import { lasting } from "../../frontend/src/health.js";
import { command, quoted } from "../../frontend/src/playground/curl.js";
import { endOfLine, languageOf, resultName } from "../../frontend/src/playground/paths.js";
import { characters, units } from "../../frontend/src/playground/places.js";
import { credits, price } from "../../frontend/src/playground/prices.js";
import { Refusal, advice, mayPass } from "../../frontend/src/playground/refusals.js";
import { requestOf } from "../../frontend/src/playground/request.js";
import { begun, checked, ended } from "../../frontend/src/playground/words.js";
import { numberOf, secondsOf } from "../../frontend/src/tables.js";

const EXTENSIONS = { py: "python", pyi: "python", js: "javascript", yml: "yaml", yaml: "yaml" };

test("columns count code points, editors count units", () => {
  assert.deepEqual([1, 2, 3, 4, 9].map((column) => units("a😀b", column)), [0, 1, 3, 4, 4]);
  assert.deepEqual([1, 2].map((column) => units("", column)), [0, 0]);
  assert.deepEqual(["", "abc", "a😀b", "é"].map(characters), [0, 3, 3, 1]);
});

test("prices are those of the length", () => {
  const prices = { analyse: { flash: { full: 1, long: 2 }, pro: { full: 2, long: 3 } } };
  assert.equal(price(prices, "analyse", "flash", 20_000, 20_000), 1);
  assert.equal(price(prices, "analyse", "pro", 20_001, 20_000), 3);
  assert.deepEqual([0, 1, 2_000].map(credits), ["0 credits", "1 credit", "2,000 credits"]);
});

test("a shell reads back what was quoted", () => {
  for (const text of ["plain", "it's", "$HOME `id` \\ \"", "two\nlines", "'", "–€😀"]) {
    assert.equal(execFileSync("sh", ["-c", `printf %s ${quoted(text)}`], { encoding: "utf8" }), text);
  }
});

test("the command sends the same body and no key of anybody", () => {
  const fake = "curl() { while [ $# -gt 1 ]; do shift; done; printf %s \"$1\"; }";
  const body = { code: "print('it''s')\n# $PATH `id`\n", language: "python", model: "flash" };
  const told = command("https://example.org", "/api/v1/analyze/stream", body, "");
  assert.match(told, /"Authorization: Bearer \$CODEINTEL_API_KEY"/);
  const sent = execFileSync("sh", ["-c", `${fake}\n${told}`], { encoding: "utf8" });
  assert.deepEqual(JSON.parse(sent), body);
});

test("long code is read from its file", () => {
  const body = { code: "x\n".repeat(2_000), language: "python", model: "pro" };
  const told = command("https://example.org", "/p", body, "it's.py");
  assert.ok(told.length < 400);
  assert.match(told, /--rawfile code 'it'\\''s\.py'/);
  assert.match(told, /\{"language":"python","model":"pro",code:\$code\}/);
});

test("names tell languages, and languages name results", () => {
  const names = ["a.py", "a.PY", "dir.d/x.tar.js", "py", "a.", "a.zzz"];
  assert.deepEqual(names.map((name) => languageOf(name, EXTENSIONS)), ["python", "python", "javascript", "", "", ""]);
  assert.equal(resultName("", "python", EXTENSIONS, false), "code.py");
  assert.equal(resultName("", "cobol", EXTENSIONS, false), "code.txt");
  assert.equal(resultName("a.b.json", "yaml", EXTENSIONS, true), "a.b.yml");
  assert.equal(resultName("odd.name", "python", EXTENSIONS, false), "odd.name");
  assert.deepEqual(["a\r\nb", "a\nb\r\n", "a\rb", "a"].map(endOfLine), ["\r\n", "\n", "\r", "\n"]);
});

test("requests have what was filled in, and nothing else", () => {
  const form = { task: "analyse", code: "x", language: "", target: "go", words: "", model: "pro" };
  assert.deepEqual(requestOf(form, false), { path: "/api/v1/analyze/stream", body: { code: "x", model: "pro" } });
  assert.deepEqual(requestOf({ ...form, language: "python", words: "why" }, false).body, { code: "x", language: "python", prompt: "why", model: "pro" });
  const refactor = { ...form, task: "refactor", words: "short" };
  assert.deepEqual(requestOf(refactor, false), {
    path: "/api/v1/transform/stream",
    body: { code: "x", transformation: "refactor", instructions: "short", model: "pro" },
  });
  assert.equal(requestOf({ ...refactor, task: "convert" }, true).body.targetLanguage, "go");
});

test("errors say what to do next", () => {
  const addresses = { signIn: "/signin", account: "/account" };
  const told = (status, code, more) => advice(new Refusal(status, code, "So it is.", more), addresses);
  assert.equal(told(401, "unauthorized").action.href, "/signin");
  const poor = told(402, "insufficient_credits", { details: { price: 3, available: 1 } });
  assert.match(poor.text, /costs 3 credits\. You have 1 available/);
  assert.equal(poor.action.href, "/account");
  assert.equal(told(429, "rate_limit_exceeded", { wait: 30 }).wait, 30);
  assert.equal(told(503, "draining").wait, 5);
  assert.match(told(413, "payload_too_large").text, /100,000/);
  assert.equal(told(500, "internal_error").text, "So it is.");
  assert.match(advice(new TypeError("fetch"), addresses).text, /Check the network/);
  assert.deepEqual([401, 402, 429, 500, 503].map((status) => mayPass(new Refusal(status, "", ""))), [false, false, false, false, true]);
  assert.ok(mayPass(new TypeError("fetch")));
});

test("ends in words", () => {
  const result = { kind: "analysis", findings: [{}, {}] };
  const done = { type: "run.completed", creditsCharged: 1 };
  assert.equal(ended(done, result), "Done. 2 findings. 1 credit charged.");
  assert.equal(ended(done, { ...result, findings: [] }), "Done. No findings. 1 credit charged.");
  const changed = { kind: "transform", changed: true, verified: false, verdict: "checked" };
  assert.match(ended({ ...done, creditsCharged: 0 }, changed), /has changed\. Checked, not proven: .*\. Nothing was charged/);
  assert.match(ended(done, { ...changed, verified: true, verdict: "proven" }), /has changed\. Proven: the new code behaves/);
  assert.match(ended(done, { ...changed, verdict: undefined }), /See the list of checks/);
  assert.match(ended(done, { ...changed, changed: false }), /The code is unchanged/);
  assert.equal(ended({ type: "run.cancelled", message: "Why.", creditsCharged: 2 }, null), "Stopped. Why. 2 credits charged.");
  assert.match(begun({ engine: "static", model: "flash", creditsReserved: 0 }), /Nothing is charged/);
  assert.equal(checked({ name: "of_a_plugin", status: "failed" }).title, "of a plugin");
});

test("numbers and times of tables", () => {
  assert.deepEqual(["12", "1,024 credits", "-3", "2.5", "", "none"].map(numberOf), [12, 1024, -3, 2.5, null, null]);
  assert.equal(secondsOf("2026-01-02"), 1_767_312_000);
  assert.equal(secondsOf("soon"), null);
  assert.deepEqual([0, 59, 60, 7199, 200_000].map(lasting), ["less than a minute", "less than a minute", "1 minute", "1 hour", "2 days"]);
});
