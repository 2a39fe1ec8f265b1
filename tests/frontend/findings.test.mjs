// Findings as the front end shows them: frames, fixes, filters, groups, and commands.
import assert from "node:assert/strict";
import { createHmac } from "node:crypto";
import { test } from "node:test";

import { compared, keep, kept } from "../../frontend/src/findings/chosen.js";
import { fixLines, frame } from "../../frontend/src/findings/frame.js";
import { counts, sorted, worstFirst } from "../../frontend/src/findings/sorting.js";
import { terminalCommand } from "../../frontend/src/playground/terminal.js";

const LINES = ["def find(request):", "    owner = request.args['owner']", "    query = 'SELECT ' + owner", "    db.execute(query)", "    return None"];
const CODE = { count: LINES.length, line: (number) => LINES[number - 1] };
const range = (startLine, startColumn, endLine, endColumn) => ({ startLine, startColumn, endLine, endColumn });

test("a frame marks the line and its place", () => {
  const shown = frame(CODE, range(4, 5, 4, 22));
  assert.deepEqual(shown.map(({ number }) => number), [2, 3, 4, 5]);
  assert.deepEqual(shown.filter(({ isMarked }) => isMarked), [{ number: 4, isMarked: true, before: "    ", marked: "db.execute(query)", after: "" }]);
  assert.deepEqual(frame(CODE, range(1, 1, 2, 1)).filter(({ isMarked }) => isMarked).map(({ number }) => number), [1]);
  assert.deepEqual([frame(CODE, range(6, 1, 6, 2)), frame(null, range(1, 1, 1, 2))], [[], []]);
  const long = { count: 1, line: () => `${"x".repeat(5000)}evil()${"y".repeat(5000)}` };
  const [line] = frame(long, range(1, 5001, 1, 5007));
  assert.equal(line.marked, "evil()");
  assert.ok((line.before + line.after).length < 220);
});

test("a fix is a diff, or what it adds where the code is not known", () => {
  const edits = [{ range: range(4, 16, 4, 21), content: "query, [owner]" }, { range: range(3, 13, 3, 30), content: "'SELECT ?'" }];
  assert.deepEqual(fixLines(CODE, edits).slice(1), [
    ["kept", "     owner = request.args['owner']"],
    ["removed", "-    query = 'SELECT ' + owner"],
    ["removed", "-    db.execute(query)"],
    ["added", "+    query = 'SELECT ?'"],
    ["added", "+    db.execute(query, [owner])"],
    ["kept", "     return None"],
  ]);
  assert.deepEqual(fixLines(null, [edits[0]]), [["place", "Line 4, column 16"], ["added", "+query, [owner]"]]);
  assert.deepEqual(fixLines(CODE, []), []);
});

const found = (line, severity, confidence = "high", ruleId = "sql", path = "") => ({
  path, finding: { severity, confidence, ruleId, engine: "taint", category: "security", range: range(line, 1, line, 2) },
});

test("findings are grouped by rule, the worst first, low confidence folded away", () => {
  const all = [found(9, "low"), found(3, "medium", "high", "xss"), found(2, "critical", "high", "exec"), found(5, "high"), found(1, "critical", "low")];
  const { groups, folded, unsure, total } = sorted(all, {});
  assert.deepEqual(groups.map((group) => group.map(({ finding }) => finding.range.startLine)), [[2], [5, 9], [3]]);
  assert.deepEqual([folded.length, unsure, total], [1, 1, 5]);
  const asked = sorted(all, { confidence: "low" });
  assert.deepEqual([asked.groups.length, asked.unsure, asked.total], [1, 0, 1]);
  assert.deepEqual(counts(all, { severity: "low" }, "severity"), [["critical", 2], ["high", 1], ["medium", 1], ["low", 1]]);
  assert.deepEqual(counts(all, { severity: "critical" }, "rule"), [["exec", 1], ["taint/sql", 1]].map(([rule, count]) => [rule.includes("/") ? rule : `taint/${rule}`, count]));
  assert.equal(worstFirst([found(4, "high", "high", "a", "/b"), found(4, "high", "high", "a", "/a")])[0].path, "/a");
});

test("the command of a terminal is that of the form", () => {
  const form = { task: "analyse", language: "python", target: "go", words: "", model: "pro" };
  const last = (...values) => terminalCommand("https://example.org", ...values).split("\n")[1];
  assert.equal(last(form, false, ""), "codeintel analyze FILE --language python --model pro");
  assert.equal(last({ ...form, model: "flash" }, false, "it's.py"), "codeintel analyze 'it'\\''s.py'");
  assert.equal(last({ ...form, task: "convert", words: "be brief" }, true, "a.json"), "codeintel transform a.json --to convert --target go --instructions 'be brief' --model pro");
});

const CHOSEN = "import os\nos.system('grüße')\n";
const signed = (key, text) => createHmac("sha256", Buffer.from(key, "hex")).update(text).digest("hex");

test("a file is compared with the digest of a run, whatever its line ends", async () => {
  const key = "0f".repeat(32);
  const run = { key, digest: signed(key, CHOSEN), characters: [...CHOSEN].length };
  assert.equal(await compared(run, CHOSEN), "same");
  assert.equal(await compared(run, CHOSEN.replaceAll("\n", "\r\n")), "same");
  assert.equal(await compared({ ...run, digest: signed(key, CHOSEN.replaceAll("\n", "\r\n")) }, CHOSEN), "same");
  assert.equal(await compared(run, CHOSEN.replace("ß", "s")), "different");
  assert.equal(await compared({ ...run, key: "1f".repeat(32) }, CHOSEN), "different");
  assert.equal(await compared({ ...run, digest: "" }, CHOSEN.replace("ß", "s")), "alike");
  assert.equal(await compared({ ...run, digest: "" }, `${CHOSEN} `), "different");
});

test("a tab keeps the code of the last runs that it has started", () => {
  assert.equal(kept("run_1"), null); // no storage
  keep("run_1", "x");
  const stored = new Map();
  globalThis.sessionStorage = { getItem: (name) => stored.get(name) ?? null, setItem: (name, value) => stored.set(name, value) };
  for (const number of [1, 2, 3, 4, 5, 6, 2]) keep(`run_${number}`, `code ${number}`);
  assert.deepEqual([1, 2, 3, 6].map((number) => kept(`run_${number}`)), [null, "code 2", "code 3", "code 6"]);
  delete globalThis.sessionStorage;
});
