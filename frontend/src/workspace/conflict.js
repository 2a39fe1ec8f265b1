// Files that others have changed, too: their text against mine, and what to save of both.
import { MergeView } from "@codemirror/merge";
import { Annotation, EditorState } from "@codemirror/state";
import { EditorView, lineNumbers } from "@codemirror/view";
import { make } from "../dom.js";
import { support } from "../playground/languages.js";
import { look } from "../playground/look.js";
import { minimalSetup } from "codemirror";
import { fitted, layout, whole } from "./texts.js";
import { plain } from "../hidden.js";

const MARK = /^\ufeff/;
const OURS = Annotation.define(); // of a text that a button has put in
const NAMES = { mine: "mine", theirs: "theirs", merged: "as edited" };

export class Conflict {
  #files = [];
  #open = null;
  #view = null;

  /** @param on `languageOf(path)`, `decided(newest, results)` with texts by path, null to delete. */
  constructor(part, on) {
    Object.assign(this, { part, on, dialog: part("conflict") });
    for (const choice of Object.keys(NAMES)) part(choice).addEventListener("click", () => this.#choose(choice));
    part("conflict-save").addEventListener("click", () => this.#decide());
    part("conflict-close").addEventListener("click", () => this.dialog.close());
    this.dialog.addEventListener("close", () => this.#clear());
    part("conflict-files").addEventListener("click", ({ target }) => {
      const button = target.closest("button");
      if (button) this.#show(this.#files[Number(button.dataset.at)]);
    });
  }

  /** @param files `{path, mine, theirs}`; null for a text stands for a deleted file. */
  async show(files, newest) {
    if (this.dialog.open) return;
    this.newest = newest;
    // What was decided and edited before "Not now", or before the network failed, is still there.
    const before = this.#files;
    this.#files = files.map((file) => before.find(({ path, mine, theirs }) => path === file.path && mine === file.mine && theirs === file.theirs) ?? { ...file, choice: "", merged: null });
    this.part("conflict-text").textContent = `Revision ${newest.number.toLocaleString("en")} is newer than your edits. Choose for each file which text to save.`;
    this.dialog.showModal();
    await this.#show(this.#files[0]);
  }

  async #show(file) {
    this.#clear();
    this.#open = file;
    const language = await support(this.on.languageOf(file.path));
    if (this.#open !== file) return;
    const theirs = layout(file.theirs ?? "");
    file.layout = layout(file.mine ?? file.theirs ?? "");
    const side = (label, more) => {
      const { extensions } = look();
      return [extensions, minimalSetup, lineNumbers(), language, EditorView.lineWrapping, EditorView.contentAttributes.of({ "aria-label": label, tabindex: "0" }), more];
    };
    const changed = EditorView.updateListener.of((update) => {
      if (!update.docChanged || update.transactions.some((each) => each.annotation(OURS))) return;
      file.merged = whole(file.layout, update.state.doc.toString());
      this.#choose("merged");
    });
    const separator = file.layout.ends ? [] : EditorState.lineSeparator.of("\n");
    this.#view = new MergeView({
      parent: this.part("merge"),
      a: { doc: theirs.shown, extensions: side("Their text", [EditorState.readOnly.of(true)]) },
      b: { doc: fitted(file.layout, file[file.choice || "mine"] ?? "").replace(MARK, ""), extensions: side("Text to save", [changed, separator]) },
      revertControls: "a-to-b",
      renderRevertControl: () => make("button", { type: "button", "aria-label": "Apply this change", title: "Apply this change" }, "→"),
      collapseUnchanged: { margin: 3, minSize: 8 },
    });
    this.#draw();
  }

  #choose(choice) {
    const file = this.#open;
    if (!file) return;
    file.choice = choice;
    if (choice === "merged") file.merged ??= file.mine ?? file.theirs;
    const { b } = this.#view;
    const shown = b.state.toText(fitted(file.layout, file[choice] ?? "").replace(MARK, ""));
    if (!shown.eq(b.state.doc)) b.dispatch({ changes: { from: 0, to: b.state.doc.length, insert: shown }, annotations: OURS.of(true) });
    this.#draw();
  }

  #draw() {
    const { part } = this;
    const file = this.#open;
    const focused = document.activeElement?.closest?.("[data-at]")?.dataset.at;
    part("conflict-files").replaceChildren(...this.#files.map((each, at) => make("li", {},
      make("button", { type: "button", "data-at": at, "aria-current": each === file ? "true" : null },
        make("bdi", {}, plain(each.path)), " ", make("small", {}, each.choice ? NAMES[each.choice] : "not decided")))));
    if (focused) part("conflict-files").querySelector(`[data-at="${focused}"]`)?.focus();
    for (const choice of Object.keys(NAMES)) part(choice).setAttribute("aria-pressed", String(file.choice === choice));
    part("conflict-told").textContent = file.theirs === null ? "This file was deleted in the newer revision." : file.mine === null ? "You deleted this file. It changed in the newer revision." : "";
    const left = this.#files.filter(({ choice }) => !choice).length;
    part("conflict-left").textContent = left ? `${left} of ${this.#files.length} not decided` : "";
    part("conflict-save").setAttribute("aria-disabled", String(left > 0));
  }

  #decide() {
    const left = this.#files.find(({ choice }) => !choice);
    if (left) {
      this.part("conflict-left").textContent = "Choose a text for each file first.";
      return this.#show(left);
    }
    const results = this.#files.map((file) => ({ path: file.path, theirs: file.theirs, result: file[file.choice] }));
    this.dialog.close();
    return this.on.decided(this.newest, results);
  }

  #clear() {
    this.#view?.destroy();
    this.#view = null;
    this.#open = null;
  }
}
