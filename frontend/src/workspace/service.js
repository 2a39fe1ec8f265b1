// The session in the API: its files at a revision, and new revisions.
import { Api } from "../playground/api.js";
import { Refusal } from "../playground/refusals.js";
import { decoded } from "./texts.js";
import { unzipped } from "./zip.js";

const RESERVED = "/.codeintel/";
const FEW = 6;

export class Service {
  #texts = new Map(); // by SHA-256: what was read once is there for searches
  #renewing = null;

  constructor(settings) {
    this.settings = settings;
    this.api = new Api(settings.token, settings.csrf, "editor");
    // What follows runs asks by itself.
    const ask = this.api.ask.bind(this.api);
    this.api.ask = (...request) => this.#again(() => ask(...request));
  }

  /** `{number, files}` of a revision, the newest for none; `files` are entries by path. */
  async revision(number) {
    const { session, revision, files } = await this.#json(number ? `?revision=${number}` : "");
    const own = files.filter(({ path }) => !path.startsWith(RESERVED));
    return { number: revision.number, newest: session.revision, files: new Map(own.map((entry) => [entry.path, entry])) };
  }

  /** The text of a file, null for what is no text.
   * @throws {Refusal} with status 404 where the revision has no such file. */
  async text(path, revision, sha256 = "") {
    if (this.#texts.has(sha256)) return this.#texts.get(sha256);
    const place = path.slice(1).split("/").map(encodeURIComponent).join("/");
    const answer = await this.api.ask(`${this.settings.api}/files/${place}?revision=${revision}`);
    const text = decoded(await answer.arrayBuffer());
    if (sha256) this.#texts.set(sha256, text);
    return text;
  }

  /** Return the texts of many files. Those that are not cached come as one archive. Calls
   * `told(done, all)` as they arrive. */
  async texts(entries, revision, told) {
    const missing = entries.filter(({ sha256 }) => !this.#texts.has(sha256));
    if (missing.length > FEW) await this.#unpack(new Map(missing.map((entry) => [entry.path, entry])), revision, told);
    else await Promise.all(missing.map(({ path, sha256 }) => this.text(path, revision, sha256)));
    return new Map(entries.map(({ path, sha256 }) => [path, this.#texts.get(sha256) ?? null]));
  }

  /** What has just been saved need not be read. */
  know({ files }, texts) {
    for (const [path, text] of Object.entries(texts)) {
      const entry = files.get(path);
      if (entry && text !== null) this.#texts.set(entry.sha256, text);
    }
  }

  /** Return the report on a revision.
   * @throws {Refusal} with status 404 if it has no report. */
  report(revision) {
    return this.#json(`/report?revision=${revision}`);
  }

  /** Make a revision of changes: `{revision, files}`. The key makes retries safe. */
  save(baseRevision, changes, key) {
    return this.#json("/revisions", {
      method: "POST",
      headers: { "Content-Type": "application/json", "Idempotency-Key": key },
      body: JSON.stringify({ baseRevision, changes, source: "online-editor" }),
    });
  }

  async #unpack(missing, revision, told) {
    const answer = await this.api.ask(`${this.settings.api}/archive.zip?revision=${revision}`);
    let done = 0;
    for (const { name, bytes } of unzipped(await answer.arrayBuffer())) {
      const entry = missing.get(`/${name.replace(/^\//, "")}`);
      if (!entry) continue;
      this.#texts.set(entry.sha256, decoded(await bytes()));
      told?.(++done, missing.size);
    }
  }

  async #json(path, options) {
    return (await this.api.ask(`${this.settings.api}${path}`, options)).json();
  }

  /** Send a request. If the session has ended and the user has signed in again since, repeat it with
   * the new session, which the page contains. */
  async #again(ask) {
    try {
      return await ask();
    } catch (error) {
      const isOver = error instanceof Refusal && [401, 403].includes(error.status) && error.code !== "insufficient_scope";
      if (!isOver) throw error;
      this.#renewing ??= this.#renew().finally(() => (this.#renewing = null));
      if (!(await this.#renewing)) throw new Refusal(401, "unauthorized", "Your session has ended.");
      return ask();
    }
  }

  async #renew() {
    const answer = await fetch(this.settings.here, { cache: "no-store", redirect: "manual" });
    if (!answer.ok) return false;
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    const found = JSON.parse(page.querySelector("[data-editor]")?.dataset.editor ?? "{}").csrf;
    const isNew = Boolean(found) && found !== this.api.csrf;
    if (isNew) this.api.csrf = found;
    return isNew;
  }
}
