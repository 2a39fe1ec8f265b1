// The page of a run in progress. It shows events as they arrive, then reloads at the end.
import { Api } from "./playground/api.js";
import { Following } from "./playground/following.js";
import { advice } from "./playground/refusals.js";
import { showProblem } from "./playground/problem.js";
import { begun } from "./playground/words.js";

const root = document.querySelector("[data-run]");
if (root) follow(root);

function follow(page) {
  const part = (name) => page.querySelector(`[data-${name}]`);
  const { run, token, csrf, signIn } = page.dataset;
  let stopping = Promise.resolve();
  const say = (text) => (part("status").textContent = text);
  const take = {
    "run.created": (event) => say(begun(event)),
    progress: ({ message }) => say(message),
    "output.delta": ({ text }) => part("summary-text").append(text),
    finding: () => (part("finding-count").textContent = String(Number(part("finding-count").textContent) + 1)),
  };
  const on = {
    event: (event) => take[event.type]?.(event),
    state(state, why) {
      if (state === "ended") stopping.finally(() => location.reload());
      part("resume").hidden = state !== "lost";
      if (state === "lost") showProblem(part("problem"), advice(why, { signIn, account: "/account" }), () => following.go());
      else part("problem").hidden = true;
    },
  };
  const following = new Following(new Api(token, csrf), on, { runId: run });
  part("live").hidden = false;
  part("stop").hidden = false;
  part("stop").addEventListener("click", () => {
    say("Stopping…");
    stopping = following.cancel().catch((error) => on.state("lost", error));
  });
  part("resume").addEventListener("click", () => following.go());
  following.go();
}
