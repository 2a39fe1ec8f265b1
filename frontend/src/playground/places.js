// Places in code. The service counts lines and columns from 1, columns in code points; editors count
// UTF-16 units from 0.

/** Units of a line before a column; a column behind the end is the end. */
export function units(line, column) {
  let at = 0;
  for (let left = column - 1; left > 0 && at < line.length; left--) {
    at += line.codePointAt(at) > 0xffff ? 2 : 1;
  }
  return at;
}

/** The stretch `{from, to}` of a document that a range is; at least one unit where there is one. */
export function stretch(doc, range) {
  const from = position(doc, range.startLine, range.startColumn);
  const to = Math.max(from, position(doc, range.endLine, range.endColumn));
  return { from, to: to === from ? Math.min(doc.length, from + 1) : to };
}

function position(doc, line, column) {
  const found = doc.line(Math.min(Math.max(line, 1), doc.lines));
  return line > doc.lines ? doc.length : found.from + units(found.text, column);
}

/** How many code points a text has: what lengths and prices count. */
export function characters(text) {
  let count = 0;
  for (const _ of text) count++;
  return count;
}
