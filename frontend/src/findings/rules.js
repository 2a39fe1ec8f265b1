// Titles of rules and the URLs of their pages, which are requested once.
import { ruleOf } from "./sorting.js";

const NONE = { title: "", page: "" };

export class Rules {
  #known = new Map();

  constructor(address) {
    this.address = address;
  }

  /** `{title, page}` of the rule of a finding; both empty where it has none. */
  of(finding) {
    return this.#known.get(ruleOf(finding)) ?? NONE;
  }

  /** Ask for the rules of findings. Returns whether something is known now that was not before. */
  async learn(findings) {
    const missing = [...new Set(findings.map(ruleOf))].filter((rule) => !this.#known.has(rule));
    if (!missing.length) return false;
    for (const rule of missing) this.#known.set(rule, NONE);
    try {
      const query = new URLSearchParams(missing.slice(0, 100).map((rule) => ["rule", rule]));
      const answer = await fetch(`${this.address}?${query}`);
      const { rules } = await answer.json();
      for (const [rule, found] of Object.entries(rules)) this.#known.set(rule, found);
      return true;
    } catch {
      return false; // findings have messages, too
    }
  }
}
