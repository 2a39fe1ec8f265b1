// The form: what is asked for, what it costs, and the same as a command.
import { command } from "./curl.js";
import { characters } from "./places.js";
import { credits, price } from "./prices.js";
import { requestOf } from "./request.js";

export class Form {
  file = "";
  endOfLine = "\n";
  read = () => this.area.value;
  onLanguage = () => {};

  constructor(element, part, settings) {
    Object.assign(this, { element, part, settings });
    this.area = element.elements.code;
    this.csrf = element.elements.csrf?.value ?? "";
  }

  get language() {
    return this.element.elements.language.value;
  }

  set language(name) {
    const { language } = this.element.elements;
    language.value = [...language.options].some((option) => option.value === name) ? name : "";
  }

  /** What is asked for. */
  get values() {
    const { task, target, words, model } = this.element.elements;
    const code = this.read().replaceAll("\n", this.endOfLine);
    return { task: task.value, code, language: this.language, target: target.value, words: words.value.trim(), model: model.value };
  }

  get request() {
    return { ...requestOf(this.values, this.settings.tasks[this.values.task].changesLanguage), file: this.file };
  }

  start(run) {
    const { elements } = this.element;
    this.element.addEventListener("submit", (event) => {
      event.preventDefault();
      if (this.settings.signedIn) run();
    });
    this.element.addEventListener("input", () => this.update());
    elements.language.addEventListener("change", () => this.onLanguage(this.language));
    this.part("curl-box").addEventListener("toggle", () => this.update());
    this.update();
  }

  /** Why it cannot be run, empty if it can. */
  get wrong() {
    const { code } = this.values;
    const { most } = this.settings;
    if (!code.trim()) return "There is no code yet: paste some, or open a file.";
    const length = characters(code);
    const told = (count) => count.toLocaleString("en");
    return length > most ? `The code has ${told(length)} characters: ${told(most)} at most.` : "";
  }

  update() {
    const { settings, values } = this;
    const task = settings.tasks[values.task];
    this.part("target-row").hidden = !task.changesLanguage;
    this.part("words-hint").textContent = task.words;
    this.part("task-hint").textContent = task.summary;
    const length = characters(values.code);
    this.part("price").textContent = credits(price(settings.prices, values.task, values.model, length, settings.longer));
    this.part("length").textContent = `${length.toLocaleString("en")} of ${settings.most.toLocaleString("en")} characters`;
    if (this.part("curl-box").open) {
      const { path, body } = this.request;
      this.part("curl").textContent = command(location.origin, path, body, this.file);
    }
  }
}
