// Going to a file by some letters of its path.
import { make } from "../dom.js";
import { plain } from "../hidden.js";
import { folderOf, nameOf, ranked } from "./paths.js";

const STEPS = { ArrowDown: 1, ArrowUp: -1, PageDown: 10, PageUp: -10 };

export class Palette {
  #found = [];
  #at = 0;

  /** @param paths returns all paths. @param recent returns the paths to offer first. */
  constructor(part, { paths, recent, open }) {
    Object.assign(this, { dialog: part("palette"), field: part("palette-text"), list: part("palette-list"), told: part("palette-told") });
    Object.assign(this, { paths, recent, open });
    this.field.addEventListener("input", () => this.#draw());
    this.field.addEventListener("keydown", (event) => this.#key(event));
    this.list.addEventListener("click", ({ target }) => this.#take(target.closest("[role=option]")?.dataset.path));
    this.dialog.addEventListener("click", ({ target }) => target === this.dialog && this.dialog.close());
  }

  show() {
    this.field.value = "";
    this.dialog.showModal();
    this.#draw();
  }

  #draw() {
    const letters = this.field.value.trim();
    const paths = this.paths();
    this.#found = letters ? ranked(paths, letters) : [...new Set([...this.recent(), ...paths])].slice(0, 50);
    this.#at = 0;
    this.list.replaceChildren(...this.#found.map((path, at) =>
      make("li", { role: "option", id: `we-name-${at}`, "data-path": path, "aria-selected": "false" },
        make("bdi", {}, plain(nameOf(path))), " ", make("small", {}, make("bdi", {}, plain(folderOf(path)))))));
    this.told.textContent = this.#found.length ? "" : "No file has this in its name.";
    this.#point();
  }

  #point() {
    for (const [at, option] of [...this.list.children].entries()) option.setAttribute("aria-selected", String(at === this.#at));
    const option = this.list.children[this.#at];
    if (option) this.field.setAttribute("aria-activedescendant", option.id);
    else this.field.removeAttribute("aria-activedescendant");
    option?.scrollIntoView({ block: "nearest" });
  }

  #key(event) {
    if (event.key === "Enter") this.#take(this.#found[this.#at]);
    else if (STEPS[event.key]) this.#at = Math.max(0, Math.min(this.#found.length - 1, this.#at + STEPS[event.key]));
    else return;
    event.preventDefault();
    this.#point();
  }

  #take(path) {
    if (!path) return;
    this.dialog.close();
    this.open(path);
  }
}
