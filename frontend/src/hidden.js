// Characters that are invisible or change the order of others. The list is the same as in
// codeintel/web/text.py, so that the editor and the pages show the same names.

/** Without control characters, which editors show by themselves. */
export const HIDDEN = new RegExp(
  String.raw`[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u2028-\u202e\u2060-\u206f` +
    String.raw`\u2800\u3164\ufeff\uffa0\ufff0-\ufffb\ufffe\uffff\ud800-\udfff` +
    String.raw`\u{1bca0}-\u{1bca3}\u{1d173}-\u{1d17a}\u{e0000}-\u{e0fff}]`,
  "gu",
);
const ALL = new RegExp(String.raw`[\u0000-\u001f\u007f-\u009f]|${HIDDEN.source}`, "gu");

/** A text in which hidden characters are named. */
export const plain = (text) =>
  text.replace(ALL, (each) => `⟨U+${each.codePointAt(0).toString(16).toUpperCase().padStart(4, "0")}⟩`);
