// Analyzing and changing the open file: what is found goes into its gutter, and a change is shown
// before anybody accepts it.
import { Following, isGone } from "../playground/following.js";
import { Output } from "../playground/output.js";
import { offerTargets } from "../playground/form.js";
import { characters } from "../playground/places.js";
import { credits, price } from "../playground/prices.js";
import { showProblem } from "../playground/problem.js";
import { advice, Refusal } from "../playground/refusals.js";
import { requestOf } from "../playground/request.js";
import { verdict } from "../playground/words.js";
import { mark } from "./pane.js";
import { plain } from "../hidden.js";

import { showTrouble } from "./trouble.js";

export class Runs {
  #following = null;
  #about = null; // `{doc, code}` of the run

  /** @param on `doc()` the open file, `languageOf(path)`, `go(doc, from, to)`, `proposed(proposal)`. */
  constructor(part, service, rules, on) {
    Object.assign(this, { part, on, service, settings: service.settings, form: part("run-form") });
    const code = () => this.#code();
    this.output = new Output(part, {
      newTab: true, mark: (found) => this.#mark(found), go: (range) => this.#go(range), see: (range) => this.#go(range),
      get code() {
        return code();
      },
    }, rules);
    this.form.addEventListener("submit", (event) => {
      event.preventDefault();
      this.run();
    });
    this.form.addEventListener("input", () => this.update());
    part("stop").addEventListener("click", () => this.stop());
    part("resume").addEventListener("click", () => this.#following.go());
  }

  /** What is chosen, what it costs. */
  update() {
    if (this.part("runs").hidden) return; // on each key that is typed
    const { settings } = this;
    const { task, target, model } = this.form.elements;
    const chosen = settings.tasks[task.value];
    const doc = this.on.doc();
    this.part("target-row").hidden = !chosen.changesLanguage;
    if (chosen.changesLanguage) offerTargets(target, chosen.targets, doc ? this.on.languageOf(doc.path) : "");
    this.part("task-hint").textContent = chosen.summary;
    if (this.part("words-hint")) this.part("words-hint").textContent = chosen.words;
    const length = doc ? characters(doc.text) : 0;
    this.part("price").textContent = credits(price(settings.prices, task.value, model.value, length, settings.longer));
    this.part("run").textContent = doc ? `${task.selectedOptions[0].text} this file` : "No file is open";
    this.part("run").setAttribute("aria-disabled", String(!doc || this.isBusy));
  }

  get isBusy() {
    return !this.part("stop").hidden;
  }

  run() {
    const doc = this.on.doc();
    if (!doc || this.isBusy) return;
    const { task, target, words, model } = this.form.elements;
    const code = doc.text.slice(doc.layout.mark.length);
    const wrong = this.#wrong(code);
    this.output.clear();
    if (wrong) {
      showProblem(this.part("problem"), { text: wrong });
      return this.output.say("Not started.");
    }
    this.#about = { doc, code };
    this.on.proposed(null);
    const values = { task: task.value, code, language: this.on.languageOf(doc.path), target: target.value, words: words?.value.trim() ?? "", model: model.value };
    const on = { event: (event) => this.#take(event), state: (state, why) => this.#state(state, why) };
    const request = requestOf(values, this.settings.tasks[task.value].changesLanguage);
    const start = { ...request, file: `${this.settings.name ?? ""}${doc.path}`, workspace: this.settings.id };
    this.#following = new Following(this.service.api, on, { start });
    this.#following.go();
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

  #wrong(code) {
    if (!code.trim()) return "The file is empty.";
    const { most } = this.settings;
    const length = characters(code);
    const told = (count) => count.toLocaleString("en");
    return length > most ? `The file has ${told(length)} characters. The limit is ${told(most)}.` : "";
  }

  #take(event) {
    if (event.type === "run.created") {
      this.part("run-link").hidden = false;
      this.part("run-link").querySelector("a").href = this.settings.runs + event.runId;
    }
    this.output.take(event);
    if (event.type === "result" && event.result.kind === "transform") this.#changed(event.result);
  }

  #changed(result) {
    if (!result.changed) return;
    const { doc, code } = this.#about;
    this.on.proposed({ doc, before: code, after: result.code, languages: [result.sourceLanguage, result.language], verdict: verdict(result) });
  }

  #state(state, why) {
    const isBusy = ["connecting", "live", "waiting"].includes(state);
    const hadFocus = this.form.contains(document.activeElement);
    this.part("stop").hidden = !isBusy;
    const canResume = state === "lost" && Boolean(this.#following.runId);
    this.part("resume").hidden = !canResume;
    if (hadFocus && document.activeElement.hidden) this.part(canResume ? "resume" : "run").focus();
    this.part("problem").hidden = true;
    if (state === "connecting" && !this.#following.last) this.output.say(`Sending ${plain(this.#about.doc.path)}…`);
    if (state === "waiting") this.output.say("Reconnecting…");
    if (state === "lost") this.#problem(why);
    if (!isBusy) this.#credits();
    this.update();
  }

  async #problem(error) {
    if (isGone(error)) {
      const found = await this.service.api.data(`/api/v1/runs/${this.#following.runId}`);
      if (found.result) this.#take({ type: "result", result: found.result });
      return this.output.say(`The run is ${found.state}.`);
    }
    const again = () => (this.#following.runId ? this.#following.go() : this.run());
    if (error instanceof Refusal && error.status !== 401) showProblem(this.part("problem"), advice(error, this.settings), again);
    else showTrouble(this.part("problem"), error, this.settings);
    this.part("problem").querySelector("a")?.setAttribute("target", "_blank");
    return this.output.say("Not finished.");
  }

  async #credits() {
    try {
      const { credits: has, unlimited } = await this.service.api.data("/api/v1/account");
      if (!unlimited && this.part("available")) this.part("available").textContent = credits(has.available);
    } catch {
      // keep the number of credits that the page shows
    }
  }

  #mark(findings) {
    if (this.#about) mark(this.#about.doc, findings);
  }

  #code() {
    const { doc } = this.#about.doc.state;
    return { count: doc.lines, line: (number) => doc.line(number).text };
  }

  #go(range) {
    const { doc } = this.#about;
    const { from, to } = doc.place(range);
    this.on.go(doc, from, to);
  }
}
