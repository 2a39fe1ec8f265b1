// The parts of the page: shown and hidden, and reached by keys.
import { listen } from "./shortcuts.js";

const NARROW = "(max-width: 55.99rem)";

export class Regions {
  constructor(part, environment) {
    Object.assign(this, { part, environment });
    const { files, finder, palette, saving, tabs, tree } = environment;
    const chosen = (act) => () => act(tree.chosen || environment.doc?.path);
    const close = () => environment.doc && files.close(environment.doc.path);
    const turn = (step) => tabs.paths.length && files.open(tabs.next(step), { goes: true });
    const acts = {
      "side-toggle": () => this.toggle("side"),
      "runs-toggle": () => this.toggle("runs"),
      "problems-toggle": () => this.toggle("problems"),
      quick: () => palette.show(),
      find: () => this.find(),
      help: () => part("keys").showModal(),
      new: () => files.make(),
      rename: chosen((path) => files.rename(path)),
      delete: chosen((path) => files.remove(path)),
      revert: chosen((path) => files.revert(path)),
      close,
    };
    for (const [name, act] of Object.entries(acts)) part(name).addEventListener("click", act);
    listen({
      "Mod-s": () => saving.save(),
      "Mod-p": acts.quick,
      "Mod-Shift-f": acts.find,
      F1: acts.help,
      F6: () => this.#go(1),
      "Shift-F6": () => this.#go(-1),
      "Alt-w": close,
      "Alt-n": acts.new,
      "Alt-a": () => this.toggle("runs"),
      "Alt-m": () => this.toggle("problems"),
      "Alt-PageUp": () => turn(-1),
      "Alt-PageDown": () => turn(1),
    });
    this.finder = finder;
  }

  begin(isOpen) {
    const text = new URLSearchParams(location.search).get("q");
    this.show("side", !(isOpen && matchMedia(NARROW).matches));
    if (!text) return;
    this.part("find-text").value = text;
    this.find();
    this.finder.find();
  }

  /** A file is open: on a narrow page there is room for nothing else. */
  opened() {
    if (matchMedia(NARROW).matches) this.show("side", false);
  }

  show(name, isShown) {
    this.part(name).hidden = !isShown;
    this.part(`${name}-toggle`).setAttribute("aria-expanded", String(isShown));
    if (name === "runs") this.environment.runs.update();
  }

  toggle(name) {
    const isShown = this.part(name).hidden;
    this.show(name, isShown);
    if (name === "runs" && isShown) this.part("run-form").elements.task.focus();
    if (name === "problems" && isShown) this.#problems().focus();
    if (name === "side" && isShown) this.environment.tree.focus();
  }

  get isNarrow() {
    return matchMedia(NARROW).matches;
  }

  #problems() {
    return this.part("problems").querySelector("summary, button") ?? this.part("problems-toggle");
  }

  find() {
    this.show("side", true);
    this.finder.toggle(true);
  }

  /** Move to the next visible part, and from the last to the first. */
  #go(step) {
    const { environment, part } = this;
    const places = [
      [part("save").parentElement, () => part("save").focus()],
      [part("side"), () => (part("finder").hidden ? environment.tree.focus() : part("find-text").focus())],
      [part("tabs"), () => environment.tabs.focus()],
      [part("pane"), () => environment.pane.focus()],
      [part("diff"), () => part("diff").querySelector(".cm-content")?.focus()],
      [part("problems"), () => this.#problems().focus()],
      [part("runs"), () => part("run-form").elements.task.focus()],
    ].filter(([box]) => !box.hidden);
    const at = places.findIndex(([box]) => box.contains(document.activeElement));
    places.at((at + step + places.length) % places.length)[1]();
  }
}
