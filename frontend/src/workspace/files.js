// What is done with files: opened, closed, made, renamed, deleted, reverted.
import { plain } from "../hidden.js";
import { folderOf, nameOf, pathProblem } from "./paths.js";

const LOST = "It was never saved, so its text will be lost.";
const MOST_RECENT = 20;

export class Files {
  #recent = [];

  /** @param on `turned(doc)` when another file is open, `opened()`, `say(text)`, `fail(error)`. */
  constructor(parts, on) {
    Object.assign(this, parts, { on });
  }

  /** Those that were open lately, the last one first. */
  get recent() {
    const living = new Set(this.project.living);
    return this.#recent.filter((path) => living.has(path));
  }

  /** Open a file. @param goes whether to move the focus to the editor and select the range there. */
  async open(path, { goes = false, from, to } = {}) {
    if (this.project.deleted.has(path)) return this.on.say(`${plain(path)} is deleted. Revert restores it.`);
    let doc;
    try {
      doc = await this.project.open(path);
    } catch (error) {
      return this.on.fail(error);
    }
    if (!doc) return this.on.say(`${plain(path)} is not a text file.`);
    this.#recent = [path, ...this.#recent.filter((each) => each !== path)].slice(0, MOST_RECENT);
    this.tabs.add(path);
    this.tree.reveal(path);
    this.on.turned(doc);
    this.on.opened();
    if (from !== undefined) await this.viewing.show("edit");
    if (from !== undefined) this.pane.select(from, to);
    else if (goes) this.pane.focus();
  }

  /** Close a tab; what is unsaved stays so. */
  close(path) {
    const hadFocus = this.tabs.list.contains(document.activeElement);
    const next = this.tabs.remove(path);
    if (next) this.open(next, { goes: !hadFocus });
    else {
      this.on.turned(null);
      this.tree.focus();
    }
    if (this.project.statusOf(path)) this.on.say(`${plain(path)} is closed but not saved.`);
  }

  async make() {
    const { chosen } = this.tree;
    const wrong = (each) => pathProblem(each, this.project.living);
    const path = await this.ask.path({ title: "New file", value: chosen ? folderOf(chosen) : "/", yes: "Create", wrong });
    if (!path) return;
    await this.project.create(path, "");
    await this.open(path, { goes: true });
  }

  async rename(path) {
    if (!this.#isFile(path)) return this.on.say("Choose a file to rename.");
    const others = this.project.living.filter((each) => each !== path);
    const wrong = (each) => pathProblem(each, others);
    const to = await this.ask.path({ title: `Rename ${plain(nameOf(path))}`, value: path, yes: "Rename", wrong });
    if (!to || to === path) return;
    const wasOpen = this.tabs.paths.includes(path);
    try {
      await this.project.rename(path, to);
    } catch (error) {
      return this.on.fail(error);
    }
    if (wasOpen) this.tabs.rename(path, to);
    await this.open(to, { goes: wasOpen });
    this.on.say(`Renamed to ${plain(to)}, not saved yet.`);
  }

  async remove(path) {
    if (!this.#isFile(path)) return this.on.say("Choose a file to delete.");
    const isLost = this.project.docs.get(path)?.isNew;
    if (isLost && !(await this.#mayLose(path))) return;
    this.project.remove(path);
    this.on.say(`${plain(path)} ${isLost ? "is deleted." : "will be deleted when you save. Revert restores it."}`);
  }

  /** Restore the saved version of a file. */
  async revert(path) {
    const status = path ? this.project.statusOf(path) : "";
    if (!status) return this.on.say("This file has no unsaved changes.");
    if (status === "added" && !(await this.#mayLose(path))) return;
    await this.project.revert(path);
    this.on.say(`${plain(path)} was reverted.${status === "changed" ? " Press Ctrl+Z in the editor to undo." : ""}`);
  }

  /** Take a proposed change: into its file, or into a new one. */
  async accept(doc, path, text) {
    if (path === doc.path) doc.edit(text);
    else await this.project.create(path, text);
    await this.open(path, { goes: true });
  }

  #isFile(path) {
    return Boolean(path) && !path.endsWith("/") && !this.project.deleted.has(path);
  }

  #mayLose(path) {
    return this.ask.sure({ title: `Delete ${plain(nameOf(path))}?`, text: LOST, yes: "Delete" });
  }
}

