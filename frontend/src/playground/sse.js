// Server-sent events out of a body that is read piece by piece.

const BREAK = /\r\n|\n|\r/;

/** The events of a body: `{id, type, data}`. Comments are left out; so is an event without an end.
 * `onAlive` is called for each piece that comes, of events or of comments. */
export async function* events(body, onAlive = () => {}) {
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = "";
  let fields = {};
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      onAlive();
      // A carriage return at the end may be half of a line's end.
      const whole = rest + value;
      const held = whole.endsWith("\r") ? 1 : 0;
      const lines = whole.slice(0, whole.length - held).split(BREAK);
      rest = lines.pop() + (held ? "\r" : "");
      for (const line of lines) {
        if (line !== "") add(fields, line);
        else {
          if (fields.data !== undefined) yield { id: fields.id, type: fields.event, data: fields.data };
          fields = {};
        }
      }
    }
  } finally {
    await reader.cancel().catch(() => {});
  }
}

function add(fields, line) {
  const colon = line.indexOf(":");
  if (colon === 0) return;
  const name = colon < 0 ? line : line.slice(0, colon);
  const value = colon < 0 ? "" : line.slice(colon + 1).replace(/^ /, "");
  fields[name] = name === "data" && fields.data !== undefined ? `${fields.data}\n${value}` : value;
}
