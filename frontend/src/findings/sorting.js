// Findings filtered, counted and grouped by rule. A finding is `{finding, path}`.

export const SEVERITIES = ["critical", "high", "medium", "low", "info"];
export const CONFIDENCES = ["high", "medium", "low"];
export const FILTERS = ["severity", "confidence", "category", "rule", "path"];

export const ruleOf = ({ engine, ruleId }) => `${engine}/${ruleId}`;
const valueOf = { rule: ({ finding }) => ruleOf(finding), path: ({ path }) => path };
const value = (each, name) => (valueOf[name] ? valueOf[name](each) : each.finding[name]);

/** Whether a finding has what the filters ask for; an empty filter asks for nothing. */
export const fits = (each, filters) => FILTERS.every((name) => !filters[name] || value(each, name) === filters[name]);

/** Numbers of findings by the values of a filter, as the other filters leave them. */
export function counts(all, filters, name) {
  const found = new Map();
  for (const each of all) {
    if (!fits(each, { ...filters, [name]: "" })) continue;
    found.set(value(each, name), (found.get(value(each, name)) ?? 0) + 1);
  }
  const order = { severity: SEVERITIES, confidence: CONFIDENCES }[name];
  const entries = [...found];
  return order ? entries.sort(([a], [b]) => order.indexOf(a) - order.indexOf(b)) : entries.sort(([, a], [, b]) => b - a);
}

/** The findings that fit: `{groups, folded, unsure, total}`, groups by rule, the worst first. Low
 * confidence is folded away, unless the filters ask for it. */
export function sorted(all, filters) {
  const found = all.filter((each) => fits(each, filters));
  const isFolded = ({ finding }) => finding.confidence === "low" && !filters.confidence;
  const unsure = found.filter(isFolded);
  return { groups: grouped(found.filter((each) => !isFolded(each))), folded: grouped(unsure), unsure: unsure.length, total: found.length };
}

/** Findings, the worst first. */
export function worstFirst(all) {
  const rank = ({ finding: { severity, confidence } }) => SEVERITIES.indexOf(severity) * 10 + CONFIDENCES.indexOf(confidence);
  const line = ({ finding: { range } }) => range.startLine * 100_000 + range.startColumn;
  return [...all].sort((a, b) => rank(a) - rank(b) || (a.path < b.path ? -1 : a.path > b.path ? 1 : line(a) - line(b)));
}

function grouped(found) {
  const groups = new Map();
  for (const each of worstFirst(found)) {
    const rule = ruleOf(each.finding);
    groups.set(rule, [...(groups.get(rule) ?? []), each]);
  }
  return [...groups.values()];
}
