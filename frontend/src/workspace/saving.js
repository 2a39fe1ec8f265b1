// Save all changes as a new revision, even after failures and conflicts.
import { Refusal } from "../playground/refusals.js";
import { showFiles, showTrouble } from "./trouble.js";

const counted = (count) => `${count.toLocaleString("en")} file${count === 1 ? "" : "s"}`;

export class Saving {
  isBusy = false;
  #again = false; // requested while a save is in progress
  #key = { of: "", value: "" };

  /** @param on `saved(answer)`, `say(text)`, `conflict(conflicts, newest)`. */
  constructor(project, service, part, on) {
    Object.assign(this, { project, service, part, on, settings: service.settings });
    part("save").addEventListener("click", () => this.save());
  }

  async save() {
    if (this.isBusy) {
      this.#again = true;
      return;
    }
    const { changes } = this.project;
    const paths = Object.keys(changes);
    if (!paths.length) return this.on.say("No changes to save.");
    this.isBusy = true;
    this.part("trouble").hidden = true;
    this.on.say(`Saving ${counted(paths.length)}…`);
    this.on.drawn();
    const shown = new Map(paths.map((path) => [path, this.project.docs.get(path)?.state.doc]));
    try {
      const answer = await this.service.save(this.project.revision, changes, this.#keyOf(changes));
      await this.#saved(answer, { changes, shown });
    } catch (error) {
      if (!(error instanceof Refusal)) this.project.doubt(changes);
      await this.#refused(error);
    } finally {
      this.isBusy = false;
      this.on.drawn();
    }
    const again = this.#again;
    this.#again = false;
    if (again && this.part("trouble").hidden && !this.part("conflict").open) this.save();
  }

  /** Put a newer revision under what is edited; asks what to do where both have changed a file.
   * @param made the revision that these changes have just made. @returns whether that is done. */
  async takeIn(made = 0, changes = {}) {
    const newest = await this.service.revision();
    if (newest.number === made) this.service.know(newest, changes);
    const conflicts = await this.project.takeIn(newest);
    if (conflicts.length) this.on.conflict(conflicts, newest);
    return !conflicts.length;
  }

  /** The same changes over the same revision are the same request, however often it is sent. */
  #keyOf(changes) {
    const of = JSON.stringify([this.project.revision, changes]);
    if (this.#key.of !== of) {
      const digits = crypto.getRandomValues(new Uint8Array(16));
      this.#key = { of, value: [...digits].map((each) => each.toString(16).padStart(2, "0")).join("") };
    }
    return this.#key.value;
  }

  async #saved(answer, sent) {
    const left = (answer.files?.skipped ?? []).filter(({ path }) => path in sent.changes);
    this.project.settle(sent, new Set(left.map(({ path }) => path)));
    this.on.say(`Saved as revision ${answer.revision.toLocaleString("en")}.`);
    if (left.length) showFiles(this.part("trouble"), "Some files were not stored:", left);
    this.on.saved(answer);
    const stored = Object.entries(sent.changes).filter(([path]) => !left.some((each) => each.path === path));
    try {
      await this.takeIn(answer.revision, Object.fromEntries(stored));
    } catch {
      this.project.revision = answer.revision; // the list of files follows with the next one
    }
  }

  async #refused(error) {
    this.on.say("Not saved. Your text is still here.");
    if (error instanceof Refusal && error.code === "revision_conflict") {
      try {
        if (await this.takeIn()) setTimeout(() => this.save());
        return;
      } catch (other) {
        return this.#problem(other);
      }
    }
    this.#problem(error);
  }

  #problem(error) {
    showTrouble(this.part("trouble"), error, this.settings, () => this.save());
  }
}
