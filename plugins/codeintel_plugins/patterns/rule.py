"""One rule as read from its file, and the words that code must contain for the rule to match.

Compiling and running a rule takes far longer than searching for a few words, and a file matches few
of the hundreds of rules for its language. The needed words are derived from the patterns: every
name in a pattern must occur in the code, and one of several alternatives. Exclusions need nothing.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from functools import cached_property
from pathlib import Path
from re import _constants, _parser  # type: ignore[attr-defined] # the only parser that there is
from typing import Any

import msgspec
from msgspec import UNSET

from codeintel.contracts import Category, Confidence, Model, RuleInfo, Severity
from codeintel.engine.data_files import DataFileError, read_data
from codeintel.engine.dataflow.tree import GRAMMARS
from codeintel.engine.symbolic.facts import Fact

_VARIABLE = re.compile(r"\$+[A-Z_][A-Z0-9_]*|\$\$\$")
_WORD = re.compile(r"[A-Za-z_][A-Za-z0-9_]{2,}")
_STAND_IN = "zz"
_RELATIONS = ("inside", "has", "precedes", "follows")
_MAX_DEPTH = 20
_SHORTEST = 3
_REPEATS = (_constants.MAX_REPEAT, _constants.MIN_REPEAT, _constants.POSSESSIVE_REPEAT)


class AllOf(msgspec.Struct, frozen=True, tag="all", array_like=True):
    """All parts are needed. Without parts, nothing is needed."""

    parts: tuple[Need, ...]


class OneOf(msgspec.Struct, frozen=True, tag="one", array_like=True):
    """One of the parts is needed."""

    parts: tuple[Need, ...]


Need = str | AllOf | OneOf
NOTHING = AllOf(())


def needs(match: Mapping[str, Any], utils: Mapping[str, Any], grammar: str) -> Need:
    """Return what a rule object of ast-grep needs. `grammar` is ast-grep's name of the language."""
    return _Reader(utils, grammar).rule(match, 0)


def may_match(need: Need, text: str) -> bool:
    """Return whether the text, in lower case, contains what is needed."""
    if isinstance(need, str):
        return need in text
    if isinstance(need, AllOf):
        return all(may_match(part, text) for part in need.parts)
    return any(may_match(part, text) for part in need.parts)


def expression_needs(expression: str) -> Need:
    """Return the literals of at least three characters that text must contain to match a regular
    expression. Return `NOTHING` if Python cannot read the expression."""
    try:
        tree = _parser.parse(expression)
    except (re.error, RecursionError, OverflowError):
        return NOTHING
    return _sequence(tree)


def _sequence(tree: Any) -> Need:
    parts: list[Need] = []
    literal = ""
    for operation, argument in tree:
        if operation is _constants.LITERAL:
            literal += chr(argument).lower()
            continue
        parts.append(_literal(literal))
        literal = ""
        parts.append(_operation(operation, argument))
    return _all_of([*parts, _literal(literal)])


def _literal(text: str) -> Need:
    # Where a macro of Rust is read as a call its `!` becomes a letter that looks like it.
    return (
        text.replace("\N{LATIN LETTER RETROFLEX CLICK}", "!") if len(text) >= _SHORTEST else NOTHING
    )


def _operation(operation: Any, argument: Any) -> Need:
    if operation is _constants.BRANCH:
        return _one_of(_sequence(each) for each in argument[1])
    if operation is _constants.SUBPATTERN:
        return _sequence(argument[3])
    if operation in _REPEATS and argument[0] > 0:
        return _sequence(argument[2])
    if operation is _constants.ATOMIC_GROUP:
        return _sequence(argument)
    if operation is _constants.ASSERT:
        return _sequence(argument[1])
    return NOTHING


class _Reader:
    def __init__(self, utils: Mapping[str, Any], grammar: str) -> None:
        self._utils = utils
        self._grammar = grammar

    def rule(self, match: Mapping[str, Any], depth: int) -> Need:
        if depth > _MAX_DEPTH:
            return NOTHING
        parts: list[Need] = []
        for key, value in match.items():
            if key == "pattern":
                parts.append(self._pattern(value))
            elif key == "all":
                parts.extend(self.rule(each, depth + 1) for each in value)
            elif key == "any":
                parts.append(_one_of(self.rule(each, depth + 1) for each in value))
            elif key == "regex":
                parts.append(expression_needs(value))
            elif key in _RELATIONS:
                parts.append(self.rule(value, depth + 1))
            elif key == "matches" and value in self._utils:
                parts.append(self.rule(self._utils[value], depth + 1))
        return _all_of(parts)

    def _pattern(self, pattern: str | Mapping[str, Any]) -> Need:
        if isinstance(pattern, str):
            text: str | None = pattern
        else:
            text = self._selected(pattern["context"], pattern.get("selector"))
        if text is None:
            return NOTHING
        words = _WORD.findall(_VARIABLE.sub(" ", text))
        return _all_of([word.lower() for word in words if not word.startswith(_STAND_IN)])

    def _selected(self, context: str, selector: str | None) -> str | None:
        """Return the selected part of a pattern's context, or None if it is unknown."""
        if selector is None:
            return context
        from ast_grep_py import SgRoot

        stand_in = _VARIABLE.sub(lambda match: _STAND_IN + match[0].strip("$").lower(), context)
        node = SgRoot(stand_in, self._grammar).root().find(kind=selector)
        return node.text() if node is not None else None


def _all_of(parts: Iterable[Need]) -> Need:
    found = tuple(dict.fromkeys(part for part in parts if part != NOTHING))
    return found[0] if len(found) == 1 else AllOf(found)


def _one_of(parts: Iterable[Need]) -> Need:
    found = tuple(dict.fromkeys(parts))
    if NOTHING in found:
        return NOTHING
    return found[0] if len(found) == 1 else OneOf(found)


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
    def resolved(self) -> dict[str, re.Pattern[str]]:
        """`resolves`, compiled."""
        return {name: re.compile(each) for name, each in self.resolves.items()}

    @cached_property
    def unresolved(self) -> dict[str, re.Pattern[str]]:
        """`resolves_not`, compiled."""
        return {name: re.compile(each) for name, each in self.resolves_not.items()}

    @cached_property
    def need(self) -> Need:
        """The words that code must contain to match."""
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
