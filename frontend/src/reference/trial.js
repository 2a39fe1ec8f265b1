// The form that sends a request to an operation. A key is read when the request is sent, and is stored
// nowhere. All requests go to this origin.
import { Api } from "../playground/api.js";
import { Refusal } from "../playground/refusals.js";
import { Outcome } from "./outcome.js";
import { Mistake, adviceFor, bearer, requestOf } from "./request.js";

export class Trial {
  #running = null;

  constructor(section) {
    const { method, path, token, csrf } = section.dataset;
    this.part = (name) => section.querySelector(`[data-${name}]`);
    Object.assign(this, { section, method, path, form: section.querySelector("form") });
    this.api = token && new Api(token, csrf);
    this.outcome = new Outcome(this.part);
    this.form.addEventListener("submit", (event) => {
      event.preventDefault();
      this.#send();
    });
    this.form.addEventListener("change", () => this.#showKey());
    this.part("stop").addEventListener("click", () => this.#running?.abort());
    this.#showKey();
    section.hidden = false;
  }

  get #credential() {
    return this.form.elements.credential.value;
  }

  #showKey() {
    const field = this.part("key-field");
    if (field) field.hidden = this.#credential !== "key";
  }

  async #send() {
    if (this.#running) return;
    this.#wrong(null);
    const running = (this.#running = new AbortController());
    this.part("send").disabled = true;
    try {
      const request = this.#request();
      const credential = this.#credential;
      const headers = { ...request.headers, ...(await this.#authorization(credential)) };
      this.part("stop").hidden = false;
      const started = performance.now();
      this.outcome.begin(this.method, request, headers);
      const answer = await fetch(request.address, {
        method: this.method,
        headers,
        body: request.body,
        cache: "no-store",
        credentials: credential === "cookie" ? "same-origin" : "omit",
        redirect: "error",
        signal: running.signal,
      });
      const advice = adviceFor(answer.status, credential, Number(answer.headers.get("Retry-After")) || 0);
      await this.outcome.show(answer, performance.now() - started, advice);
    } catch (error) {
      this.#failed(error);
    } finally {
      this.#running = null;
      this.part("send").disabled = false;
      this.part("stop").hidden = true;
    }
  }

  #request() {
    const values = [...this.form.querySelectorAll("[data-place]")].map((field) => ({
      name: field.dataset.name,
      place: field.dataset.place,
      value: field.value,
      required: field.required,
    }));
    return requestOf(this.path, values, this.part("body")?.value ?? null);
  }

  async #authorization(credential) {
    if (credential === "key") return { Authorization: bearer(this.part("key").value) };
    if (credential === "session") return { Authorization: `Bearer ${await this.api.token()}` };
    return {};
  }

  #failed(error) {
    if (error instanceof Mistake) return this.#wrong(error);
    if (error.name === "AbortError") return this.outcome.say("Stopped.");
    const text = error instanceof Refusal ? adviceFor(error.status, "session") || error.message : "The service did not answer. Check the network, then send the request again.";
    this.outcome.say("");
    this.#wrong(new Mistake("", text));
  }

  #wrong(mistake) {
    const box = this.part("wrong");
    box.hidden = !mistake;
    box.textContent = mistake?.message ?? "";
    for (const field of this.form.querySelectorAll("[aria-invalid]")) field.removeAttribute("aria-invalid");
    const field = mistake && this.#field(mistake.field);
    if (!field) return;
    field.setAttribute("aria-invalid", "true");
    field.focus();
  }

  #field(name) {
    if (name === "body" || name === "key") return this.part(name);
    return [...this.form.querySelectorAll("[data-place]")].find((each) => each.dataset.name === name);
  }
}
