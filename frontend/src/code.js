// The pages of runs: show findings with the code that the tab kept or that the user chooses.
import { compared, kept } from "./findings/chosen.js";
import { item } from "./findings/item.js";
import { Rules } from "./findings/rules.js";
import { openFiles } from "./playground/files.js";

for (const box of document.querySelectorAll("[data-code]")) start(box);

function start(box) {
  const run = JSON.parse(box.dataset.code);
  const part = (name) => box.querySelector(`[data-code-${name}]`);
  const say = (text, isWrong) => {
    part("status").textContent = text;
    part("status").classList.toggle("code-wrong", isWrong);
  };
  const take = async (name, text) => {
    const outcome = await compared(run, text);
    if (outcome === "different") return say(`${name} is not the code of this run. Choose the version that was analyzed.`, true);
    await show(run, text);
    part("hint").hidden = true;
    return say(outcome === "same" ? `The findings are shown with ${name}.` : `The findings are shown with ${name}. Only its length could be compared with the code of this run.`, false);
  };
  openFiles({ button: part("open"), input: part("file"), area: box, most: run.most, take, refuse: (text) => say(text, true) });
  box.hidden = false;
  const code = kept(run.run);
  if (code !== null) take(run.name, code);
}

/** Replace the findings of a run by the same findings with code. */
async function show({ run, rules: address }, text) {
  const lines = text.split(/\r\n?|\n/);
  const rules = new Rules(address);
  const context = { rule: (finding) => rules.of(finding), code: () => ({ count: lines.length, line: (number) => lines[number - 1] }) };
  const elements = [...document.querySelectorAll(`[data-code-of="${run}"] [data-finding]`)];
  const findings = elements.map((each) => JSON.parse(each.dataset.finding));
  await rules.learn(findings);
  elements.forEach((each, at) => {
    const made = item({ finding: findings[at], isOpen: each.firstElementChild.open, inGroup: "inGroup" in each.dataset }, context);
    Object.assign(made.dataset, each.dataset);
    each.replaceWith(made);
  });
}
