// The code of a run, which the service does not store: kept by the tab that started the run, or
// chosen by the user and compared with the run's digest.
import { characters } from "../playground/places.js";

const NAME = "codeintel-code-of-runs";
const MOST_RUNS = 5;

/** Keep the code of a run for as long as the tab is open. */
export function keep(run, code) {
  try {
    const others = read().filter((each) => each.run !== run);
    sessionStorage.setItem(NAME, JSON.stringify([{ run, code }, ...others].slice(0, MOST_RUNS)));
  } catch {
    // no storage, or too little: the user can choose the file
  }
}

/** The code of a run that this tab has started, or null. */
export function kept(run) {
  try {
    return read().find((each) => each.run === run)?.code ?? null;
  } catch {
    return null;
  }
}

const read = () => JSON.parse(sessionStorage.getItem(NAME) ?? "[]");

/** Compare a text with the code of a run: `same`, `different`, or `alike` if only its length could be
 * compared, because the run has no digest or the page is not served over HTTPS. Line ends may differ.
 * @param run `{key, digest, characters}` */
export async function compared({ key, digest, characters: length }, text) {
  const flat = text.replace(/\r\n?/g, "\n");
  const forms = [...new Set([text, flat, flat.replaceAll("\n", "\r\n")])];
  if (!digest || !globalThis.crypto?.subtle) return forms.some((each) => characters(each) === length) ? "alike" : "different";
  const algorithm = { name: "HMAC", hash: "SHA-256" };
  const secret = await crypto.subtle.importKey("raw", bytes(key), algorithm, false, ["sign"]);
  for (const each of forms) {
    const signed = await crypto.subtle.sign("HMAC", secret, new TextEncoder().encode(each));
    if (hex(new Uint8Array(signed)) === digest) return "same";
  }
  return "different";
}

const bytes = (text) => Uint8Array.from(text.match(/../g), (pair) => Number.parseInt(pair, 16));
const hex = (data) => Array.from(data, (byte) => byte.toString(16).padStart(2, "0")).join("");
