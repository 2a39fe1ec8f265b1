// The editor in the colors of the site, light and dark.
import { HighlightStyle, syntaxHighlighting } from "@codemirror/language";
import { Compartment } from "@codemirror/state";
import { drawSelection, EditorView, highlightSpecialChars } from "@codemirror/view";
import { tags as t } from "@lezer/highlight";
import { darkness, nonce } from "../dom.js";
import { HIDDEN } from "../hidden.js";

const THEME = {
  "&": { color: "var(--ink)", backgroundColor: "var(--ground)", fontSize: "var(--size-s)" },
  "&.cm-focused": { outline: "3px solid var(--focus)", outlineOffset: "-3px" },
  // The line numbers, in a separate layer, cover the outline: draw it again above them.
  "&.cm-focused::after": { content: '""', position: "absolute", inset: "0", zIndex: "300", border: "3px solid var(--focus)", borderRadius: "inherit", pointerEvents: "none" },
  ".cm-scroller": { fontFamily: "var(--mono)", lineHeight: "1.6" },
  ".cm-content": { padding: "var(--s3) 0", caretColor: "var(--ink)" },
  ".cm-gutters": { backgroundColor: "var(--ground-side)", color: "var(--ink-soft)", borderRight: "1px solid var(--line)" },
  ".cm-activeLine, .cm-activeLineGutter": { backgroundColor: "color-mix(in srgb, var(--accent-wash) 55%, transparent)" },
  "&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground": { backgroundColor: "color-mix(in srgb, var(--accent) 28%, transparent)" },
  ".cm-cursor": { borderLeftColor: "var(--ink)" },
  ".cm-panels, .cm-tooltip": { backgroundColor: "var(--ground-side)", color: "var(--ink)", border: "1px solid var(--line-strong)" },
  ".cm-diagnostic": { fontFamily: "var(--text)", padding: "var(--s2) var(--s3)", maxWidth: "32rem" },
  ".cm-diagnostic-error": { borderLeftColor: "var(--danger)" },
  ".cm-diagnostic-warning": { borderLeftColor: "var(--caution)" },
  ".cm-diagnostic-info": { borderLeftColor: "var(--post)" },
  ".cm-placeholder": { color: "var(--ink-soft)" },
  "&.cm-merge-a .cm-changedLine, .cm-deletedChunk": { backgroundColor: "var(--danger-wash)" },
  "&.cm-merge-b .cm-changedLine, .cm-insertedLine": { backgroundColor: "var(--accent-wash)" },
  "&.cm-merge-a .cm-changedText, .cm-deletedChunk .cm-deletedText": { background: "none", borderBottom: "2px solid var(--danger)" },
  "&:not(.cm-merge-a) .cm-changedText": { background: "none", borderBottom: "2px solid var(--accent)" },
  "&.cm-merge-a .cm-changedLineGutter, .cm-deletedLineGutter": { background: "var(--danger)" },
  "&.cm-merge-b .cm-changedLineGutter": { background: "var(--accent)" },
  ".cm-collapsedLines": { color: "var(--accent)", background: "var(--accent-wash)" },
};
const COLOURS = HighlightStyle.define([
  { tag: [t.keyword, t.modifier, t.operatorKeyword, t.controlKeyword], color: "var(--post)", fontWeight: "600" },
  { tag: [t.string, t.special(t.string), t.regexp, t.attributeValue], color: "var(--accent)" },
  { tag: [t.comment, t.meta, t.documentMeta], color: "var(--ink-soft)", fontStyle: "italic" },
  { tag: [t.number, t.bool, t.null, t.atom, t.escape], color: "var(--caution)" },
  { tag: [t.function(t.definition(t.variableName)), t.definition(t.typeName), t.className], fontWeight: "700" },
  { tag: [t.typeName, t.tagName, t.attributeName, t.propertyName], color: "var(--ink)" },
  { tag: t.invalid, color: "var(--danger)" },
]);

const theme = (dark) => EditorView.theme(THEME, { dark });

/** Extensions for an editor; `follow(view)` keeps it in the colors of the page, and `now()` is what
 * brings a state that was not in the view there. */
export function look() {
  const part = new Compartment();
  return {
    extensions: [
      EditorView.cspNonce.of(nonce()),
      part.of(theme(darkness())),
      matchMedia("(prefers-reduced-motion: reduce)").matches ? drawSelection({ cursorBlinkRate: 0 }) : [],
      syntaxHighlighting(COLOURS),
      highlightSpecialChars({ addSpecialChars: HIDDEN }),
    ],
    now: () => part.reconfigure(theme(darkness())),
    follow: (view) => darkness((dark) => view.dispatch({ effects: part.reconfigure(theme(dark)) })),
  };
}
