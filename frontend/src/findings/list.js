// A list of findings with counters, filters and groups, as the service's own pages have it.
import { make } from "../dom.js";
import { plain } from "../hidden.js";
import { capital, item } from "./item.js";
import { counts, ruleOf, sorted } from "./sorting.js";

const MOST_OPEN = 10;
const MOST_SHOWN = 200;
const TITLES = { confidence: "Confidence", category: "Category", rule: "Rule", path: "File" };
const NO_FILTERS = { severity: "", confidence: "", category: "", rule: "", path: "" };
const counted = (count) => `${count.toLocaleString("en")} finding${count === 1 ? "" : "s"}`;
let lists = 0;

export class FindingList {
  #all = [];
  #filters = { ...NO_FILTERS };
  #opened = new Map(); // by finding: whether the user opened or closed it
  #isUnfolded = false;
  #id = `findings-${++lists}`;

  /** @param context see `item`; `rules` are titles of rules; `level` is that of headings. */
  constructor(box, context) {
    Object.assign(this, { box, context: { ...context, rule: (finding) => context.rules.of(finding) }, rules: context.rules });
    this.level = context.level ?? 4;
    this.top = box.appendChild(make("div"));
    this.rows = box.appendChild(make("div"));
  }

  /** Show findings: `{finding, path}` each. */
  show(all) {
    this.#all = all;
    for (const name of Object.keys(this.#filters)) {
      const has = counts(all, { ...NO_FILTERS }, name).some(([value]) => value === this.#filters[name]);
      if (!has) this.#filters[name] = "";
    }
    this.#draw();
    this.rules.learn(all.map(({ finding }) => finding)).then((isNew) => isNew && this.#draw());
  }

  clear() {
    this.#opened.clear();
    this.#filters = { ...NO_FILTERS };
    this.#isUnfolded = false;
    this.show([]);
  }

  /** Show the same findings again: there is more code to show them with. */
  redraw() {
    if (this.#all.length) this.#draw();
  }

  /** Show only what fits a filter. */
  filter(name, value) {
    this.#filters[name] = value;
    this.#draw();
  }

  #draw() {
    this.#drawTop();
    const { groups, folded, unsure, total } = sorted(this.#all, this.#filters);
    const shown = total - unsure;
    const parts = [];
    if (this.#all.length) {
      const told = unsure ? ` ${unsure.toLocaleString("en")} with low confidence ${unsure === 1 ? "is" : "are"} folded away.` : "";
      parts.push(make("p", { class: "finding-count", role: "status" }, `${counted(total)}, worst first.${told}`));
    }
    let left = MOST_SHOWN;
    for (const group of groups) {
      parts.push(this.#group(group.slice(0, left), group.length, shown <= MOST_OPEN, left === MOST_SHOWN));
      left -= group.length;
      if (left <= 0) break;
    }
    if (shown > MOST_SHOWN) parts.push(make("p", { class: "hint" }, `The first ${MOST_SHOWN} of ${counted(shown)}. Use the filters to see the others.`));
    if (unsure) parts.push(this.#folded(folded, unsure));
    this.rows.replaceChildren(...parts);
  }

  #folded(groups, unsure) {
    const fold = make("details", { class: "findings-folded", open: this.#isUnfolded },
      make("summary", {}, "Low confidence ", make("span", { class: "group-count" }, unsure.toLocaleString("en"))),
      make("p", { class: "hint" }, "The analyzer is not sure about these. Many of them are false positives."),
      ...groups.slice(0, MOST_SHOWN).map((group) => this.#group(group, group.length, false, false)));
    fold.addEventListener("toggle", () => (this.#isUnfolded = fold.open));
    return fold;
  }

  #group(group, count, opensAll, opensFirst) {
    const { title } = this.rules.of(group[0].finding);
    const heading = count > 1
      ? make(`h${this.level}`, {}, plain(title || group[0].finding.ruleId), " ", make("span", { class: "group-count" }, count.toLocaleString("en"), make("span", { class: "unseen" }, " findings")))
      : null;
    const rows = group.map((each, at) => this.#item(each, opensAll || (opensFirst && at === 0), count > 1));
    return make("section", { class: "finding-group" }, heading, make("ol", { class: "findings", role: "list" }, ...rows));
  }

  #item(each, opens, inGroup) {
    const { finding, path } = each;
    const key = `${path}:${ruleOf(finding)}:${finding.range.startLine}:${finding.range.startColumn}`;
    const made = item({ ...each, inGroup, isOpen: this.#opened.get(key) ?? (opens && this.context.opens !== false) }, this.context);
    const details = made.firstChild;
    details.querySelector("summary").addEventListener("click", () => {
      this.#opened.set(key, !details.open);
      if (!details.open) this.context.see?.(finding.range, path);
    });
    return made;
  }

  #drawTop() {
    if (this.#all.length < 2) return this.top.replaceChildren();
    const focused = document.activeElement?.dataset?.filter;
    const severities = counts(this.#all, this.#filters, "severity");
    const chip = (value, title, count) => {
      const button = make("button", { type: "button", class: value ? `counter counter-${value}` : null, "aria-pressed": String(this.#filters.severity === value), "data-filter": `severity-${value}` },
        title, count === null ? null : make("strong", {}, count.toLocaleString("en")));
      button.addEventListener("click", () => this.filter("severity", value));
      return make("li", {}, button);
    };
    const chips = make("ul", { class: "counters", role: "list", "aria-label": "Findings by severity" },
      chip("", "All", null), ...severities.map(([value, count]) => chip(value, capital(value), count)));
    const fields = Object.keys(TITLES).map((name) => this.#field(name)).filter(Boolean);
    this.top.replaceChildren(chips, ...(fields.length ? [make("div", { class: "finding-filters" }, ...fields)] : []));
    if (focused) this.top.querySelector(`[data-filter="${focused}"]`)?.focus();
    return null;
  }

  #field(name) {
    const found = counts(this.#all, this.#filters, name);
    if (found.length < 2 && !this.#filters[name]) return null;
    const id = `${this.#id}-${name}`;
    const title = (value) => (name === "rule" ? this.#rule(value) : name === "path" ? plain(value) : capital(value));
    const select = make("select", { id, "data-filter": name }, make("option", { value: "" }, "All"),
      ...found.map(([value, count]) => make("option", { value, selected: value === this.#filters[name] }, `${title(value)} (${count.toLocaleString("en")})`)));
    select.addEventListener("change", () => this.filter(name, select.value));
    return make("div", { class: "field" }, make("label", { for: id }, TITLES[name]), select);
  }

  #rule(rule) {
    const { finding } = this.#all.find((each) => ruleOf(each.finding) === rule);
    const { title } = this.rules.of(finding);
    return plain(title ? `${title} (${finding.ruleId})` : finding.ruleId);
  }
}
