// All parts of the page in one state: which file is open, and what is unsaved.
import { Ask } from "./ask.js";
import { Conflict } from "./conflict.js";
import { Drafts } from "./drafts.js";
import { tell } from "./facts.js";
import { Files } from "./files.js";
import { Finder } from "./finder.js";
import { Problems } from "./problems.js";
import { Rules } from "../findings/rules.js";
import { Palette } from "./palette.js";
import { Pane } from "./pane.js";
import { plain } from "../hidden.js";
import { nameOf } from "./paths.js";
import { Project } from "./project.js";
import { Regions } from "./regions.js";
import { restore, toKeep } from "./restoring.js";
import { Runs } from "./runs.js";
import { Saving } from "./saving.js";
import { Tabs } from "./tabs.js";
import { Tree } from "./tree.js";
import { showTrouble } from "./trouble.js";
import { Viewing } from "./viewing.js";

const number = (count) => count.toLocaleString("en");

export class Environment {
  #hasFailed = false; // to open a file; reset when a file is open

  constructor(root, part, service, newest) {
    const { settings } = service;
    Object.assign(this, { part, service, settings });
    const all = { doc: () => this.doc, languageOf: (path) => this.languageOf(path), say: (text) => this.say(text), fail: (error) => this.fail(error) };
    const go = (path, from, to) => this.files.open(path, { goes: true, from, to });
    this.pane = new Pane(part("pane"), all.languageOf, { changed: () => this.mark(), moved: (doc) => this.#place(doc) });
    const project = new Project(service, newest, this.pane.make, () => this.draw());
    const statusOf = (path) => project.statusOf(path);
    this.project = project;
    this.tree = new Tree(part("tree"), statusOf, {
      open: (path, goes) => this.files.open(path, { goes }), rename: (path) => this.files.rename(path), remove: (path) => this.files.remove(path),
    });
    this.tabs = new Tabs(part("tabs"), statusOf, { open: (path, stays) => this.files.open(path, { goes: !stays }), close: (path) => this.files.close(path) });
    this.viewing = new Viewing(root, part, project, { ...all, accept: (...change) => this.files.accept(...change) });
    this.files = new Files(
      { project, pane: this.pane, tabs: this.tabs, tree: this.tree, viewing: this.viewing, ask: new Ask(part) },
      { ...all, turned: (doc) => this.#turn(doc), opened: () => this.regions.opened() },
    );
    this.palette = new Palette(part, { paths: () => project.living, recent: () => this.files.recent, open: go });
    this.finder = new Finder(part, project, { ...all, open: go, left: () => this.tree.focus() });
    this.conflict = new Conflict(part, { ...all, decided: (rev, results) => this.#decided(rev, results) });
    this.saving = new Saving(project, service, part, {
      ...all, drawn: () => this.mark(), saved: (answer) => tell(answer, settings.proof), conflict: (files, rev) => this.#clash(files, rev),
    });
    const rules = new Rules(settings.rules);
    this.problems = new Problems(part, service, rules, { say: all.say, code: (path) => this.#codeOf(path), go: (path, range, stays) => this.#show(path, range, stays) });
    this.runs = new Runs(part, service, rules, { ...all, go: (doc, from, to) => go(doc.path, from, to), proposed: (what) => this.viewing.propose(what) });
    this.drafts = new Drafts(settings.id, () => toKeep(project, this.tabs), all.say);
    this.regions = new Regions(part, this);
  }

  /** The open file; null for none. */
  get doc() {
    return this.pane.doc;
  }

  async begin() {
    addEventListener("beforeunload", (event) => this.project.unsaved.length && event.preventDefault());
    fit(this.part("body"));
    this.draw();
    const reading = this.problems.load(this.settings.revision);
    const kept = this.drafts.kept;
    let trouble = null;
    try {
      if (kept) await restore(kept, this);
      this.drafts.isReady = true;
    } catch (error) {
      trouble = error; // what was kept stays so
    }
    const address = location.search; // which opening a file changes
    const first = new URLSearchParams(address).get("path") ?? kept?.active;
    const path = [first, this.settings.path].find((each) => this.project.living.includes(each));
    if (path) await this.files.open(path);
    if (path === this.settings.path && this.settings.line > 0) this.#goTo(this.settings.line, !new URLSearchParams(address).has("line"));
    if (trouble) {
      this.say("Your unsaved changes could not be loaded. They are still stored in this tab.");
      showTrouble(this.part("trouble"), trouble, this.settings, () => location.reload());
    } else this.say(this.project.unsaved.length ? "Your unsaved changes were restored." : `Revision ${number(this.project.revision)}`);
    this.regions.begin(Boolean(path));
    await reading;
    if (this.doc) this.problems.opened(this.doc);
    this.regions.show("problems", this.problems.all.length > 0 && !this.regions.isNarrow);
  }

  /** The canonical language of a file, by its name; empty for none. */
  languageOf(path) {
    const name = nameOf(path).toLowerCase();
    const { names, extensions } = this.settings;
    const dot = name.lastIndexOf(".");
    return names[name] ?? (dot < 0 ? undefined : extensions[name.slice(dot + 1)]) ?? names[name.split(".")[0]] ?? "";
  }

  say(text) {
    this.part("said").textContent = text;
  }

  fail(error) {
    this.#hasFailed = true;
    showTrouble(this.part("trouble"), error, this.settings);
  }

  /** Files have come or gone. */
  draw() {
    this.tree.draw(this.project.paths);
    const living = new Set(this.project.living);
    for (const path of this.tabs.paths.filter((each) => !living.has(each))) this.tabs.remove(path);
    if (this.doc && !living.has(this.doc.path)) {
      this.#turn(null);
      if (this.tabs.active) this.files.open(this.tabs.active);
    } else if (this.doc && this.project.docs.get(this.doc.path) !== this.doc) this.files.open(this.doc.path);
    this.mark();
  }

  /** Something is unsaved, or no more. */
  mark() {
    const { length } = this.project.unsaved;
    this.part("save").setAttribute("aria-disabled", String(!length || this.saving.isBusy));
    this.part("save-count").textContent = length ? number(length) : "";
    this.tree.mark();
    this.tabs.mark();
    this.runs.update();
    this.drafts.soon();
  }

  #turn(doc) {
    if (this.doc !== doc || !doc) this.pane.show(doc);
    for (const name of ["file", "under"]) this.part(name).hidden = !doc;
    this.part("empty").hidden = Boolean(doc);
    this.part("shown-path").textContent = doc ? plain(doc.path) : "";
    this.part("pane").setAttribute("aria-label", doc ? plain(doc.path) : "");
    if (this.#hasFailed) this.part("trouble").hidden = true;
    this.#hasFailed = false;
    this.viewing.turn();
    this.mark();
    if (doc && this.problems.all) this.problems.opened(doc);
    document.title = `${doc ? `${plain(doc.path)} · ` : ""}${plain(this.settings.name)} · codeintel`;
    const address = new URL(location.href);
    address.search = "";
    if (doc && this.project.entries.has(doc.path)) address.searchParams.set("path", doc.path);
    history.replaceState(null, "", address);
  }

  #place(doc) {
    const { head } = doc.state.selection.main;
    const line = doc.state.doc.lineAt(head);
    const column = [...line.text.slice(0, head - line.from)].length + 1;
    this.part("place").textContent = `Line ${number(line.number)}, column ${number(column)}`;
    this.part("kind").textContent = [this.languageOf(doc.path), doc.endsName, doc.layout.mark && "byte order mark"].filter(Boolean).join(" · ");
  }

  /** The code of an open file as frames need it; null for others. */
  #codeOf(path) {
    const doc = this.project.docs.get(path);
    return doc ? { count: doc.state.doc.lines, line: (number) => doc.state.doc.line(number).text } : null;
  }

  /** Show a place of a finding. @param stays whether the keyboard stays in the list. */
  async #show(path, range, stays) {
    if (this.doc?.path !== path) await this.files.open(path);
    if (this.doc?.path !== path) return;
    if (this.viewing.mode !== "edit") await this.viewing.show("edit");
    const { from, to } = this.doc.place(range);
    this.pane.select(from, to, stays);
  }

  #goTo(line, stays) {
    const { doc } = this.doc.state;
    const { from } = doc.line(Math.min(line, doc.lines));
    this.pane.select(from, from, stays);
  }

  #clash(files, newest) {
    this.say("Not saved: some of these files were changed elsewhere.");
    this.conflict.show(files.map((file) => ({ ...file, mine: this.project.mine(file.path) })), newest);
  }

  async #decided(newest, results) {
    let conflicts;
    try {
      conflicts = await this.project.takeIn(newest, results);
    } catch (error) {
      return this.fail(error); // saving again asks again, with what was decided
    }
    if (conflicts.length) return this.#clash(conflicts, newest);
    if (this.project.unsaved.length) return this.saving.save();
    return this.say(`You now have revision ${number(newest.number)}.`);
  }
}

/** Make a part end where the window does. */
function fit(body) {
  const measure = () => body.style.setProperty("--we-top", `${Math.round(body.getBoundingClientRect().top + scrollY)}px`);
  measure();
  new ResizeObserver(measure).observe(document.body);
}
