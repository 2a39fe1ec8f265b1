// Texts of files, exactly: what is saved differs from what was opened by what was edited alone.
import { units } from "../playground/places.js";

const MARK = "\ufeff";
const BREAK = /\r\n|\n|\r/g;

/** What the bytes of a file say; null for what is no UTF-8. */
export function decoded(bytes) {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return null;
  }
}

/** How a text is edited: `shown` without its byte order mark and with one kind of line end. `ends`
 * is the kind that all lines have. It is empty where they have several: carriage returns then stay
 * in the text, as characters that are shown. */
export function layout(text) {
  const mark = text.startsWith(MARK) ? MARK : "";
  const body = text.slice(mark.length);
  const kinds = new Set(body.match(BREAK));
  const ends = kinds.size > 1 ? "" : ([...kinds][0] ?? "\n");
  return { mark, ends, shown: ends ? body.replaceAll(ends, "\n") : body };
}

/** The text of a file whose editor shows this. */
export const whole = ({ mark, ends }, shown) => mark + (ends ? shown.replaceAll("\n", ends) : shown);

/** Another text, as an editor with this layout shows it. */
export const fitted = ({ ends }, text) => (ends ? text.replaceAll(BREAK, "\n") : text);

/** What to call the line ends of a file. */
export const endsName = ({ ends }) => ({ "\n": "LF", "\r\n": "CRLF", "\r": "CR" })[ends] ?? "mixed line ends";

/** The stretch `{from, to}` of a text that a range of the service is, where line ends are several. */
export function stretchOf(text, { startLine, startColumn, endLine, endColumn }) {
  const from = offset(text, startLine, startColumn);
  const to = Math.max(from, offset(text, endLine, endColumn));
  return { from, to: to === from ? Math.min(text.length, from + 1) : to };
}

function offset(text, line, column) {
  let start = 0;
  const ends = text.matchAll(BREAK);
  for (let at = 1; at < line; at++) {
    const { value, done } = ends.next();
    if (done) return text.length;
    start = value.index + value[0].length;
  }
  const { value } = ends.next();
  return start + units(text.slice(start, value?.index ?? text.length), column);
}
