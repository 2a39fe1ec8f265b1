// The editor of a workspace, as far as it needs no browser.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";

import { hits, literal } from "../../frontend/src/workspace/find.js";
import { plain } from "../../frontend/src/hidden.js";
import { foldersOf, pathProblem, ranked, treeOf } from "../../frontend/src/workspace/paths.js";
import { decoded, endsName, fitted, layout, stretchOf, whole } from "../../frontend/src/workspace/texts.js";
import { unzipped } from "../../frontend/src/workspace/zip.js";

const TEXTS = ["", "a", "a\n", "a\nb", "a\r\nb\r\n", "a\rb", "a\r\nb\nc\rd", "\ufeff", "\ufeffa\r\n", "\r\n", "\n\r", "\u2028\u0000"];

test("a text that is not edited is the same again", () => {
  for (const text of TEXTS) {
    const shown = layout(text);
    assert.equal(whole(shown, shown.shown), text);
    assert.equal(decoded(new TextEncoder().encode(text)), text);
  }
  assert.equal(decoded(new Uint8Array([0xff, 0x41])), null);
});

test("line ends are those of the file, and several stay as they are", () => {
  assert.deepEqual(TEXTS.map((text) => endsName(layout(text))), ["LF", "LF", "LF", "LF", "CRLF", "CR", "mixed line ends", "LF", "CRLF", "CRLF", "mixed line ends", "LF"]);
  assert.equal(whole(layout("a\r\nb"), "a\nnew\nb"), "a\r\nnew\r\nb");
  assert.equal(layout("a\r\nb\nc").shown, "a\r\nb\nc");
  assert.equal(fitted(layout("a\r\nb"), "x\r\ny\nz\r"), "x\ny\nz\n");
  assert.equal(fitted(layout("a\r\nb\n"), "x\r\ny\n"), "x\r\ny\n");
});

test("places of the service are found where line ends are several", () => {
  const text = "one\r\ntw😀o\nthree\rfour";
  const at = (startLine, startColumn, endLine, endColumn) => {
    const { from, to } = stretchOf(text, { startLine, startColumn, endLine, endColumn });
    return text.slice(from, to);
  };
  assert.deepEqual([at(1, 1, 1, 4), at(2, 3, 2, 5), at(3, 1, 3, 6), at(4, 1, 4, 99), at(4, 2, 4, 2), at(9, 1, 9, 1)], ["one", "😀o", "three", "four", "o", ""]);
});

test("paths become a tree, folders first, numbers in order", () => {
  const tree = treeOf(["/b/f10.txt", "/b/f9.txt", "/a.txt", "/b/c/d.txt"]);
  assert.deepEqual(tree.get("/").map(({ path }) => path), ["/b/", "/a.txt"]);
  assert.deepEqual(tree.get("/b/").map(({ name }) => name), ["c", "f9.txt", "f10.txt"]);
  assert.deepEqual(foldersOf("/b/c/d.txt"), ["/b/", "/b/c/"]);
  assert.deepEqual(foldersOf("/a.txt"), []);
});

test("files are found by some letters, the best first", () => {
  const paths = ["/src/shop/cart.py", "/src/carts/shop.py", "/docs/chart.md", "/cart.py"];
  assert.deepEqual(ranked(paths, "cart"), ["/cart.py", "/src/shop/cart.py", "/src/carts/shop.py", "/docs/chart.md"]);
  assert.deepEqual(ranked(paths, "ssc"), ["/src/shop/cart.py"]);
  assert.deepEqual(ranked(paths, "zz"), []);
  assert.equal(ranked(paths, "").length, 4);
});

test("new paths are looked at", () => {
  const known = ["/a/b.txt", "/c"];
  for (const wrong of ["a", "/", "/a//b", "/a/../b", "/A/B.txt", "/a/b.txt/c", "/a", "/c/d", ""]) {
    assert.ok(pathProblem(wrong, known), wrong);
  }
  for (const right of ["/d", "/a/c.txt", "/cc"]) assert.equal(pathProblem(right, known), "");
});

test("hidden characters are named", () => {
  assert.equal(plain("evil\u202efdp.exe"), "evil⟨U+202E⟩fdp.exe");
  assert.equal(plain("<b>&amp;é😀"), "<b>&amp;é😀");
  for (const hidden of "\u0000\u034f\u115f\u17b4\u180e\u2065\u206a\u2800\u3164\uffa0\ufff9\u{1d173}\u{e0041}\u{e0100}") {
    assert.match(plain(`a${hidden}b`), /^a⟨U\+[0-9A-F]{4,5}⟩b$/u);
  }
});

test("literal texts are found with their lines", () => {
  const text = "a.b\nA.B axb\n(a.b)";
  const found = (wanted, exact) => [...hits(text, literal(wanted, exact))].map(({ line, from, to }) => [line, text.slice(from, to)]);
  assert.deepEqual(found("a.b", true), [[1, "a.b"], [3, "a.b"]]);
  assert.deepEqual(found("a.b", false), [[1, "a.b"], [2, "A.B"], [3, "a.b"]]);
  for (const odd of ["(", "[a", "\\", "a|b", "$", "^", "{1}", "-", "/"]) assert.doesNotThrow(() => found(odd, true));
  const [{ before, hit, after }] = hits("  if x: go\n", literal("x", true));
  assert.deepEqual([before, hit, after], ["if ", "x", ": go"]);
});

test("archives of the service are read", async () => {
  const path = join(mkdtempSync(join(tmpdir(), "zip-")), "a.zip");
  const program = "import sys, zipfile\nwith zipfile.ZipFile(sys.argv[1], 'w') as a:\n a.writestr('é/a.txt', 'stored')\n a.writestr('b.txt', 'x' * 999, zipfile.ZIP_DEFLATED)";
  execFileSync("python3", ["-c", program, path]);
  const bytes = readFileSync(path);
  const files = [...unzipped(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength))];
  assert.deepEqual(files.map(({ name }) => name), ["é/a.txt", "b.txt"]);
  const texts = await Promise.all(files.map(async (file) => decoded(await file.bytes())));
  assert.deepEqual(texts, ["stored", "x".repeat(999)]);
  assert.throws(() => [...unzipped(new ArrayBuffer(40))], /no archive/);
});
