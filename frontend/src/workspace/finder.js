// Search in all files, as they are edited.
import { make } from "../dom.js";
import { hits, literal } from "./find.js";
import { plain } from "../hidden.js";

const MOST = 1000;
const PAUSE = 100; // files between two pictures

export class Finder {
  #number = 0;

  /** @param on `open(path, from, to)`, `fail(error)`, `left()` when it is closed. */
  constructor(part, project, on) {
    Object.assign(this, { part, project, on });
    part("find-form").addEventListener("submit", (event) => {
      event.preventDefault();
      this.find();
    });
    part("find-close").addEventListener("click", () => this.toggle(false));
    part("find-hits").addEventListener("click", ({ target }) => {
      const { path, from, to } = target.closest("button")?.dataset ?? {};
      if (path) on.open(path, Number(from), Number(to));
    });
    part("finder").addEventListener("keydown", (event) => {
      if (event.key === "Escape") this.toggle(false);
      if (event.key === "ArrowDown" || event.key === "ArrowUp") this.#step(event);
    });
  }

  toggle(isShown) {
    this.part("finder").hidden = !isShown;
    this.part("files").hidden = isShown;
    if (isShown) this.part("find-text").select();
    if (isShown) this.part("find-text").focus();
    else this.on.left();
  }

  async find() {
    const text = this.part("find-text").value;
    if (!text) return;
    const number = ++this.#number;
    const say = (told) => number === this.#number && (this.part("find-told").textContent = told);
    this.part("find-hits").replaceChildren();
    say("Reading files…");
    let texts;
    try {
      texts = await this.#texts((done, all) => say(`Reading files: ${done.toLocaleString("en")} of ${all.toLocaleString("en")}…`));
    } catch (error) {
      say("Not all files could be read.");
      return this.on.fail(error);
    }
    const wanted = literal(text, this.part("find-case").checked);
    let [count, files, done] = [0, 0, 0];
    for (const path of this.project.living) {
      if (++done % PAUSE === 0) await new Promise((next) => setTimeout(next));
      if (number !== this.#number) return;
      const found = [...this.#hits(texts.get(path) ?? "", wanted, MOST - count)];
      if (!found.length) continue;
      count += found.length;
      files++;
      this.part("find-hits").append(this.#group(path, found));
      if (count >= MOST) break;
    }
    const told = (each, noun) => `${each.toLocaleString("en")} ${noun}${each === 1 ? "" : "s"}`;
    say(count ? `${count >= MOST ? "The first " : ""}${told(count, "place")} in ${told(files, "file")}.` : "No results.");
  }

  /** The texts by path: unsaved ones as they are typed. */
  async #texts(told) {
    const { docs, entries, living, revision, service } = this.project;
    const others = living.filter((path) => !docs.has(path)).map((path) => entries.get(path));
    const texts = await service.texts(others, revision, told);
    for (const path of living) if (docs.has(path)) texts.set(path, docs.get(path).state.doc.toString());
    return texts;
  }

  *#hits(text, wanted, most) {
    for (const hit of hits(text, wanted)) {
      if (most-- <= 0) return;
      yield hit;
    }
  }

  #group(path, found) {
    const rows = found.map(({ line, from, to, before, hit, after }) => make("li", {},
      make("button", { type: "button", "data-path": path, "data-from": from, "data-to": to },
        make("span", { class: "we-line" }, make("span", { class: "unseen" }, "Line "), String(line)),
        make("code", {}, plain(before), make("mark", {}, plain(hit)), plain(after)))));
    return make("section", { class: "we-found" }, make("h3", {}, make("bdi", {}, plain(path)), ` ${found.length}`), make("ol", { role: "list" }, ...rows));
  }

  #step(event) {
    const all = [this.part("find-text"), ...this.part("find-hits").querySelectorAll("button")];
    const at = all.indexOf(document.activeElement);
    if (at < 0) return;
    event.preventDefault();
    all[at + (event.key === "ArrowDown" ? 1 : -1)]?.focus();
  }
}
