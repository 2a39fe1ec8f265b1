"""One rule, as its file has it, checked."""

from __future__ import annotations

import re
from functools import cached_property
from pathlib import Path
from typing import Any

import msgspec

from codeintel.contracts import Category, Confidence, Model, RuleInfo, Severity
from codeintel.engine.data_files import DataFileError, read_data
from codeintel.engine.dataflow.tree import GRAMMARS
from codeintel.engine.symbolic.facts import Fact
from codeintel_plugins.patterns.needs import Need, needs

_ID = re.compile(r"[a-z][a-z0-9]*(?:-[a-z0-9]+)*")
_CWE = re.compile(r"CWE-[1-9][0-9]*")
LANGUAGES = (
    "python", "javascript", "typescript", "java", "go", "php", "ruby", "c", "cpp", "csharp", "rust",
    "bash",
)  # fmt: skip

EXECUTED = frozenset({"c", "cpp"})
"""The languages whose functions are executed symbolically."""


class Examples(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Code in which the rule must find something, and code in which it must find nothing."""

    bad: tuple[str, ...]
    good: tuple[str, ...]


class PatternRule(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, dict=True):
    """A rule over syntax trees.

    `match`, `constraints` and `utils` are ast-grep's. Of the matches those are reported in which
    every variable of `dynamic` carries a value from outside the function, those of `external` a
    value from a request, and in which the `dynamic_any` variables have at least one such value;
    constants, numbers and values that were checked or escaped do not count. `resolves` are
    expressions that the text of a variable must contain, or the text of what it was assigned last;
    those of `resolves_not` must be in none of these. `requires` and
    `excludes` are expressions searched for in the whole code. `report` names the variable to point
    at, by default the whole match; `nested` keeps matches within other matches.

    A rule for C and C++ may have `facts` in the place of `match`: kinds of what symbolic execution
    finds on the ways through a function.
    """

    id: str
    languages: tuple[str, ...]
    cwe: str | None
    severity: Severity
    confidence: Confidence
    summary: str
    explanation: str
    remedy: str
    examples: Examples
    match: dict[str, Any] = {}
    facts: tuple[Fact, ...] = ()
    category: Category = Category.SECURITY
    models: tuple[Model, ...] = tuple(Model)
    constraints: dict[str, Any] = {}
    utils: dict[str, Any] = {}
    dynamic: tuple[str, ...] = ()
    dynamic_any: tuple[str, ...] = ()
    external: tuple[str, ...] = ()
    resolves: dict[str, str] = {}
    resolves_not: dict[str, str] = {}
    requires: str | None = None
    excludes: str | None = None
    report: str | None = None
    nested: bool = False

    @cached_property
    def config(self) -> dict[str, Any]:
        """What ast-grep is asked to find."""
        found: dict[str, Any] = {"rule": self.match}
        if self.constraints:
            found["constraints"] = self.constraints
        if self.utils:
            found["utils"] = self.utils
        return found

    @cached_property
    def resolved(self) -> dict[str, re.Pattern[str]]:
        """`resolves`, compiled."""
        return {name: re.compile(each) for name, each in self.resolves.items()}

    @cached_property
    def unresolved(self) -> dict[str, re.Pattern[str]]:
        """`resolves_not`, compiled."""
        return {name: re.compile(each) for name, each in self.resolves_not.items()}

    @cached_property
    def need(self) -> Need:
        """The words without which code cannot match."""
        return needs(self.match, self.utils, GRAMMARS[self.languages[0]])

    @cached_property
    def required(self) -> re.Pattern[str] | None:
        """`requires`, compiled."""
        return re.compile(self.requires) if self.requires else None

    @cached_property
    def excluded(self) -> re.Pattern[str] | None:
        """`excludes`, compiled."""
        return re.compile(self.excludes) if self.excludes else None

    @property
    def asks_origins(self) -> bool:
        """Whether it wants to know where values come from."""
        return bool(
            self.dynamic or self.dynamic_any or self.external or self.resolves or self.resolves_not
        )

    @property
    def info(self) -> RuleInfo:
        """The rule for listings."""
        return RuleInfo(
            id=self.id,
            summary=self.summary,
            cwe=self.cwe,
            severity=self.severity,
            confidence=self.confidence,
            category=self.category,
            languages=self.languages,
            remedy=self.remedy,
        )


def read_rule(path: Path) -> PatternRule:
    """The rule in a file.

    :raises DataFileError: naming the file and what is wrong with it.
    """
    rule = read_data(path, PatternRule)
    problems = list(_problems(rule, path))
    if problems:
        raise DataFileError(f"{path.name}: {'; '.join(problems)}")
    return rule


def _problems(rule: PatternRule, path: Path) -> list[str]:
    found = []
    if rule.id != path.stem or not _ID.fullmatch(rule.id):
        found.append("its id must be its file's name, in lower case, with dashes")
    if not rule.languages or not set(rule.languages) <= set(LANGUAGES):
        found.append(f"languages must be some of {', '.join(LANGUAGES)}")
    if rule.cwe is not None and not _CWE.fullmatch(rule.cwe):
        found.append("cwe must be like CWE-89, or null")
    if bool(rule.match) == bool(rule.facts):
        found.append("it needs either match or facts")
    if rule.facts and not set(rule.languages) <= EXECUTED:
        found.append(f"facts are known of {', '.join(sorted(EXECUTED))} only")
    if not rule.examples.bad or not rule.examples.good:
        found.append("it needs examples of both kinds, bad and good")
    try:
        _ = rule.required, rule.excluded, rule.resolved, rule.unresolved
    except re.error as error:
        found.append(f"an expression is not valid: {error}")
    found += [
        f"{name} must be a sentence with a full stop"
        for name in ("summary", "explanation", "remedy")
        if not getattr(rule, name).endswith(".") or "\n" in getattr(rule, name).strip()
    ]
    return found
