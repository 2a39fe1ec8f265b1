// What went wrong, above the editor: no link of it leaves the page that has the unsaved text.
import { make } from "../dom.js";
import { showProblem } from "../playground/problem.js";
import { advice, Refusal } from "../playground/refusals.js";
import { plain } from "../hidden.js";

/** Show what to do about an error. @param again retries, if waiting may help. */
export function showTrouble(box, error, settings, again) {
  if (!(error instanceof Refusal)) {
    return showProblem(box, { text: "The service is unreachable. Your text stays here. Check the network, then try again.", wait: again ? 1 : 0 }, again);
  }
  if (Array.isArray(error.details.files)) return showFiles(box, error.message, error.details.files);
  if (error.status === 401) return showSignIn(box, settings);
  const { action, ...told } = advice(error, settings);
  const text = error.status === 413 ? error.message : told.text;
  return showProblem(box, { ...told, text, action: error.status === 403 ? null : action }, again);
}

/** Name files, each with a reason. */
export function showFiles(box, text, files) {
  const items = files.map(({ path, reason }) => make("li", {}, make("bdi", {}, make("code", {}, plain(path))), `: ${reason}`));
  box.replaceChildren(make("p", {}, text), make("ul", {}, ...items));
  box.hidden = false;
}

function showSignIn(box, { signIn }) {
  const link = make("a", { href: signIn, target: "_blank", rel: "noopener" }, "Sign in again in a new tab");
  box.replaceChildren(make("p", {}, "Your session has ended. Your text stays here."), make("p", {}, link, ", then return to this one."));
  box.hidden = false;
}
