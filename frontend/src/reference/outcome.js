// The answer to a request of the form: status, headers, and a body or the events of a stream.
import { make } from "../dom.js";
import { events } from "../playground/sse.js";
import { readable } from "./request.js";

const SHOWN_HEADERS = ["X-Request-Id", "X-Run-Id", "X-RateLimit-Limit", "X-RateLimit-Remaining", "X-RateLimit-Reset", "RateLimit", "RateLimit-Policy", "Retry-After", "Location", "ETag", "Content-Type"];
const MOST_CHARACTERS = 200_000;
const MOST_EVENTS = 500;
const TEXT = /^(?:text\/|application\/(?:[\w.-]+\+)?json)/;

export class Outcome {
  #address = "";

  constructor(part) {
    this.part = part;
  }

  say(text) {
    this.part("status").textContent = text;
  }

  /** Show the request and empty the rest. The credential is not shown. */
  begin(method, { address, body }, headers) {
    const lines = Object.entries(headers).map(([name, value]) => `${name}: ${name === "Authorization" ? "Bearer …" : value}`);
    this.part("sent").textContent = [`${method} ${address}`, ...lines, ...(body ? ["", body] : [])].join("\n");
    this.part("headers").replaceChildren();
    this.part("answer").textContent = "";
    this.part("events").replaceChildren();
    for (const name of ["advice", "body-panel", "download-line", "events"]) this.part(name).hidden = true;
    this.part("result").hidden = false;
    this.say("Sending…");
  }

  async show(answer, milliseconds, advice) {
    const status = `${answer.status} ${answer.statusText}`.trim();
    this.say(`${status} in ${Math.round(milliseconds)} ms`);
    this.part("advice").textContent = advice;
    this.part("advice").hidden = !advice;
    this.#headers(answer.headers);
    const type = answer.headers.get("Content-Type") ?? "";
    if (type.startsWith("text/event-stream")) await this.#stream(answer.body, status);
    else if (TEXT.test(type)) this.#text(await answer.text());
    else if (answer.status !== 204) this.#file(await answer.blob());
  }

  #headers(headers) {
    const found = SHOWN_HEADERS.filter((name) => headers.has(name));
    this.part("headers").replaceChildren(...found.flatMap((name) => [make("dt", {}, name), make("dd", {}, headers.get(name))]));
  }

  #text(text) {
    const shown = readable(text);
    const cut = shown.length > MOST_CHARACTERS;
    this.part("answer").textContent = cut ? `${shown.slice(0, MOST_CHARACTERS)}\n…` : shown;
    this.part("body-panel").hidden = !text;
    if (cut) this.#file(new Blob([text]));
  }

  #file(blob) {
    if (this.#address) URL.revokeObjectURL(this.#address);
    if (!blob.size) return;
    this.#address = URL.createObjectURL(blob);
    const link = this.part("download");
    link.href = this.#address;
    link.download = "answer";
    link.textContent = `Download the body (${blob.size.toLocaleString("en-US")} bytes)`;
    this.part("download-line").hidden = false;
  }

  async #stream(body, status) {
    const list = this.part("events");
    list.hidden = false;
    let count = 0;
    this.say(`${status}. Waiting for events…`);
    for await (const event of events(body)) {
      count++;
      if (count <= MOST_EVENTS) list.append(line(event));
      this.say(`${status}. ${count} event${count === 1 ? "" : "s"} so far`);
    }
    const more = count > MOST_EVENTS ? `, the first ${MOST_EVENTS} shown` : "";
    this.say(`${status}. ${count} event${count === 1 ? "" : "s"}${more}. The stream has ended.`);
  }
}

function line({ id, type, data }) {
  const title = [id, type ?? "message"].filter(Boolean).join(" ");
  return make("li", {}, make("details", {}, make("summary", {}, title), make("pre", { tabindex: "0", role: "region", "aria-label": `Data of event ${title}` }, readable(data))));
}
