// What is not saved yet, kept for as long as the tab is open: a page may be reloaded by mistake.

const MOST = 4_000_000; // characters: what browsers keep at least
const SOON_MS = 400;

export class Drafts {
  isReady = false; // before what was kept is back, nothing is kept in its place
  #timer = 0;

  /** @param read gives what to keep, or null for nothing. @param told is called with a text when it
   * cannot be kept. */
  constructor(id, read, told) {
    Object.assign(this, { name: `codeintel-workspace-${id}`, read, told });
    addEventListener("pagehide", () => this.#keep());
    addEventListener("visibilitychange", () => document.hidden && this.#keep());
  }

  /** `{revision, files, tabs, active}` that was kept, or null. */
  get kept() {
    try {
      return JSON.parse(sessionStorage.getItem(this.name));
    } catch {
      return null;
    }
  }

  soon() {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#keep(), SOON_MS);
  }

  #keep() {
    clearTimeout(this.#timer);
    if (!this.isReady) return;
    try {
      const kept = JSON.stringify(this.read());
      if (kept.length > MOST) throw new Error("too much");
      sessionStorage.setItem(this.name, kept);
      this.isFull = false;
    } catch {
      if (!this.isFull) this.told("The unsaved text is too large to survive a reload of this page. Save it soon.");
      this.isFull = true;
    }
  }
}
