"""Run the tools on the examples of our texts about their rules. ruff and oxlint check all examples
in one process, each in a file in a separate folder, with the options that their analyzers use."""

from __future__ import annotations

import json
import subprocess
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import NamedTuple

from codeintel_plugins import complexity, grammars, secrets, taint
from codeintel_plugins.linters import oxlint, shellcheck, sql
from codeintel_plugins.linters.oxlint.process import ENVIRONMENT, oxlint_binary, write_configuration
from codeintel_plugins.linters.oxlint.rules import rule_of_code
from codeintel_plugins.python import bandit, ruff
from codeintel_plugins.python.ruff_process import _ARGUMENTS, ruff_binary
from codeintel_plugins.toolkit.rule_texts import RuleText, rule_texts
from linter_helpers import rules, run

from codeintel.contracts import Analyzer, Model


class Example(NamedTuple):
    """Code that the rule reports (`bad`) or accepts (`good`)."""

    rule: str
    kind: str
    code: str
    language: str

    @property
    def name(self) -> str:
        """A name for a folder."""
        return f"{self.rule.replace('/', '_')}-{self.kind}"


class Tool(NamedTuple):
    """An analyzer with the texts about its rules."""

    analyzer: Analyzer
    texts: Mapping[str, RuleText]
    reported: Callable[[Analyzer, Iterable[Example]], dict[str, set[str]]]

    def examples(self) -> list[Example]:
        """Return all examples, with the language to check them as."""
        of_rule = {rule.id: rule.languages for rule in self.analyzer.rules()}
        fallback = sorted(self.analyzer.languages or ("python",))
        return [
            Example(name, kind, code, text.language or (of_rule[name] or fallback)[0])
            for name, text in self.texts.items()
            for kind, code in (("bad", text.bad), ("good", text.good))
        ]


def by_analyzer(analyzer: Analyzer, examples: Iterable[Example]) -> dict[str, set[str]]:
    """Return the rules that the analyzer reports, by name of the example."""
    return {each.name: set(rules(run(analyzer, each.code, each.language))) for each in examples}


def by_ruff(analyzer: Analyzer, examples: Iterable[Example]) -> dict[str, set[str]]:  # noqa: ARG001 - the other functions need it
    """Return the rules that ruff reports, by name of the example."""
    for each in examples:
        path = Path("ruff", each.name, "snippet.py")
        path.parent.mkdir(parents=True)
        path.write_text(each.code, "utf-8")
    options = [each for each in _ARGUMENTS if not each.startswith("--stdin")]
    command = [ruff_binary(), *options, *ruff._options(Model.PRO), "ruff"]
    lines = subprocess.run(command, capture_output=True, text=True, check=True).stdout.splitlines()
    found: defaultdict[str, set[str]] = defaultdict(set)
    for line in lines:
        entry = json.loads(line)
        found[Path(entry["filename"]).parent.name].add(entry["code"] or "invalid-syntax")
    return found


def by_oxlint(analyzer: Analyzer, examples: Iterable[Example]) -> dict[str, set[str]]:  # noqa: ARG001 - the other functions need it
    """Return the rules that oxlint reports, by name of the example."""
    found: defaultdict[str, set[str]] = defaultdict(set)
    for language in ("javascript", "typescript"):
        for each in examples:
            if each.language == language:
                path = Path(language, each.name, f"snippet.{_extension(each)}")
                path.parent.mkdir(parents=True)
                path.write_text(each.code, "utf-8")
        write_configuration(oxlint.configuration(language, Model.PRO))
        command = [oxlint_binary(), "--config=oxlint.json", "--format=json", "--no-ignore"]
        ended = subprocess.run(
            [*command, "--disable-nested-config", language],
            capture_output=True,
            text=True,
            check=False,
            env=ENVIRONMENT,
        )
        for entry in json.loads(ended.stdout)["diagnostics"]:
            name = Path(entry["filename"]).parent.name
            found[name].add(rule_of_code(entry.get("code")))
    return found


def _extension(example: Example) -> str:
    if example.language == "javascript":
        return "js"
    return "tsx" if "/>" in example.code else "ts"


TOOLS = {
    "bandit": Tool(bandit.BanditAnalyzer(), rule_texts(bandit.TEXTS), by_analyzer),
    "complexity": Tool(complexity.ComplexityAnalyzer(), rule_texts(complexity.TEXTS), by_analyzer),
    "oxlint": Tool(oxlint.OxlintAnalyzer(), rule_texts(oxlint.TEXTS), by_oxlint),
    "ruff": Tool(ruff.RuffAnalyzer(), ruff.ruff_texts(), by_ruff),
    "secrets": Tool(secrets.SecretsAnalyzer(), rule_texts(secrets.TEXTS), by_analyzer),
    "shellcheck": Tool(shellcheck.ShellcheckAnalyzer(), rule_texts(shellcheck.TEXTS), by_analyzer),
    "sql": Tool(sql.SqlAnalyzer(), rule_texts(sql.TEXTS), by_analyzer),
    "syntax": Tool(grammars.SyntaxAnalyzer(), rule_texts(grammars.TEXTS), by_analyzer),
    "taint": Tool(taint.TaintAnalyzer(), rule_texts(taint.TEXTS), by_analyzer),
}
