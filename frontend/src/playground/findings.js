// The list of findings beside the editor.
import { coded, make } from "../dom.js";
import { place } from "./words.js";

/** An item for a finding; pressing it goes to the place in the code. */
export function item(finding, quote, go) {
  const { severity, message, range, cwe, ruleId, engine, remedy } = finding;
  const badge = make("span", { class: `severity severity-${severity}` }, severity);
  const jump = make("button", { type: "button", class: "finding-go" }, badge, " ", make("span", { class: "finding-message" }, ...coded(message)));
  jump.addEventListener("click", () => go(range));
  const facts = [place(range), cwe, `${engine} ${ruleId}`].filter(Boolean).join(" · ");
  return make(
    "li",
    { class: "finding" },
    jump,
    make("p", { class: "finding-facts" }, facts),
    quote ? make("pre", { class: "finding-quote" }, make("code", {}, quote)) : null,
    remedy ? make("p", { class: "finding-remedy" }, ...coded(remedy)) : null,
    finding.unverified ? make("p", { class: "finding-facts" }, "A model says so of code that it did not quote: look twice.") : null,
  );
}
