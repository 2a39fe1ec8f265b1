// What a file's name tells.

/** The canonical language of a file, by the extensions that the page knows; empty for none. */
export function languageOf(name, extensions) {
  const dot = name.lastIndexOf(".");
  return dot < 0 ? "" : (extensions[name.slice(dot + 1).toLowerCase()] ?? "");
}

/** A name for the result: the file's own, or `code` with the usual extension of the language. */
export function resultName(name, language, extensions, changed) {
  const ending = Object.keys(extensions).find((each) => extensions[each] === language) ?? "txt";
  if (!name) return `code.${ending}`;
  return changed ? `${name.replace(/\.[^.]*$/, "")}.${ending}` : name;
}

/** The end of line that a text uses most at its beginning, as editors keep another. */
export const endOfLine = (text) => text.match(/\r\n|\n|\r/)?.[0] ?? "\n";
