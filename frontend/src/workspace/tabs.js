// The open files, as tabs: arrows move, Delete and the middle button close.
import { make } from "../dom.js";
import { plain } from "../hidden.js";
import { folderOf, nameOf } from "./paths.js";

const STEPS = { ArrowLeft: -1, ArrowRight: 1 };

export class Tabs {
  paths = [];
  active = "";
  #tabs = new Map();

  /** @param on `open(path)`, `close(path)`. @param statusOf returns the unsaved state of a path. */
  constructor(list, statusOf, on) {
    Object.assign(this, { list, statusOf, on });
    list.addEventListener("keydown", (event) => this.#key(event));
    list.addEventListener("click", ({ target }) => {
      const tab = target.closest("[data-tab]");
      if (!tab) return;
      if (target.closest(".we-tab-close")) on.close(tab.dataset.tab);
      else on.open(tab.dataset.tab);
    });
    list.addEventListener("auxclick", (event) => {
      const tab = event.target.closest("[data-tab]");
      if (!tab || event.button !== 1) return;
      event.preventDefault();
      on.close(tab.dataset.tab);
    });
    // With the middle button browsers scroll, and some paste into what has the focus.
    for (const type of ["mousedown", "mouseup"]) list.addEventListener(type, (event) => event.button === 1 && event.preventDefault());
  }

  /** Show a file as the open one, after the previous one. */
  add(path) {
    if (!this.paths.includes(path)) this.paths.splice(this.paths.indexOf(this.active) + 1, 0, path);
    this.active = path;
    this.draw();
  }

  /** Take a file away; returns the one to open now, which is empty for none. */
  remove(path) {
    const at = this.paths.indexOf(path);
    if (at < 0) return this.active;
    this.paths.splice(at, 1);
    if (this.active === path) this.active = this.paths[Math.min(at, this.paths.length - 1)] ?? "";
    this.draw();
    return this.active;
  }

  rename(from, to) {
    this.paths = this.paths.map((each) => (each === from ? to : each));
    if (this.active === from) this.active = to;
    this.draw();
  }

  /** The tab so many places further, around the end. */
  next(step) {
    const at = this.paths.indexOf(this.active);
    return this.paths.at((at + step) % this.paths.length) ?? "";
  }

  focus() {
    this.#tabs.get(this.active)?.querySelector("[role=tab]").focus();
  }

  draw() {
    const hadFocus = this.list.contains(document.activeElement);
    this.list.hidden = this.paths.length === 0;
    this.#tabs = new Map(this.paths.map((path) => [path, this.#tab(path)]));
    this.list.replaceChildren(...this.#tabs.values());
    this.mark();
    if (hadFocus) this.focus();
    this.#tabs.get(this.active)?.scrollIntoView?.({ block: "nearest", inline: "nearest" });
  }

  /** Show what is unsaved. */
  mark() {
    for (const [path, tab] of this.#tabs) {
      const status = this.statusOf(path);
      tab.classList.toggle("we-dirty", Boolean(status));
      tab.querySelector(".we-tab-state").textContent = status ? `, ${status}, not saved` : "";
    }
  }

  #tab(path) {
    const isActive = path === this.active;
    const twins = this.paths.some((each) => each !== path && nameOf(each) === nameOf(path));
    return make("div", { class: "we-tab", role: "presentation", "data-tab": path },
      make("button", {
        type: "button", role: "tab", "aria-selected": String(isActive), "aria-controls": "we-pane", tabindex: isActive ? "0" : "-1", title: plain(path),
      }, make("bdi", {}, plain(nameOf(path))), twins ? make("small", {}, plain(folderOf(path))) : null, make("span", { class: "we-tab-state unseen" })),
      make("button", { type: "button", class: "we-tab-close", "aria-hidden": "true", tabindex: "-1", title: "Close" }, "×"));
  }

  #key(event) {
    const path = event.target.closest("[data-tab]")?.dataset.tab;
    if (!path) return;
    const goes = STEPS[event.key] ? this.next(STEPS[event.key]) : { Home: this.paths[0], End: this.paths.at(-1) }[event.key];
    if (goes) this.on.open(goes, true);
    else if (event.key === "Delete") this.on.close(path);
    else return;
    event.preventDefault();
  }
}
