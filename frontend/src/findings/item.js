// One finding, with the markup of `templates/findings_macros.html`.
import { coded, make } from "../dom.js";
import { plain } from "../hidden.js";
import { fixLines, frame } from "./frame.js";

const STEPS = { source: "Source", step: "Step", sink: "Sink" };
const FIXES = { safe: "Keeps the behavior", unsafe: "May change the behavior", display: "Suggestion" };
const CWE = "https://cwe.mitre.org/data/definitions/";
const shown = (line) => line.split("\t").map(plain).join("\t"); // tabs of code stay tabs
const told = (text) => coded(plain(text));
const number = (count) => count.toLocaleString("en");
export const capital = (text) => text.charAt(0).toUpperCase() + text.slice(1);

/** A severity as a label. */
export const badge = (severity) => make("span", { class: `severity severity-${severity}` }, capital(severity));

/** Make an element for a finding.
 * @param shown `{finding, path, isOpen, inGroup}`: within a group of its rule, the message replaces
 *     the title.
 * @param context `rule(finding)` returns `{title, page}`. `code(path)` returns the code or null.
 *     `go(range, path)` shows a position, if the page can. */
export function item({ finding, path = "", isOpen, inGroup }, context) {
  const { severity, range, remedy } = finding;
  const { title, page } = context.rule(finding);
  const message = title && finding.message.startsWith(`${title}: `) ? finding.message.slice(title.length + 2) : finding.message;
  const code = context.code(path);
  const hasTitle = Boolean(title) && !inGroup;
  const place = path ? [make("bdi", { dir: "ltr" }, plain(path)), `:${range.startLine}`] : [`line ${number(range.startLine)}`];
  const summary = make("summary", {},
    badge(severity), " ", make("span", { class: "finding-title" }, ...told(hasTitle ? title : message)), " ", make("span", { class: "finding-place" }, ...place));
  const body = make("div", { class: "finding-body" },
    hasTitle ? make("p", { class: "finding-message" }, ...told(message)) : null,
    finding.category === "secrets" ? null : framed(code, range),
    ...steps(finding, path, code, context),
    remedy ? make("p", { class: "finding-remedy" }, make("span", { class: "finding-label" }, "How to fix it"), " ", ...told(remedy)) : null,
    finding.fix ? fixed(finding.fix, code) : null,
    finding.unverified ? make("p", { class: "finding-note" }, "A model reported this without quoting the code. Check it yourself.") : null,
    finding.suppression ? make("p", { class: "finding-note" }, `Suppressed in the code by ${plain(finding.suppression.comment)} on line ${number(finding.suppression.line)}.`) : null,
    facts(finding, path, page, context));
  return make("li", { class: "finding", "data-severity": severity }, make("details", { open: isOpen }, summary, body));
}

function framed(code, range) {
  const lines = frame(code, range);
  if (!lines.length) return null;
  const rows = lines.map(({ number: at, isMarked, before, marked, after }) =>
    make("span", { class: isMarked ? "frame-marked" : null, "data-line": at }, shown(before), marked ? make("mark", {}, shown(marked)) : null, `${shown(after)}\n`));
  return make("pre", { class: "code-frame", dir: "ltr", tabindex: "0", role: "region", "aria-label": `Code at line ${number(range.startLine)}` }, make("code", {}, ...rows));
}

function steps({ flow = [] }, path, code, context) {
  if (!flow.length) return [];
  const rows = flow.map(({ kind, range, message, path: other }) => {
    const line = !other && code && range.startLine <= code.count ? code.line(range.startLine).trim().slice(0, 200) : "";
    return make("li", { class: `step step-${kind}` },
      make("span", { class: "step-kind" }, STEPS[kind] ?? kind), " ", jump(other ? `${plain(other)}:${range.startLine}` : `Line ${number(range.startLine)}`, range, other ?? path, context, "step-line"), " ",
      line ? make("code", {}, plain(line)) : null, " ", make("span", { class: "step-message" }, ...told(message)));
  });
  return [make("p", { class: "finding-label" }, "Path of the value"), make("ol", { class: "steps", role: "list" }, ...rows)];
}

function fixed({ message, applicability, edits }, code) {
  const lines = fixLines(code, edits);
  return make("div", { class: "finding-fix" },
    make("p", {}, make("span", { class: "finding-label" }, "Fix"), " ", ...told(message), " ", make("span", { class: "note-inline" }, FIXES[applicability] ?? "")),
    lines.length
      ? make("pre", { class: "diff", dir: "ltr", tabindex: "0", role: "region", "aria-label": "Fix as a diff" }, make("code", {}, ...lines.map(([kind, line]) => make("span", { class: kind }, `${shown(line)}\n`))))
      : null);
}

function facts({ ruleId, engine, cwe, range, category, confidence, also = [] }, path, page, context) {
  const id = make("code", {}, plain(ruleId));
  const place = `line ${number(range.startLine)}, column ${number(range.startColumn)}`;
  return make("p", { class: "finding-facts" },
    jump(capital(place), range, path, context), " ",
    make("span", {}, "Rule ", page ? make("a", { href: page, target: context.newTab ? "_blank" : null }, id) : id, ` (${plain(engine)})`), " ",
    cwe ? make("span", {}, make("a", { href: `${CWE}${cwe.slice(4)}.html`, target: context.newTab ? "_blank" : null }, cwe)) : null, " ",
    make("span", {}, capital(category)), " ", make("span", {}, `${capital(confidence)} confidence`), " ",
    also.length ? make("span", {}, `Also reported by ${plain(also.map((each) => `${each.engine} ${each.ruleId}`).join(", "))}`) : null, " ",
    make("button", { class: "finding-copy", type: "button", "data-copy-finding": true }, "Copy", make("span", { class: "unseen" }, ` the finding at ${place}`)));
}

function jump(text, range, path, context, more = "") {
  if (!context.go) return make("span", { class: more || null }, text);
  const button = make("button", { type: "button", class: `finding-go ${more}`.trim() }, text);
  button.addEventListener("click", () => context.go(range, path));
  return button;
}
