"""One rule as read from its file."""

from __future__ import annotations

import re
from functools import cached_property
from pathlib import Path
from typing import Any

import msgspec
from msgspec import UNSET

from codeintel.contracts import Category, Confidence, Model, RuleInfo, Severity
from codeintel.engine.data_files import DataFileError, read_data
from codeintel.engine.dataflow.tree import GRAMMARS
from codeintel.engine.symbolic.facts import Fact
from codeintel_plugins.patterns.ascii_expressions import ascii_config
from codeintel_plugins.patterns.needs import Need, needs

MAX_TITLE = 70
_ID = re.compile(r"[a-z][a-z0-9]*(?:-[a-z0-9]+)*")
_CWE = re.compile(r"CWE-[1-9][0-9]*")
LANGUAGES = (
    "python", "javascript", "typescript", "java", "go", "php", "ruby", "c", "cpp", "csharp", "rust",
    "bash",
)  # fmt: skip

EXECUTED = frozenset({"c", "cpp"})
"""Languages with symbolic execution."""


class Examples(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Code that the rule must report, and code that it must accept."""

    bad: tuple[str, ...]
    good: tuple[str, ...]


class PatternRule(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, dict=True):
    """A rule over syntax trees.

    `match`, `constraints` and `utils` are ast-grep's. A match is reported if

    - every variable in `dynamic` holds a value that does not come from the function itself,
    - every variable in `external` holds a value from a request,
    - at least one variable in `dynamic_any` holds a value that does not come from the function,
    - the text of each variable in `resolves`, or of its last assignment, contains the expression,
    - and no such text contains the expression of `resolves_not`.

    Constants, numbers, and validated or escaped values do not count. The whole code must match
    `requires` and must not match `excludes`. `report` names the variable to point at, by default
    the whole match. `nested` keeps matches inside other matches.

    `title` is the name that people search for. `formerly` lists former IDs, the first one first,
    which comments, links and baselines can still use.

    A rule for C and C++ can have `facts` instead of `match`: kinds of defects that symbolic
    execution finds.
    """

    id: str
    title: str
    languages: tuple[str, ...]
    cwe: str | None
    severity: Severity
    confidence: Confidence
    summary: str
    explanation: str
    remedy: str
    examples: Examples
    formerly: tuple[str, ...] = ()
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
        """The search for ast-grep."""
        found: dict[str, Any] = {"rule": self.match}
        if self.constraints:
            found["constraints"] = self.constraints
        if self.utils:
            found["utils"] = self.utils
        return found

    @cached_property
    def ascii_config(self) -> dict[str, Any]:
        """The search for ast-grep in code in ASCII."""
        found: dict[str, Any] = ascii_config(self.config)
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
        """What code must contain to match."""
        grammars = dict.fromkeys(each for name in self.languages for each in _grammars(name))
        return needs(self.match, self.utils, self.constraints, list(grammars))

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
        """Whether the rule depends on the origins of values."""
        return bool(
            self.dynamic or self.dynamic_any or self.external or self.resolves or self.resolves_not
        )

    @property
    def info(self) -> RuleInfo:
        """The rule as shown in lists."""
        return RuleInfo(
            id=self.id,
            summary=self.summary,
            cwe=self.cwe,
            severity=self.severity,
            confidence=self.confidence,
            category=self.category,
            languages=self.languages,
            remedy=self.remedy,
            title=self.title,
            formerly=self.formerly or UNSET,
        )


def _grammars(language: str) -> tuple[str, ...]:
    """Return the grammars that code of a language is parsed with."""
    return ("typescript", "tsx") if language == "typescript" else (GRAMMARS[language],)


def read_rule(path: Path) -> PatternRule:
    """Read a rule from its file.

    :raises DataFileError: if the file is invalid. The error names the file and the problem.
    """
    rule = read_data(path, PatternRule)
    problems = list(_problems(rule, path))
    if problems:
        raise DataFileError(f"{path.name}: {'; '.join(problems)}")
    return rule


def _problems(rule: PatternRule, path: Path) -> list[str]:
    found = []
    if rule.id != path.stem or not _ID.fullmatch(rule.id):
        found.append("its ID must be the file name, in lower case with hyphens")
    if not all(_ID.fullmatch(each) for each in rule.formerly) or rule.id in rule.formerly:
        found.append("formerly must list other IDs, in lower case with hyphens")
    if not rule.title or len(rule.title) > MAX_TITLE or rule.title.endswith("."):
        found.append(f"title must be a name of at most {MAX_TITLE} characters")
    if not rule.languages or not set(rule.languages) <= set(LANGUAGES):
        found.append(f"languages must be from the list {', '.join(LANGUAGES)}")
    if rule.cwe is not None and not _CWE.fullmatch(rule.cwe):
        found.append("cwe must be like CWE-89, or null")
    if bool(rule.match) == bool(rule.facts):
        found.append("it needs either match or facts")
    if rule.facts and not set(rule.languages) <= EXECUTED:
        found.append(f"facts are only supported for {', '.join(sorted(EXECUTED))}")
    if not rule.examples.bad or not rule.examples.good:
        found.append("it needs bad and good examples")
    try:
        _ = rule.required, rule.excluded, rule.resolved, rule.unresolved
    except re.error as error:
        found.append(f"invalid expression: {error}")
    found += [
        f"{name} must be a sentence with a full stop"
        for name in ("summary", "explanation", "remedy")
        if not getattr(rule, name).endswith(".") or "\n" in getattr(rule, name).strip()
    ]
    return found
