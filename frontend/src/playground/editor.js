// The editor of the playground, which replaces the form's text area.
import { lintGutter, setDiagnostics } from "@codemirror/lint";
import { Compartment, Prec } from "@codemirror/state";
import { EditorView, keymap, placeholder } from "@codemirror/view";
import { basicSetup } from "codemirror";
import { support } from "./languages.js";
import { look } from "./look.js";
import { stretch } from "./places.js";

const MARKS = { critical: "error", high: "error", medium: "warning", low: "info", info: "info" };

export class Editor {
  /** @param area the text area, which stays in the form and is hidden. */
  constructor(area, onChange, onRun) {
    this.language = new Compartment();
    const { extensions, follow } = look();
    this.view = new EditorView({
      doc: area.value,
      extensions: [
        extensions,
        Prec.highest(keymap.of([{ key: "Mod-Enter", run: () => (onRun(), true) }])),
        basicSetup,
        this.language.of([]),
        lintGutter(),
        placeholder(area.placeholder),
        EditorView.lineWrapping,
        EditorView.contentAttributes.of({ tabindex: "0", "aria-label": "Code", "aria-describedby": area.getAttribute("aria-describedby") ?? "" }),
        EditorView.updateListener.of((update) => update.docChanged && onChange()),
      ],
    });
    follow(this.view);
    area.after(this.view.dom);
    area.hidden = true;
    area.required = false;
  }

  get text() {
    return this.view.state.doc.toString();
  }

  set text(text) {
    this.view.dispatch({ changes: { from: 0, to: this.view.state.doc.length, insert: text } });
  }

  async speak(language) {
    this.view.dispatch({ effects: this.language.reconfigure(await support(language)) });
  }

  /** Mark findings in the text and in the gutter. */
  mark(findings) {
    const { state } = this.view;
    const marks = findings.map(({ range, severity, message, ruleId, engine }) => ({
      ...stretch(state.doc, range),
      severity: MARKS[severity] ?? "info",
      message: `${severity}: ${message}`,
      source: `${engine} ${ruleId}`,
    }));
    this.view.dispatch(setDiagnostics(state, marks.sort((a, b) => a.from - b.from)));
  }

  /** Select a place and go there. */
  go(range) {
    const { from, to } = stretch(this.view.state.doc, range);
    this.view.dispatch({ selection: { anchor: from, head: to }, effects: EditorView.scrollIntoView(from, { y: "center" }) });
    this.view.focus();
  }

  /** Show a place without leaving the list of findings. */
  see(range) {
    const { from, to } = stretch(this.view.state.doc, range);
    this.view.dispatch({ selection: { anchor: from, head: to }, effects: EditorView.scrollIntoView(from, { y: "center" }) });
  }

  /** The code as frames need it. */
  get code() {
    const { doc } = this.view.state;
    return { count: doc.lines, line: (number) => doc.line(number).text };
  }
}
