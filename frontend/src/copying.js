// Copy buttons: `<button type="button" data-copy="id" hidden>`. A button copies the text or the
// value of the element with this ID, or of the code next to the button. With `data-copy-finding`,
// it copies the finding around it. Without scripts, the buttons stay hidden.
import { announce } from "./dom.js";
import { textOfFinding } from "./findings/copying.js";

const SHOWN_MS = 2000;

export function startCopying(root = document) {
  for (const button of root.querySelectorAll("[data-copy]")) {
    button.hidden = false;
    button.addEventListener("click", () => copy(button));
  }
  for (const button of root.querySelectorAll("[data-copy-finding]")) button.hidden = false;
  root.addEventListener("click", ({ target }) => {
    const button = target.closest?.("[data-copy-finding]");
    if (button) copy(button);
  });
}

async function copy(button) {
  const text = textOf(button);
  const done = await written(text);
  const told = done ? "Copied" : "The browser blocked copying. Select the text and copy it.";
  announce(told);
  if (!button.dataset.busy) {
    button.dataset.busy = "yes";
    const before = [...button.childNodes];
    button.replaceChildren(done ? "Copied" : "Not copied");
    setTimeout(() => {
      button.replaceChildren(...before);
      delete button.dataset.busy;
    }, SHOWN_MS);
  }
}

function textOf(button) {
  if ("copyFinding" in button.dataset) return textOfFinding(button);
  const id = button.dataset.copy.replace(/^#/, "");
  const source = id ? document.getElementById(id) : button.parentElement.querySelector("pre, code");
  return source?.value ?? source?.textContent ?? "";
}

async function written(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return writtenByHand(text); // without https there is no clipboard
  }
}

function writtenByHand(text) {
  const field = document.createElement("textarea");
  field.value = text;
  field.className = "unseen";
  const focused = document.activeElement;
  document.body.append(field);
  field.select();
  const done = document.execCommand("copy");
  field.remove();
  focused?.focus();
  return done;
}
