// The command that does the same. The key is a variable: a command may be pasted anywhere.

const LONG = 1500;
const KEY = '-H "Authorization: Bearer $CODEINTEL_API_KEY"';

/** Text as one word of a POSIX shell. */
export const quoted = (text) => `'${text.replaceAll("'", `'\\''`)}'`;

/** The command for a request; code that is long is read from a file by jq. */
export function command(origin, path, body, file) {
  const call = `curl -N ${quoted(origin + path)} ${KEY} -H 'Content-Type: application/json'`;
  if (body.code.length <= LONG) return `${call} \\\n  --data-binary ${quoted(JSON.stringify(body))}`;
  const { code: _, ...others } = body;
  const name = quoted(file || "code.txt");
  return `jq -n --rawfile code ${name} ${quoted(`${JSON.stringify(others).slice(0, -1)},code:$code}`)} |\n  ${call} \\\n  --data-binary @-`;
}
