// What a transformation has changed, side by side or in one column.
import { MergeView, unifiedMergeView } from "@codemirror/merge";
import { EditorState } from "@codemirror/state";
import { EditorView, lineNumbers } from "@codemirror/view";
import { minimalSetup } from "codemirror";
import { support } from "./languages.js";
import { look } from "./look.js";

const COLLAPSE = { margin: 3, minSize: 8 };

/** Show two texts in a box; returns how to remove them. */
export async function showDiff(box, { before, after, languages, unified }) {
  const [from, to] = await Promise.all(languages.map(support));
  const part = (language, label) => {
    const { extensions } = look();
    return [
      extensions, minimalSetup, lineNumbers(), language, EditorView.lineWrapping,
      EditorState.readOnly.of(true), EditorView.contentAttributes.of({ "aria-label": label, "aria-readonly": "true", tabindex: "0" }),
    ];
  };
  if (unified) {
    const view = new EditorView({
      parent: box,
      doc: after,
      extensions: [part(to, "Changes in one column"), unifiedMergeView({ original: before, mergeControls: false, collapseUnchanged: COLLAPSE })],
    });
    return () => view.destroy();
  }
  const merge = new MergeView({
    parent: box,
    a: { doc: before, extensions: part(from, "Code before") },
    b: { doc: after, extensions: part(to, "Code after") },
    collapseUnchanged: COLLAPSE,
  });
  return () => merge.destroy();
}
