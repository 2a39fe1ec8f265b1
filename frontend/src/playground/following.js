// Follow a run while it is in progress, over as many connections as needed.
import { mayPass, Refusal } from "./refusals.js";
import { events } from "./sse.js";

const WAITS_MS = [500, 1000, 2000, 4000, 8000];
const SILENT_MS = 40_000; // the service says something every 15 seconds
const ENDS = new Set(["run.completed", "run.incomplete", "run.failed", "run.cancelled"]);

/** Headers with the file's name and its workspace, for the pages of runs. */
const named = ({ file, workspace }) => ({
  ...(file ? { "X-Codeintel-File": encodeURIComponent(file) } : {}),
  ...(workspace ? { "X-Codeintel-Workspace": workspace } : {}),
});

/** @param start `{path, body, file, workspace}` of the request that starts the run, or nothing for a run that is
 * there. @param on `event(event)`, `state("connecting" | "live" | "waiting" | "lost" | "ended", why)`. */
export class Following {
  runId = "";
  last = 0;
  ended = false;
  #key = hex(16);
  #stop = null;
  #going = false;

  constructor(api, on, { start, runId = "" }) {
    Object.assign(this, { api, on, start, runId });
  }

  /** Follow until the end, and reconnect if the connection breaks. After some attempts, it waits
   * until this is called again. */
  async go() {
    if (this.#going || this.ended) return;
    this.#going = true;
    let failures = 0;
    while (!this.ended) {
      const before = this.last;
      try {
        this.on.state("connecting");
        await this.#read();
        if (this.ended) break;
        throw new Error("the stream has ended early");
      } catch (error) {
        if (this.ended) break;
        if (this.last > before) failures = 0;
        if (!mayPass(error) || failures === WAITS_MS.length) {
          this.#going = false;
          return this.on.state("lost", error);
        }
        this.on.state("waiting");
        await pause(Math.max(WAITS_MS[failures++], (error.wait ?? 0) * 1000));
      }
    }
    this.#going = false;
    this.on.state("ended");
  }

  /** Ask the service to stop the run. */
  async cancel() {
    if (this.runId) return this.api.data(`/api/v1/runs/${this.runId}/cancel`, { method: "POST" });
    this.ended = true;
    this.#stop?.abort();
    return null;
  }

  async #read() {
    this.#stop = new AbortController();
    const { signal } = this.#stop;
    let timer;
    const alive = () => {
      clearTimeout(timer);
      timer = setTimeout(() => this.#stop.abort(), SILENT_MS);
    };
    // Without a network, browsers keep a dead stream open.
    const offline = () => this.#stop.abort();
    addEventListener("offline", offline);
    try {
      alive();
      const answer = await this.#asked(signal);
      this.on.state("live");
      for await (const { data } of events(answer.body, alive)) this.#take(JSON.parse(data));
    } finally {
      clearTimeout(timer);
      removeEventListener("offline", offline);
    }
  }

  #asked(signal) {
    if (this.runId) {
      const headers = this.last ? { "Last-Event-ID": String(this.last) } : {};
      return this.api.ask(`/api/v1/runs/${this.runId}/events`, { headers, signal });
    }
    return this.api.ask(this.start.path, {
      method: "POST",
      headers: { "Content-Type": "application/json", "Idempotency-Key": this.#key, ...named(this.start) },
      body: JSON.stringify(this.start.body),
      signal,
    });
  }

  #take(event) {
    if (event.sequence <= this.last) return;
    this.last = event.sequence;
    this.runId ||= event.runId;
    this.ended = ENDS.has(event.type);
    this.on.event(event);
  }
}

export const isGone = (error) => error instanceof Refusal && error.status === 410;

/** Wait so long, or until there is a network again. */
function pause(milliseconds) {
  return new Promise((done) => {
    const go = () => {
      clearTimeout(timer);
      removeEventListener("online", go);
      done();
    };
    const timer = setTimeout(go, milliseconds);
    addEventListener("online", go);
  });
}

/** Random digits: `crypto.randomUUID` is only there with https. */
function hex(bytes) {
  return [...crypto.getRandomValues(new Uint8Array(bytes))].map((each) => each.toString(16).padStart(2, "0")).join("");
}
