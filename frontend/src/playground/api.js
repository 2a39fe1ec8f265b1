// The API for the signed-in user. The token is valid for ten minutes and is renewed when it
// expires.
import { Refusal, refusalOf } from "./refusals.js";

const EARLY_MS = 30_000;

export class Api {
  #token = "";
  #ends = 0;

  /** @param source what the list of runs calls this program: `browser` or `editor`. */
  constructor(tokenAddress, csrf, source = "browser") {
    Object.assign(this, { tokenAddress, csrf, source });
  }

  /** The answer to a request; a token that is refused is replaced once.
   * @throws {Refusal} for any other answer than a good one. */
  async ask(path, { headers = {}, ...options } = {}) {
    for (let tries = 0; ; tries++) {
      const token = await this.#fresh(tries > 0);
      const answer = await fetch(path, { cache: "no-store", credentials: "omit", ...options, headers: { ...headers, "X-Codeintel-Source": this.source, Authorization: `Bearer ${token}` } });
      if (answer.ok) return answer;
      if (answer.status !== 401 || tries > 0) throw await refusalOf(answer);
    }
  }

  /** The `data` of an answer. */
  async data(path, options) {
    return (await (await this.ask(path, options)).json()).data;
  }

  /** The token, for requests whose answer is shown as it is. */
  token() {
    return this.#fresh(false);
  }

  async #fresh(always) {
    if (!always && Date.now() < this.#ends - EARLY_MS) return this.#token;
    const answer = await fetch(this.tokenAddress, { method: "POST", headers: { "X-CSRF-Token": this.csrf }, redirect: "manual" });
    if (answer.type === "opaqueredirect") throw new Refusal(401, "unauthorized", "The session has ended.");
    if (!answer.ok) throw await refusalOf(answer);
    const { token, expiresAt } = await answer.json();
    this.#token = token;
    this.#ends = Date.parse(expiresAt) || Date.now();
    return token;
  }
}
