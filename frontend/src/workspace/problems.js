// The problems panel: the findings of the report on the revision that is edited, in all files. Those
// of open files are marked in the editor, too.
import { FindingList } from "../findings/list.js";
import { worstFirst } from "../findings/sorting.js";
import { Refusal } from "../playground/refusals.js";
import { mark } from "./pane.js";

export class Problems {
  #byPath = new Map();

  /** @param on `code(path)` returns the code of an open file or null; `go(path, range, stays)` shows a
   * place; `say(text)`. @param rules titles of rules. */
  constructor(part, service, rules, on) {
    Object.assign(this, { part, service, on });
    this.list = new FindingList(part("problem-list"), {
      rules, level: 3, newTab: true, opens: false, code: (path) => on.code(path),
      go: (range, path) => on.go(path, range, false), see: (range, path) => on.go(path, range, true),
    });
  }

  /** Read the report on a revision, if there is one. */
  async load(revision) {
    const { report } = this.service.settings;
    if (!this.service.settings.report) return this.#take([], "There is no report on this revision yet.");
    try {
      const { findings, summary } = await this.service.report(revision);
      return this.#take(findings, findings.length ? `Report on revision ${summary.revision.toLocaleString("en")}.` : "The report has no findings.");
    } catch (error) {
      const isGone = error instanceof Refusal && error.status === 404;
      return this.#take([], isGone ? "There is no report on this revision." : "The report could not be loaded. Reload the page to try again.");
    }
  }

  /** Mark the findings of a file that has just been opened. */
  opened(doc) {
    const found = this.#byPath.get(doc.path);
    if (found && !doc.hasMarks) mark(doc, found);
    doc.hasMarks = true;
    this.list.redraw();
  }

  get worst() {
    return worstFirst(this.all ?? [])[0]?.path ?? "";
  }

  #take(findings, told) {
    this.all = findings.filter(({ finding }) => !finding.suppression).map(({ path, finding }) => ({ path, finding }));
    this.#byPath = Map.groupBy ? Map.groupBy(this.all, ({ path }) => path) : grouped(this.all);
    for (const [path, found] of this.#byPath) this.#byPath.set(path, found.map(({ finding }) => finding));
    const { length } = this.all;
    this.part("problem-count").textContent = length ? length.toLocaleString("en") : "";
    this.part("problem-told").textContent = told;
    this.list.show(this.all);
  }
}

function grouped(all) {
  const found = new Map();
  for (const each of all) found.set(each.path, [...(found.get(each.path) ?? []), each]);
  return found;
}
