// What was typed, for as long as the tab is open: signing in leaves the page.

const NAME = "codeintel-playground";

/** Restore the draft, and store it after each change. @param fields elements of the form by name. */
export function keepDraft(fields, read) {
  try {
    const kept = JSON.parse(sessionStorage.getItem(NAME) ?? "{}");
    for (const [name, field] of Object.entries(fields)) if (kept[name] && !field.value) field.value = kept[name];
    addEventListener("pagehide", () => sessionStorage.setItem(NAME, JSON.stringify(read())));
  } catch {
    // no storage: nothing is kept
  }
}
