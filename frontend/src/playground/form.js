// The form: the request, its price, and the same request as a command.
import { command } from "./curl.js";
import { characters } from "./places.js";
import { credits, price } from "./prices.js";
import { requestOf } from "./request.js";
import { terminalCommand } from "./terminal.js";

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

  /** The values of the form. */
  get values() {
    const { task, target, words, model } = this.element.elements;
    const code = this.read().replaceAll("\n", this.endOfLine);
    return { task: task.value, code, language: this.language, target: target?.value ?? "", words: words?.value.trim() ?? "", model: model.value };
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
    this.part("terminal-box").addEventListener("toggle", () => this.update());
    this.element.addEventListener("keydown", (event) => {
      if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey)) return;
      event.preventDefault();
      this.submit();
    });
    this.update();
  }

  /** Run what the form says, as its button does. */
  submit() {
    this.element.requestSubmit();
  }

  /** Why it cannot be run, empty if it can. */
  get wrong() {
    const { code } = this.values;
    const { most } = this.settings;
    if (!code.trim()) return "The editor is empty. Paste code, open a file, or choose an example.";
    const length = characters(code);
    const told = (count) => count.toLocaleString("en");
    if (length > most) return `The code has ${told(length)} characters. The limit is ${told(most)}.`;
    const { changesLanguage } = this.settings.tasks[this.values.task];
    return changesLanguage && !this.values.target ? "No installed engine converts code in this language. Choose another language or task." : "";
  }

  set model(name) {
    for (const radio of this.element.querySelectorAll("[name=model]")) radio.checked = radio.value === name;
  }

  update() {
    const { settings } = this;
    const task = settings.tasks[this.element.elements.task.value];
    if (this.part("target-row")) {
      this.part("target-row").hidden = !task.changesLanguage;
      offerTargets(this.element.elements.target, task.targets, this.language);
    }
    const { values } = this;
    if (this.part("words-hint")) this.part("words-hint").textContent = task.words;
    this.part("task-hint").textContent = task.summary;
    const length = characters(values.code);
    this.part("price").textContent = credits(price(settings.prices, values.task, values.model, length, settings.longer));
    this.part("length").textContent = `${length.toLocaleString("en")} of ${settings.most.toLocaleString("en")} characters`;
    if (this.part("terminal-box").open) {
      const { path, body } = this.request;
      this.part("command").textContent = terminalCommand(location.origin, values, task.changesLanguage, this.file);
      this.part("curl").textContent = command(location.origin, path, body, this.file);
    }
  }
}

/** Offer the languages that code in a language can be converted to; all of them while that is not
 * known. @param targets by language */
export function offerTargets(select, targets, language) {
  const able = language ? new Set(targets[language] ?? []) : new Set(Object.values(targets).flat());
  for (const option of select.options) option.hidden = option.disabled = !able.has(option.value);
  if (able.has(select.value)) return;
  select.value = [...select.options].find(({ value }) => able.has(value))?.value ?? "";
}
