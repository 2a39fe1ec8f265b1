// A run from the button to its end.
import { keep } from "../findings/chosen.js";
import { Following, isGone } from "./following.js";
import { resultName } from "./paths.js";
import { credits } from "./prices.js";
import { showProblem } from "./problem.js";
import { advice } from "./refusals.js";

export class Session {
  #following = null;

  constructor(parts) {
    Object.assign(this, parts);
    this.part("stop").addEventListener("click", () => this.stop());
    this.part("resume").addEventListener("click", () => this.#go());
  }

  /** Start the run that the form describes, unless one is in progress. */
  run() {
    if (this.#isBusy) return;
    this.output.clear();
    this.change.clear();
    this.part("run-link").hidden = true;
    if (this.form.wrong) return this.refuse(this.form.wrong);
    this.sent = { ...this.form.values, file: this.form.file };
    const on = { event: (event) => this.#take(event), state: (state, why) => this.#state(state, why) };
    this.#following = new Following(this.api, on, { start: { ...this.form.request, file: this.form.file } });
    this.#go();
  }

  async stop() {
    this.output.say("Stopping…");
    try {
      await this.#following.cancel();
      if (!this.#following.runId) this.#state("ended");
    } catch (error) {
      this.#problem(error);
    }
  }

  refuse(text) {
    showProblem(this.part("problem"), { text });
    this.output.say("Not started.");
  }

  get #isBusy() {
    return this.part("run").getAttribute("aria-disabled") === "true";
  }

  #go() {
    this.part("problem").hidden = true;
    this.#following.go();
  }

  #take(event) {
    if (event.type === "run.created") {
      const link = this.part("run-link");
      link.hidden = false;
      link.querySelector("a").href = this.settings.runs + event.runId;
      this.part("run-address").textContent = link.querySelector("a").href;
      keep(event.runId, this.sent.code);
    }
    this.output.take(event);
    if (event.type === "result" && event.result.kind === "transform") this.#changed(event.result);
    if (event.type === "result" && event.result.language && !this.form.language) this.editor.speak(event.result.language);
  }

  #changed({ code, language, sourceLanguage, changed }) {
    if (!changed) return;
    const name = resultName(this.sent.file, language, this.settings.extensions, language !== sourceLanguage);
    this.change.show({ before: this.sent.code, after: code, languages: [sourceLanguage, language], name });
  }

  #state(state, why) {
    const isBusy = ["connecting", "live", "waiting"].includes(state);
    const focused = document.activeElement;
    this.part("run").setAttribute("aria-disabled", String(isBusy));
    this.part("out").classList.toggle("pg-busy", isBusy);
    this.part("stop").hidden = !isBusy;
    const canResume = state === "lost" && Boolean(this.#following.runId);
    this.part("resume").hidden = !canResume;
    if (focused?.hidden) (canResume ? this.part("resume") : this.part("run")).focus();
    if (state === "waiting") this.output.say("Reconnecting…");
    if (state === "connecting" && !this.#following.last) this.output.say("Sending…");
    if (state === "live" && this.#following.last) this.output.say("Reconnected.");
    if (state === "lost") this.#problem(why);
    if (state === "ended" || state === "lost") this.#credits();
  }

  async #problem(error) {
    if (isGone(error)) return this.#fetched();
    const told = advice(error, this.settings);
    const again = () => (this.#following.runId ? this.#go() : this.run());
    showProblem(this.part("problem"), told, again);
    this.output.say("Not finished.");
  }

  /** Show the result of a run whose events have expired. */
  async #fetched() {
    const found = await this.api.data(`/api/v1/runs/${this.#following.runId}`);
    if (found.result) this.#take({ type: "result", result: found.result });
    this.output.say(`The run is ${found.state}.`);
    this.part("resume").hidden = true;
  }

  async #credits() {
    try {
      const { credits: has, unlimited } = await this.api.data("/api/v1/account");
      if (!unlimited) this.part("available").textContent = credits(has.available);
    } catch {
      // keep the number of credits that the page shows
    }
  }
}
