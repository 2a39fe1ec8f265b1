// The result of a transformation: the diff in two layouts, copying and downloading.
import { characters } from "./places.js";

export class Change {
  #remove = () => {};
  #shown = null;
  #number = 0; // of the last drawing: an earlier one that is still loading is dropped

  constructor(part) {
    this.part = part;
    for (const button of [part("beside"), part("unified")]) {
      button.addEventListener("click", () => this.#draw(button === part("unified")));
    }
  }

  clear() {
    this.part("change").hidden = true;
  }

  /** Show what has changed. @param shown `{before, after, languages, name}` */
  async show(shown) {
    this.#shown = shown;
    this.part("change").hidden = false;
    this.part("result-code").value = shown.after;
    const link = this.part("download");
    URL.revokeObjectURL(link.href);
    link.href = URL.createObjectURL(new Blob([shown.after], { type: "text/plain" }));
    link.download = shown.name;
    this.part("download-name").textContent = `${shown.name}, ${characters(shown.after).toLocaleString("en")} characters`;
    await this.#draw(true);
  }

  async #draw(unified) {
    const number = ++this.#number;
    this.part("beside").setAttribute("aria-pressed", String(!unified));
    this.part("unified").setAttribute("aria-pressed", String(unified));
    const { showDiff } = await import("./diff.js");
    if (number !== this.#number) return;
    this.#remove();
    this.#remove = () => {};
    const remove = await showDiff(this.part("diff"), { ...this.#shown, unified });
    if (number === this.#number) this.#remove = remove;
    else remove();
  }
}
