// The output of a run, next to the editor.
import { coded, make, prose } from "../dom.js";
import { FindingList } from "../findings/list.js";
import { begun, checked, ended } from "./words.js";

export class Output {
  findings = [];
  result = null;
  summary = "";
  #waiting = 0;

  /** @param part finds an element of the page by its data attribute.
   * @param editor marks findings, has the `code` and shows places in it. @param rules titles of rules. */
  constructor(part, editor, rules) {
    Object.assign(this, { part, editor });
    this.list = new FindingList(part("finding-list"), {
      rules, level: 4, newTab: editor.newTab, code: () => editor.code, go: (range) => editor.go(range), see: (range) => editor.see(range),
    });
  }

  clear() {
    this.findings = [];
    this.result = null;
    this.summary = "";
    for (const name of ["summary", "findings", "checks", "problem"]) this.part(name).hidden = true;
    this.part("summary-text").textContent = "";
    this.list.clear();
    this.editor.mark([]);
  }

  say(text) {
    this.part("status").textContent = text;
  }

  take(event) {
    const take = {
      "run.created": () => this.say(begun(event)),
      progress: () => this.say(event.message),
      "output.delta": () => this.#summary(event.text),
      finding: () => this.#add(event.finding),
      verification: () => this.checks(event.checks, event.unchecked),
      result: () => this.#came(event.result),
    }[event.type];
    if (take) take();
    else if (event.type.startsWith("run.")) this.say(ended(event, this.result));
  }

  #summary(text) {
    this.part("summary").hidden = false;
    this.summary += text;
    this.part("summary-text").append(text);
  }

  #came(result) {
    this.result = result;
    if (result.kind === "analysis") this.#analysed(result);
    else this.checks(result.checks, result.unchecked, result.losses);
  }

  #analysed({ findings, summary, unchecked }) {
    if (!this.summary.trim()) this.#summary(summary);
    this.part("summary-text").replaceChildren(...prose(this.summary));
    this.#found(findings);
    const lines = unchecked ?? [];
    this.part("unchecked").replaceChildren(...lines.map((line) => make("li", {}, ...coded(line))));
  }

  /** Findings that arrive together are shown together. */
  #add(finding) {
    this.findings.push(finding);
    this.#waiting ||= requestAnimationFrame(() => this.#found(this.findings));
  }

  #found(findings) {
    cancelAnimationFrame(this.#waiting);
    this.#waiting = 0;
    this.findings = findings;
    this.part("findings").hidden = false;
    this.part("finding-count").textContent = findings.length ? String(findings.length) : "none";
    this.list.show(findings.map((finding) => ({ finding, path: "" })));
    this.editor.mark(findings);
  }

  checks(checks, unchecked = [], losses = []) {
    this.part("checks").hidden = false;
    const items = checks.map(checked).map(({ title, outcome, status, evidence, level }) =>
      make("li", { class: `check check-${status}` },
        make("p", { class: "check-title" }, `${title}: `, make("strong", {}, outcome), " ", make("span", { class: "check-level" }, level)),
        make("p", { class: "check-evidence" }, ...coded(evidence))));
    const more = [...losses.map((line) => `Not preserved: ${line}`), ...unchecked.map((line) => `Not checked: ${line}`)];
    items.push(...more.map((line) => make("li", { class: "check" }, make("p", { class: "check-evidence" }, ...coded(line)))));
    this.part("check-list").replaceChildren(...items);
  }
}
