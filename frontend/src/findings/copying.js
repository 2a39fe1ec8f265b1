// A finding as a text to paste, from the elements that show it.

const words = (element) => element?.textContent.replace(/\s+/g, " ").trim() ?? "";

/** Return the text of the finding that an element is in. */
export function textOfFinding(element) {
  const finding = element.closest(".finding");
  const part = (name) => words(finding.querySelector(name));
  const facts = [...finding.querySelectorAll(".finding-facts > :not(button)")].map(words).filter(Boolean);
  const frame = [...finding.querySelectorAll(".code-frame [data-line]")].map((line) => `${line.dataset.line.padStart(5)} | ${line.textContent.trimEnd()}`);
  const steps = [...finding.querySelectorAll(".step")].map((step) => `- ${words(step)}`);
  const title = `${part("summary .severity")}: ${part(".finding-title")} (${part(".finding-place")})`;
  return [title, part(".finding-message"), frame.join("\n"), steps.join("\n"), part(".finding-remedy"), facts.join(", ")].filter(Boolean).join("\n\n");
}
