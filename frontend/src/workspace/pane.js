// The editor: one view, into which the files' states are put.
import { lintGutter, setDiagnostics } from "@codemirror/lint";
import { Compartment, EditorState } from "@codemirror/state";
import { EditorView } from "@codemirror/view";
import { basicSetup } from "codemirror";
import { support } from "../playground/languages.js";
import { look } from "../playground/look.js";
import { plain } from "../hidden.js";

const MARKS = { critical: "error", high: "error", medium: "warning", low: "info", info: "info" };

export class Pane {
  #language = new Compartment();
  #look = look();
  #view = null;
  doc = null;

  /** @param languageOf tells the language of a path.
   * @param on `changed(doc)` when a text changes, `moved(doc)` when the cursor does. */
  constructor(box, languageOf, on) {
    Object.assign(this, { box, languageOf, on });
  }

  /** The state of an editor for a file. */
  make = (doc, shown) => {
    const name = `Text of ${plain(doc.path)}`;
    const state = EditorState.create({
      doc: shown,
      extensions: [
        this.#look.extensions,
        basicSetup,
        this.#language.of([]),
        lintGutter(),
        EditorView.lineWrapping,
        EditorView.scrollHandler.of(centered),
        EditorView.contentAttributes.of({ tabindex: "0", "aria-label": name }),
        doc.layout.ends ? [] : EditorState.lineSeparator.of("\n"), // carriage returns are characters
        EditorView.updateListener.of((update) => this.#updated(doc, update)),
      ],
    });
    support(this.languageOf(doc.path)).then((found) => doc.dispatch({ effects: this.#language.reconfigure(found) }));
    return state;
  };

  show(doc) {
    this.#leave();
    this.doc = doc;
    this.box.hidden = !doc;
    if (!doc) return;
    if (this.#view) this.#view.setState(doc.state);
    else {
      this.#view = new EditorView({ state: doc.state, parent: this.box });
      this.#look.follow(this.#view);
    }
    doc.view = this.#view;
    this.#view.dispatch({ effects: [this.#look.now(), ...(doc.scroll ? [doc.scroll] : [])] });
    this.on.moved(doc);
  }

  focus() {
    this.#view?.focus();
  }

  /** Select a stretch of the open file and go there. @param stays whether the focus stays where it is. */
  select(from, to, stays = false) {
    const { length } = this.#view.state.doc;
    const [anchor, head] = [Math.min(from, length), Math.min(to, length)];
    this.#view.dispatch({ selection: { anchor, head }, effects: EditorView.scrollIntoView(anchor, { y: "center" }) });
    if (!stays) this.#view.focus();
  }

  #leave() {
    if (this.doc?.view) this.doc.scroll = this.#view.scrollSnapshot();
    if (this.doc) this.doc.view = null;
  }

  #updated(doc, update) {
    if (doc.view !== update.view) return;
    doc.state = update.state;
    if (update.docChanged) this.on.changed(doc);
    if (update.docChanged || update.selectionSet) this.on.moved(doc);
  }
}

/** Center a line within the editor. The page stays where it is, unless the editor is out of view. */
function centered(view, { head }, { y }) {
  if (y !== "center") return false;
  const { top, bottom } = view.lineBlockAt(head);
  view.scrollDOM.scrollTop = view.documentPadding.top + (top + bottom - view.scrollDOM.clientHeight) / 2;
  view.dom.scrollIntoView({ block: "nearest" });
  return true;
}

/** Mark findings in a file's text and in its gutter. */
export function mark(doc, findings) {
  const marks = findings.map(({ range, severity, message, ruleId, engine }) => ({
    ...doc.place(range),
    severity: MARKS[severity] ?? "info",
    message: `${severity}: ${message}`,
    source: `${engine} ${ruleId}`,
  }));
  doc.dispatch(setDiagnostics(doc.state, marks.sort((a, b) => a.from - b.from)));
}
