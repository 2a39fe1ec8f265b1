// The middle of the page: the editor, the changes since the last push, or a proposed change.
import { showDiff } from "../playground/diff.js";
import { resultName } from "../playground/paths.js";
import { plain } from "../hidden.js";
import { folderOf, nameOf } from "./paths.js";

export class Viewing {
  #remove = () => {};
  #number = 0;
  proposal = null;
  mode = "edit";

  /** @param on `doc()`, `languageOf(path)`, `fail(error)`, `say(text)`,
   * `accept(doc, path, text)` with the path of a new file where the language is another. */
  constructor(root, part, project, on) {
    Object.assign(this, { part, project, on, settings: project.service.settings });
    this.buttons = [...root.querySelectorAll("[data-view]")];
    for (const button of this.buttons) button.addEventListener("click", () => this.show(button.dataset.view));
    part("accept").addEventListener("click", () => this.#accept());
    part("discard").addEventListener("click", () => this.#discard());
  }

  /** Show the open file as `edit`, `beside` or `unified`. */
  async show(mode) {
    const number = ++this.#number;
    this.mode = mode;
    const doc = this.on.doc();
    const isProposed = Boolean(doc) && this.proposal?.doc === doc;
    for (const button of this.buttons) button.setAttribute("aria-pressed", String(button.dataset.view === mode));
    this.part("proposal").hidden = !isProposed;
    const isDiff = Boolean(doc) && mode !== "edit";
    this.part("pane").hidden = !doc || isDiff;
    this.part("diff").hidden = !isDiff;
    this.#remove();
    this.#remove = () => {};
    if (!isDiff) return;
    try {
      const what = isProposed ? this.proposal : await this.#sincePush(doc);
      if (number !== this.#number) return;
      this.#remove = await showDiff(this.part("diff"), { ...what, unified: mode === "unified" });
    } catch (error) {
      this.on.fail(error);
    }
  }

  /** Another file is open: it is edited, unless a change is proposed for it. */
  turn() {
    return this.show(this.proposal?.doc === this.on.doc() && this.proposal ? this.#layout : "edit");
  }

  /** Show a change `{doc, before, after, languages, verdict}` for the user to accept, with its
   * verdict in words. Null hides it. */
  propose(proposal) {
    this.proposal = proposal;
    if (!proposal) return this.turn();
    const { doc, languages: [from, to], verdict } = proposal;
    proposal.path = from === to ? doc.path : this.#newPath(doc.path, to);
    const place = from === to ? "" : ` Accepting creates ${plain(proposal.path)}.`;
    this.part("proposal-told").textContent = `Proposed change. ${verdict}${place}`;
    return this.on.doc() === doc ? this.show(this.#layout) : null;
  }

  get #layout() {
    return matchMedia("(min-width: 70rem)").matches ? "beside" : "unified";
  }

  async #sincePush(doc) {
    const { pushed } = this.settings;
    const before = pushed ? await this.project.pushed(doc.path, pushed) : null;
    const language = this.on.languageOf(doc.path);
    const after = doc.text;
    this.on.say(before === null ? "The file was not in the last push." : before === after ? "No changes since the last push." : `Compared with revision ${pushed.toLocaleString("en")}, the last push.`);
    return { before: before ?? "", after, languages: [language, language] };
  }

  #newPath(path, language) {
    const name = resultName(nameOf(path), language, this.settings.extensions, true);
    const taken = new Set(this.project.living);
    const dot = name.lastIndexOf(".");
    for (let number = 1; ; number++) {
      const found = folderOf(path) + (number === 1 ? name : `${name.slice(0, dot)}-${number}${name.slice(dot)}`);
      if (!taken.has(found)) return found;
    }
  }

  async #accept() {
    const { doc, before, after, path } = this.proposal;
    if (path === doc.path && doc.text.slice(doc.layout.mark.length) !== before) {
      return this.on.say("The file has changed. Run again, or discard the proposal.");
    }
    this.proposal = null;
    await this.on.accept(doc, path, after);
    this.on.say(path === doc.path ? "Accepted. Press Ctrl+Z to undo." : `Accepted as ${plain(path)}.`);
  }

  #discard() {
    this.proposal = null;
    this.turn();
    this.on.say("Discarded.");
  }
}
