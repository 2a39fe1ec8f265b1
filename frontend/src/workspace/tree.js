// The files as a tree. A folder's children are made when it is opened.
import { make } from "../dom.js";
import { plain } from "../hidden.js";
import { folderOf, foldersOf, treeOf } from "./paths.js";

const LETTERS = { added: "A", changed: "M", deleted: "D" };
const TYPING_MS = 700;

export class Tree {
  #tree = new Map();
  #open = new Set(["/"]);
  #items = new Map();
  #typed = "";
  #typedAt = 0;
  chosen = "";

  /** @param statusOf returns the unsaved state of a path.
   * @param on `open(path, goes)` with whether to move the focus to the editor, `rename(path)`,
   *     `remove(path)`. */
  constructor(list, statusOf, on) {
    Object.assign(this, { list, statusOf, on });
    list.addEventListener("click", ({ target }) => this.#press(target.closest("[role=treeitem]")));
    list.addEventListener("keydown", (event) => this.#key(event));
    list.addEventListener("focusin", ({ target }) => target.matches("[role=treeitem]") && this.#choose(target.dataset.path));
  }

  /** Show these files, as they come and go. */
  draw(paths) {
    const hadFocus = this.list.contains(document.activeElement);
    this.#tree = treeOf(paths);
    if (this.#tree.get("/").length === 1 && !this.#items.size) this.#openFirst();
    this.#items.clear();
    this.list.replaceChildren(...this.#children("/", 1));
    if (!this.#items.has(this.chosen)) this.chosen = this.#items.keys().next().value ?? "";
    this.#choose(this.chosen);
    if (hadFocus) this.focus();
    this.mark();
  }

  /** Show what is unsaved. */
  mark() {
    for (const [path, item] of this.#items) {
      const status = path.endsWith("/") ? "" : this.statusOf(path);
      if ((item.dataset.state ?? "") === status) continue;
      item.dataset.state = status;
      item.querySelector(".we-state").textContent = LETTERS[status] ?? "";
      item.setAttribute("aria-label", `${item.querySelector("bdi").textContent}${status && ` ${status}`}`);
    }
  }

  /** Open the folders of a file and make it the chosen one. */
  reveal(path) {
    const closed = foldersOf(path).filter((folder) => !this.#open.has(folder));
    for (const folder of closed) this.#expand(folder, true);
    this.#choose(path);
    this.#items.get(path)?.firstChild.scrollIntoView?.({ block: "nearest" });
  }

  focus() {
    this.#items.get(this.chosen)?.focus();
  }

  #openFirst() {
    for (let at = "/"; this.#tree.get(at)?.length === 1; at = this.#tree.get(at)[0].path) this.#open.add(at);
    const last = [...this.#open].at(-1);
    for (const { path, isFolder } of this.#tree.get(last)) if (isFolder) this.#open.add(path);
  }

  #children(folder, level) {
    return (this.#tree.get(folder) ?? []).map((each) => this.#item(each, level));
  }

  #item({ path, name, isFolder }, level) {
    const isOpen = isFolder && this.#open.has(path);
    const item = make("li", {
      role: "treeitem", tabindex: "-1", "data-path": path, "aria-level": level, "aria-selected": "false", "aria-expanded": isFolder ? String(isOpen) : null, "aria-label": plain(name),
    }, make("span", { class: isFolder ? "we-row we-folder" : "we-row" }, make("bdi", {}, plain(name)), make("span", { class: "we-state" })));
    item.style.setProperty("--level", level);
    this.#items.set(path, item);
    if (isOpen) item.append(make("ul", { role: "group" }, ...this.#children(path, level + 1)));
    return item;
  }

  #expand(path, isOpen) {
    if (isOpen) this.#open.add(path);
    else this.#open.delete(path);
    const item = this.#items.get(path);
    if (!item) return;
    item.setAttribute("aria-expanded", String(isOpen));
    item.querySelector("[role=group]")?.remove();
    if (!isOpen) for (const each of this.#items.keys()) if (each !== path && each.startsWith(path)) this.#items.delete(each);
    if (isOpen) item.append(make("ul", { role: "group" }, ...this.#children(path, Number(item.getAttribute("aria-level")) + 1)));
    if (!this.#items.has(this.chosen)) this.#choose(path);
    this.mark();
  }

  #choose(path) {
    for (const each of [this.chosen, path]) {
      const item = this.#items.get(each);
      item?.setAttribute("tabindex", each === path ? "0" : "-1");
      item?.setAttribute("aria-selected", String(each === path));
    }
    if (this.#items.has(path)) this.chosen = path;
  }

  #press(item, goes = false) {
    if (!item) return;
    const { path } = item.dataset;
    this.#choose(path);
    if (path.endsWith("/")) this.#expand(path, !this.#open.has(path));
    else this.on.open(path, goes);
  }

  #key(event) {
    const item = event.target.closest("[role=treeitem]");
    if (!item || event.ctrlKey || event.metaKey || event.altKey) return;
    const { path } = item.dataset;
    const isFolder = path.endsWith("/");
    const isOpen = isFolder && this.#open.has(path);
    const acts = {
      ArrowDown: () => this.#step(item, 1),
      ArrowUp: () => this.#step(item, -1),
      Home: () => this.#visible[0]?.focus(),
      End: () => this.#visible.at(-1)?.focus(),
      ArrowRight: () => isFolder && (isOpen ? this.#step(item, 1) : this.#expand(path, true)),
      ArrowLeft: () => (isOpen ? this.#expand(path, false) : this.#items.get(folderOf(path.replace(/\/$/, "")))?.focus()),
      Enter: () => this.#press(item, true),
      " ": () => this.#press(item),
      F2: () => !isFolder && this.on.rename(path),
      Delete: () => !isFolder && this.on.remove(path),
    };
    const act = acts[event.key] ?? (event.key.length === 1 ? () => this.#type(item, event.key) : null);
    if (!act) return;
    event.preventDefault();
    if (acts[event.key]) this.#typed = "";
    act();
  }

  get #visible() {
    return [...this.list.querySelectorAll("[role=treeitem]")];
  }

  #step(item, step) {
    const all = this.#visible;
    all[all.indexOf(item) + step]?.focus();
  }

  /** Move to the next name that starts with the typed letters. */
  #type(item, letter) {
    const now = Date.now();
    this.#typed = (now - this.#typedAt > TYPING_MS ? "" : this.#typed) + letter.toLowerCase();
    this.#typedAt = now;
    const all = this.#visible;
    const at = all.indexOf(item) + (this.#typed.length === 1 ? 1 : 0);
    const name = (each) => each.querySelector("bdi").textContent.toLowerCase();
    [...all.slice(at), ...all.slice(0, at)].find((each) => name(each).startsWith(this.#typed))?.focus();
  }
}
