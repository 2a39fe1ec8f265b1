// An error on the page, with what to do next.
import { make } from "../dom.js";

/** Show advice in a box; `again`, if there is a time to wait, becomes a button that counts down. */
export function showProblem(box, { text, action, wait = 0 }, again) {
  box.replaceChildren(make("p", {}, text));
  box.hidden = false;
  if (action) box.append(make("p", {}, make("a", { href: action.href }, action.text)));
  else if (wait && again) box.append(make("p", {}, waiting(wait, again)));
}

function waiting(seconds, again) {
  const button = make("button", { type: "button", class: "button button-small" });
  const ends = Date.now() + seconds * 1000;
  const count = () => {
    const left = Math.ceil((ends - Date.now()) / 1000);
    button.disabled = left > 0;
    button.textContent = left > 0 ? `Try again in ${left} s` : "Try again";
    if (left > 0) setTimeout(() => button.isConnected !== false && count(), 500);
  };
  count();
  button.addEventListener("click", again);
  return button;
}
