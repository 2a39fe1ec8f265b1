// Describe the progress and the result of a run in words.
import { credits } from "./prices.js";

const counted = (count, noun) => `${count.toLocaleString("en")} ${noun}${count === 1 ? "" : "s"}`;

export const begun = ({ engine, model, creditsReserved }) =>
  `Started with ${model} (${engine}). ${creditsReserved ? `${credits(creditsReserved)} reserved.` : "Nothing is charged."}`;

/** Describe the end of a run, from its last event and its result. */
export function ended(event, result) {
  const cost = event.creditsCharged ? `${credits(event.creditsCharged)} charged.` : "Nothing was charged.";
  if (event.type === "run.completed") return `Done. ${outcome(result)} ${cost}`;
  const how = { "run.cancelled": "Stopped.", "run.incomplete": "Not finished.", "run.failed": "Failed." };
  return `${how[event.type]} ${event.message ?? ""} ${cost}`;
}

function outcome(result) {
  if (!result) return "";
  if (result.kind === "analysis") {
    return result.findings.length ? `${counted(result.findings.length, "finding")}.` : "No findings.";
  }
  if (!result.changed) return "The code is unchanged.";
  return `The code has changed. ${verdict(result)}`;
}

const VERDICTS = {
  proven: "Proven: the new code behaves like the original.",
  checked: "Checked, not proven: no check failed, but none proved that the new code behaves like the original.",
  unproven: "Unproven: the new code failed its checks.",
};

/** How much the checks of a transformation have shown. */
export const verdict = (result) => VERDICTS[result.verdict] ?? "See the list of checks.";

const CHECKS = {
  parses: "Parses",
  equivalent: "Same meaning",
  same_values: "Same values",
  same_interface: "Same interface",
  no_new_findings: "No new findings",
  stable: "Stable when repeated",
  same_behaviour: "Same behavior when run",
};
const OUTCOMES = { passed: "passed", failed: "failed", not_applicable: "not checked" };

/** A check of a transformation: `{title, outcome, status, evidence, level}`. */
export const checked = ({ name, level, status, evidence }) => ({
  title: CHECKS[name] ?? name.replaceAll("_", " "), outcome: OUTCOMES[status] ?? status, status, evidence, level,
});

export const place = ({ startLine, startColumn }) => `Line ${startLine}, column ${startColumn}`;
