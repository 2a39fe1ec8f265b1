// Literal search in texts.

const SYNTAX = /[\^$.*+?()[\]{}|/\\]/g;
const AROUND = 60;

/** The expression for a literal text. */
export const literal = (text, isCaseSensitive) => new RegExp(text.replace(SYNTAX, "\\$&"), isCaseSensitive ? "gu" : "giu");

/** Where a text has it: `{line, from, to, before, hit, after}` with offsets of the text and the rest
 * of the line, shortened. */
export function* hits(text, wanted) {
  let line = 1;
  let start = 0; // of the line
  let next = text.indexOf("\n");
  for (const found of text.matchAll(wanted)) {
    if (!found[0]) return;
    while (next >= 0 && next < found.index) {
      line++;
      start = next + 1;
      next = text.indexOf("\n", start);
    }
    const to = found.index + found[0].length;
    const end = text.indexOf("\n", to);
    yield {
      line,
      from: found.index,
      to,
      before: text.slice(Math.max(start, found.index - AROUND), found.index).trimStart(),
      hit: found[0],
      after: text.slice(to, Math.min(end < 0 ? text.length : end, to + AROUND)),
    };
  }
}
