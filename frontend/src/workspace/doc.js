// A file that is open, or was: its text as it is edited, and as it is in the base revision.
import { presentableDiff } from "@codemirror/merge";
import { endsName, fitted, layout, stretchOf, whole } from "./texts.js";
import { stretch } from "../playground/places.js";

const SCAN = { scanLimit: 500, timeout: 500 };

export class Doc {
  view = null; // the editor, while this file is in it
  scroll = null;
  #saved = null; // the document as it is in the base revision, if the layouts are the same

  /** @param base the text in the base revision, null for a new file.
   * @param make makes an editor's state: `make(doc, shown)` */
  constructor(path, text, base, make) {
    Object.assign(this, { path, base, make });
    this.#lay(text);
  }

  get text() {
    return whole(this.layout, this.state.doc.toString());
  }

  get isNew() {
    return this.base === null;
  }

  get isDirty() {
    if (this.isNew) return true;
    return this.#saved ? !this.state.doc.eq(this.#saved) : this.text !== this.base;
  }

  get endsName() {
    return endsName(this.layout);
  }

  /** Put in another text: by one step that can be undone, unless it has other line ends. */
  replace(text) {
    const next = layout(text);
    if (next.ends !== this.layout.ends && !(next.ends === "\n" && !next.shown.includes("\n"))) return this.#lay(text);
    this.layout.mark = next.mark;
    return this.edit(next.shown);
  }

  /** Have the editor show another text, by one step that can be undone. */
  edit(text) {
    const before = this.state.doc.toString();
    const after = fitted(this.layout, text);
    const changes = presentableDiff(before, after, SCAN).map(({ fromA, toA, fromB, toB }) => ({
      from: fromA, to: toA, insert: this.state.toText(after.slice(fromB, toB)),
    }));
    this.dispatch({ changes, userEvent: "input.replace" });
  }

  /** Say what the file is in a revision that is now the base. `doc` is what the editor showed of it. */
  settle(base, doc = null) {
    this.base = base;
    this.#saved = doc ?? this.#shownAs(base);
  }

  dispatch(spec) {
    if (this.view) this.view.dispatch(spec);
    else this.state = this.state.update(spec).state;
  }

  /** Where a range of the service is in the editor. */
  place(range) {
    const { doc } = this.state;
    return this.layout.ends ? stretch(doc, range) : stretchOf(doc.toString(), range);
  }

  #lay(text) {
    const { mark, ends, shown } = layout(text);
    this.layout = { mark, ends };
    this.state = this.make(this, shown);
    this.view?.setState(this.state);
    this.#saved = this.#shownAs(this.base);
  }

  #shownAs(base) {
    if (base === null) return null;
    const { mark, ends, shown } = layout(base);
    const isSame = mark === this.layout.mark && ends === this.layout.ends;
    if (!isSame) return null;
    const text = this.state.toText(shown);
    return text.eq(this.state.doc) ? this.state.doc : text;
  }
}
