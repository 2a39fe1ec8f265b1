"""The rules, as their files have them: one file for each language."""

from __future__ import annotations

from functools import cache, cached_property
from pathlib import Path
from typing import Any

import msgspec

from codeintel.engine.data_files import read_data
from codeintel.engine.dataflow.tree import GRAMMARS
from codeintel_plugins.patterns.needs import Need, needs

FOLDER = Path(__file__).parent / "rules"
LANGUAGES = ("bash", "c", "cpp", "csharp", "go", "java", "php", "ruby", "rust")


class Example(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Code, and what the rule alone makes of it."""

    before: str
    after: str


class RewriteRule(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, dict=True):
    """One way to write something anew.

    `match`, `constraints` and `utils` are ast-grep's. `where` names conditions that are checked of
    each match, those of :mod:`facts.conditions`, with what they are to hold for. Then either `fix`
    replaces the match: in it `$NAME` stands for a variable's text and `$$$NAME` for that of several
    nodes. Or `edit` names one of :mod:`edits`, which is given `options`. A `fix` that has an
    operator is put into parentheses with `wrap`, where the place asks for it.

    `imports` and `drops` are packages that the new text needs, or that the old one needed.

    :param kinds: the kinds of transformation that use it.
    :param reason: why it keeps what the code does.
    :param nests: whether it may be used at once in and around a match; its edits are small.
    """

    id: str
    kinds: tuple[str, ...]
    message: str
    reason: str
    match: dict[str, Any]
    examples: tuple[Example, ...]
    untouched: tuple[str, ...]
    constraints: dict[str, Any] = {}
    utils: dict[str, Any] = {}
    where: dict[str, Any] = {}
    fix: str | None = None
    edit: str | None = None
    options: dict[str, Any] = {}
    imports: tuple[str, ...] = ()
    drops: tuple[str, ...] = ()
    wrap: bool = False
    nests: bool = False

    @cached_property
    def config(self) -> dict[str, Any]:
        """What ast-grep is asked to find."""
        found: dict[str, Any] = {"rule": self.match}
        if self.constraints:
            found["constraints"] = self.constraints
        if self.utils:
            found["utils"] = self.utils
        return found


class _File(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    language: str
    rules: tuple[RewriteRule, ...]
    shared: Any = None
    """Parts that rules refer to by YAML's anchors."""


@cache
def rules_of(language: str) -> tuple[RewriteRule, ...]:
    """The rules for a language, in the order in which they are tried."""
    return read_data(FOLDER / f"{language}.yml", _File).rules


@cache
def need_of(language: str, rule_id: str) -> Need:
    """The words without which code has no match of a rule."""
    rule = next(rule for rule in rules_of(language) if rule.id == rule_id)
    return needs(rule.match, rule.utils, GRAMMARS[language])
