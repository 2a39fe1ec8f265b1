// The page of a report. It shows the progress of an analysis, then reloads at its end.
import { Api } from "./playground/api.js";
import { showProblem } from "./playground/problem.js";
import { advice, mayPass } from "./playground/refusals.js";
import { events } from "./playground/sse.js";

const WAITS_MS = [1000, 2000, 4000, 8000, 15_000];
const SILENT_MS = 40_000; // the service says something every 15 seconds
const TITLES = { queued: "Waiting for analysis", running: "Being analyzed" };

const root = document.querySelector("[data-proof]");
if (root) start(root);

function start(page) {
  const part = (name) => page.querySelector(`[data-${name}]`);
  const { proof, token, csrf, signIn } = page.dataset;
  const api = new Api(token, csrf);
  const follow = async () => {
    part("problem").hidden = true;
    try {
      await followed(api, proof, (status) => show(part, status));
      location.reload();
    } catch (error) {
      part("plain").hidden = false;
      const told = advice(error, { signIn, account: "/account" });
      showProblem(part("problem"), { ...told, wait: told.wait || 1 }, follow);
    }
  };
  part("plain").hidden = true;
  follow();
}

/** Follow until the analysis has ended, connecting again where the connection breaks. */
async function followed(api, address, onStatus) {
  for (let failures = 0; ; failures++) {
    try {
      if (await read(api, address, (status) => ((failures = 0), onStatus(status)))) return;
      throw new Error("the stream has ended early");
    } catch (error) {
      if (!mayPass(error) || failures >= WAITS_MS.length) throw error;
      await new Promise((done) => setTimeout(done, WAITS_MS[failures]));
    }
  }
}

/** Read one stream; whether it told the end. */
async function read(api, address, onStatus) {
  const stop = new AbortController();
  let timer;
  const alive = () => {
    clearTimeout(timer);
    timer = setTimeout(() => stop.abort(), SILENT_MS);
  };
  try {
    alive();
    const answer = await api.ask(address, { signal: stop.signal });
    for await (const { data } of events(answer.body, alive)) {
      const status = JSON.parse(data);
      if (!(status.status in TITLES)) return true;
      onStatus(status);
    }
    return false;
  } finally {
    clearTimeout(timer);
  }
}

function show(part, { status, done, total, note, reason }) {
  const title = part("title");
  title.textContent = TITLES[status];
  title.className = `ws-proof ws-proof-${status}`;
  const progress = part("progress");
  progress.hidden = status === "queued" && Boolean(note);
  if (total) Object.assign(progress, { max: total, value: done ?? 0 });
  const told = total ? `${(done ?? 0).toLocaleString("en")} of ${total.toLocaleString("en")} files analyzed so far.` : (note ?? reason ?? "The analysis starts soon.");
  if (part("status").textContent !== told) say(part("status"), told);
}

const EVERY_MS = 3000;
const pending = new WeakMap();

/** Put a text into a live region, no more often than people can listen. */
function say(region, text) {
  const waiting = pending.get(region);
  if (waiting) return (waiting.text = text);
  region.textContent = text;
  const own = { text: null };
  pending.set(region, own);
  setTimeout(() => {
    pending.delete(region);
    if (own.text !== null) say(region, own.text);
  }, EVERY_MS);
}
