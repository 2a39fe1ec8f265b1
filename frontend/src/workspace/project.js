// The workspace as it is edited: a base revision, and what is to change in it.
import { Doc } from "./doc.js";

export class Project {
  docs = new Map();
  deleted = new Set();
  #doubts = []; // changes that were sent without an answer, so they may or may not be stored
  #pushed = null;

  /** @param make makes an editor's state; @param changed is called when files come, go or change. */
  constructor(service, { number, files }, make, changed) {
    Object.assign(this, { service, make, changed, revision: number, entries: files });
  }

  /** All paths, of new and of deleted files too. */
  get paths() {
    const added = [...this.docs.values()].filter(({ isNew }) => isNew).map(({ path }) => path);
    return [...this.entries.keys(), ...added];
  }

  /** The paths that the next revision will have. */
  get living() {
    return this.paths.filter((path) => !this.deleted.has(path));
  }

  /** "added", "changed", "deleted", or nothing. */
  statusOf(path) {
    if (this.deleted.has(path)) return "deleted";
    const doc = this.docs.get(path);
    if (!doc?.isDirty) return "";
    return doc.isNew ? "added" : "changed";
  }

  get unsaved() {
    return [...new Set([...this.deleted, ...this.docs.keys()])].filter((path) => this.statusOf(path));
  }

  /** New texts by path, null for deleted files. */
  get changes() {
    return Object.fromEntries(this.unsaved.map((path) => [path, this.mine(path)]));
  }

  /** The text of a file as it is edited; null where it is deleted. */
  mine(path) {
    return this.deleted.has(path) ? null : (this.docs.get(path)?.text ?? null);
  }

  /** A file for the editor; null for one that is no text. */
  async open(path) {
    const known = this.docs.get(path);
    if (known) return known;
    const { revision } = this;
    const text = await this.base(path);
    if (this.revision !== revision || this.docs.has(path)) return this.open(path); // meanwhile
    if (text === null) return null;
    const doc = new Doc(path, text, text, this.make);
    this.docs.set(path, doc);
    return doc;
  }

  /** The text of a file in the base revision. */
  base(path) {
    return this.service.text(path, this.revision, this.entries.get(path)?.sha256);
  }

  /** The text of a file in a revision that stays the same; null where it has no such file. */
  async pushed(path, revision) {
    this.#pushed ??= await this.service.revision(revision);
    const entry = this.#pushed.files.get(path);
    return entry ? this.service.text(path, revision, entry.sha256) : null;
  }

  /** Put a text into a file, which may be new. */
  async create(path, text) {
    this.deleted.delete(path);
    if (this.entries.has(path) && (await this.open(path))) this.docs.get(path).replace(text);
    else this.docs.set(path, new Doc(path, text, null, this.make));
    this.changed();
    return this.docs.get(path);
  }

  async rename(from, to) {
    await this.open(from);
    if (this.entries.has(to)) await this.open(to); // before anything is taken away: this may fail
    const { text } = this.docs.get(from);
    this.remove(from);
    return this.create(to, text);
  }

  remove(path) {
    if (this.entries.has(path)) this.deleted.add(path);
    else this.docs.delete(path);
    this.changed();
  }

  /** Restore the version of a file in the base revision. */
  async revert(path) {
    const doc = this.docs.get(path);
    const wasDeleted = this.deleted.delete(path);
    if (doc?.isNew) this.docs.delete(path);
    else if (doc && !wasDeleted) doc.replace(doc.base);
    this.changed();
  }

  /** These changes were sent, and no answer came. */
  doubt(changes) {
    this.#doubts.push(changes);
  }

  /** The revision has been made: what was sent is the base now.
   * @param sent `{changes, shown}`, the documents as they were sent by path.
   * @param left paths that were not stored. */
  settle({ changes, shown }, left) {
    this.#doubts = [];
    for (const [path, text] of Object.entries(changes)) {
      if (left.has(path)) continue;
      const doc = this.docs.get(path);
      if (text !== null) doc?.settle(text, shown.get(path));
      else if (this.deleted.delete(path)) this.docs.delete(path);
    }
  }

  /** Merge a revision that others have made, and keep unsaved edits.
   * @param results the decisions on files with conflicts: `{path, theirs, result}`, where null
   *     means no file.
   * @returns `{path, theirs}` of files with conflicts and no decision. If there are any, nothing is
   *     merged. */
  async takeIn({ number, files }, results = []) {
    const decided = new Set(results.map(({ path }) => path));
    const moved = [...new Set([...this.entries.keys(), ...files.keys()])].filter(
      (path) => files.get(path)?.sha256 !== this.entries.get(path)?.sha256 && !decided.has(path),
    );
    const texts = new Map();
    const isMissing = (path) => !texts.has(path) && (this.docs.has(path) || this.statusOf(path));
    // While texts are read, more files may be opened.
    for (let path = moved.find(isMissing); path; path = moved.find(isMissing)) {
      const entry = files.get(path);
      texts.set(path, entry ? await this.service.text(path, number, entry.sha256) : null);
    }
    const conflicts = [...texts].filter(([path, theirs]) => this.statusOf(path) && !this.#isKnown(path, theirs));
    if (conflicts.length) return conflicts.map(([path, theirs]) => ({ path, theirs }));
    for (const [path, theirs] of texts) this.#follow(path, theirs);
    for (const result of results) this.#decide(result);
    this.rest({ number, files });
    return [];
  }

  /** Restore what was not saved when the page was left: texts by path, null for deleted files.
   * @param moved paths with unknown changes since then. They are treated as missing from the base
   *     revision, so that merging the newest revision asks about them. */
  async restore(drafts, moved = new Set()) {
    for (const [path, text] of Object.entries(drafts)) {
      const base = this.entries.has(path) && !moved.has(path) ? await this.base(path) : null;
      if (text === null) this.deleted.add(path);
      else if (text !== base) this.docs.set(path, new Doc(path, text, base, this.make));
    }
    const files = new Map([...this.entries].filter(([path]) => !moved.has(path)));
    this.rest({ number: this.revision, files });
  }

  /** Say which revision is the base. */
  rest({ number, files }) {
    Object.assign(this, { revision: number, entries: files });
    for (const path of this.deleted) if (!files.has(path)) this.deleted.delete(path);
    this.changed();
  }

  #decide({ path, theirs, result }) {
    this.deleted.delete(path);
    if (result === null) {
      if (theirs !== null) this.deleted.add(path);
      this.docs.delete(path);
      return;
    }
    if (!this.docs.has(path)) this.docs.set(path, new Doc(path, result, theirs, this.make));
    const doc = this.docs.get(path);
    if (doc.text !== result) doc.replace(result);
    doc.settle(theirs);
  }

  /** Return whether a text is the text that was edited, or results from the edits. */
  #isKnown(path, theirs) {
    if (this.#doubts.some((changes) => path in changes && changes[path] === theirs)) return true;
    const doc = this.docs.get(path);
    return theirs === this.mine(path) || (Boolean(doc) && theirs === doc.base);
  }

  #follow(path, theirs) {
    const doc = this.docs.get(path);
    if (theirs === null) {
      if (doc?.isDirty && !this.deleted.has(path)) return doc.settle(null); // typed since: a new file
      this.docs.delete(path);
      this.deleted.delete(path);
    } else if (doc) {
      if (!doc.isDirty) doc.replace(theirs);
      doc.settle(theirs);
    }
  }
}
