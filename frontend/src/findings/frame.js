// Code frames and fixes as diffs. `code` is `{count, line(number)}`; lines count from 1.
import { units } from "../playground/places.js";

const AROUND = 2;
const MOST_MARKED = 6;
const MOST_CHARACTERS = 200;
const BEFORE = 60;

/** The lines around a range as `{number, isMarked, before, marked, after}`; none where the code has
 * no such line. */
export function frame(code, range) {
  const { startLine, endLine, endColumn } = range;
  if (!code || startLine > code.count) return [];
  const last = Math.max(startLine, endLine - (endColumn === 1 && endLine > startLine ? 1 : 0));
  const end = Math.min(code.count, Math.min(last, startLine + MOST_MARKED - 1) + AROUND);
  const lines = [];
  for (let number = Math.max(1, startLine - AROUND); number <= end; number++) {
    lines.push(frameLine(code.line(number), number, range, last));
  }
  return lines;
}

function frameLine(text, number, { startLine, startColumn, endLine, endColumn }, last) {
  if (number < startLine || number > last) return { number, isMarked: false, before: cut(text), marked: "", after: "" };
  const from = number === startLine ? units(text, startColumn) : 0;
  const to = number === endLine ? units(text, endColumn) : text.length;
  const start = Math.max(from, text.length - text.trimStart().length);
  const [before, marked, after] = [text.slice(0, start), text.slice(start, Math.max(start, to)), text.slice(Math.max(start, to))];
  if (text.length <= MOST_CHARACTERS) return { number, isMarked: true, before, marked, after };
  const head = before.length > BEFORE ? `…${before.slice(-BEFORE)}` : before;
  const body = cut(marked);
  return { number, isMarked: true, before: head, marked: body, after: cut(after, Math.max(0, MOST_CHARACTERS - head.length - body.length)) };
}

const cut = (text, most = MOST_CHARACTERS) => (text.length > most ? `${text.slice(0, most)}…` : text);

/** The lines of a fix as `[kind, text]`, kinds as in the styles; without the code what is added. */
export function fixLines(code, edits) {
  if (!edits?.length) return [];
  const last = Math.max(...edits.map(({ range }) => range.endLine));
  if (!code || last > code.count) return edits.flatMap(added);
  const sorted = [...edits].sort((a, b) => a.range.startLine - b.range.startLine || a.range.startColumn - b.range.startColumn);
  const blocks = [];
  for (const edit of sorted) {
    const block = blocks.at(-1);
    if (block && edit.range.startLine <= block.last + 1) {
      block.edits.push(edit);
      block.last = Math.max(block.last, edit.range.endLine);
    } else blocks.push({ first: edit.range.startLine, last: edit.range.endLine, edits: [edit] });
  }
  return blocks.flatMap((block) => hunk(code, block));
}

function hunk(code, { first, last, edits }) {
  const before = [];
  for (let number = first; number <= last; number++) before.push(code.line(number));
  let text = before.join("\n");
  const offset = (line, column) => before.slice(0, line - first).reduce((sum, each) => sum + each.length + 1, 0) + units(code.line(line), column);
  for (const { range, content } of [...edits].reverse()) {
    text = text.slice(0, offset(range.startLine, range.startColumn)) + content + text.slice(offset(range.endLine, range.endColumn));
  }
  const after = text === "" && before.length ? [] : text.split("\n");
  const context = (number) => (number >= 1 && number <= code.count ? [["kept", ` ${cut(code.line(number))}`]] : []);
  return [
    ["place", `@@ line ${first.toLocaleString("en")} @@`],
    ...context(first - 1),
    ...before.map((line) => ["removed", `-${cut(line)}`]),
    ...after.map((line) => ["added", `+${cut(line)}`]),
    ...context(last + 1),
  ];
}

function added({ range, content }) {
  const { startLine, startColumn } = range;
  return [["place", `Line ${startLine.toLocaleString("en")}, column ${startColumn.toLocaleString("en")}`], ...content.split("\n").filter(Boolean).map((line) => ["added", `+${cut(line)}`])];
}
