// The request that the form describes. No access to the page.

/** A mistake in the form. `field` is the name of the field, or `body` or `key`. */
export class Mistake extends Error {
  constructor(field, message) {
    super(message);
    this.field = field;
  }
}

/** The path with its query, the headers and the body of a request.
 * @param path of OpenAPI, such as `/api/v1/runs/{run_id}`
 * @param values list of `{name, place, value, required}`
 * @param body text of the field, or null for no body
 * @throws {Mistake} */
export function requestOf(path, values, body) {
  for (const { name, value, required } of values) {
    if (required && !value) throw new Mistake(name, `Enter a value for ${name}.`);
  }
  const headers = {};
  const query = new URLSearchParams();
  let address = path;
  for (const { name, place, value } of values.filter((each) => each.value)) {
    if (place === "path") address = address.replace(`{${name}}`, () => segments(name, value));
    else if (place === "query") query.set(name, value);
    else headers[name] = headerValue(name, value);
  }
  const text = [...query].length ? `${address}?${query}` : address;
  if (body === null || !body.trim()) return { address: text, headers, body: undefined };
  checkJson(body);
  return { address: text, headers: { ...headers, "Content-Type": "application/json" }, body };
}

/** A path parameter. Slashes stay, because files of workspaces have them. */
function segments(name, value) {
  const parts = value.replace(/^\/+/, "").split("/");
  // A browser would resolve these, even percent-encoded, and send the request to another operation.
  if (parts.some((each) => each === "." || each === "..")) throw new Mistake(name, `${name} must not have the parts . or ..`);
  return parts.map(encodeURIComponent).join("/");
}

function headerValue(name, value) {
  if (!/^[\x20-\x7e]*$/.test(value)) throw new Mistake(name, `${name} must be printable ASCII.`);
  return value;
}

function checkJson(text) {
  try {
    JSON.parse(text);
  } catch (error) {
    throw new Mistake("body", `The body is not JSON: ${error.message}`);
  }
}

/** A key as a header takes it. @throws {Mistake} */
export function bearer(key) {
  const text = key.trim();
  if (!text) throw new Mistake("key", "Enter an API key.");
  if (!/^[\x21-\x7e]+$/.test(text)) throw new Mistake("key", "An API key has only printable ASCII characters.");
  return `Bearer ${text}`;
}

/** Text as JSON with indents, or as it is. */
export function readable(text) {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}

/** What to do about an answer, by its status. Empty if the answer is good. */
export function adviceFor(status, credential, wait) {
  if (status === 401) return ADVICE_401[credential];
  if (status === 403 && credential === "key") return "The key has no scope for this operation. See the scopes on the overview.";
  if (status === 429) return wait ? `Too many requests. Try again in ${wait} seconds.` : "Too many requests. Try again later.";
  return "";
}

const ADVICE_401 = {
  key: "The API key is wrong, revoked or expired. Check the key, or create a new one.",
  session: "Your session has ended. Sign in again.",
  cookie: "Your session has ended. Sign in again.",
  none: "This operation needs a credential. Choose one above.",
};
