// Keys that work everywhere in the environment.

/** @param acts what to do, by names like `Mod-s`, `Alt-w`, `F6`, `Shift-F6`: "Mod" is Ctrl or Cmd. */
export function listen(acts) {
  document.addEventListener("keydown", (event) => {
    const act = acts[nameOf(event)];
    if (!act) return;
    event.preventDefault();
    event.stopPropagation();
    if (!document.querySelector("dialog[open]")) act();
  }, { capture: true });
}

function nameOf({ key, code, ctrlKey, metaKey, altKey, shiftKey }) {
  // With Alt, some keyboards make other letters.
  const name = altKey && /^Key[A-Z]$/.test(code) ? code.slice(3).toLowerCase() : key.length === 1 ? key.toLowerCase() : key;
  return `${ctrlKey || metaKey ? "Mod-" : ""}${altKey ? "Alt-" : ""}${shiftKey ? "Shift-" : ""}${name}`;
}
