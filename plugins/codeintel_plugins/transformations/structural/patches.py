"""The rules, as their files have them, and their edits in several passes over the code."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cache, cached_property
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from codeintel.engine.data_files import read_data
from codeintel.engine.dataflow.tree import GRAMMARS
from codeintel_plugins.patterns.needs import Need, needs

FOLDER = Path(__file__).parent / "rules"
LANGUAGES = ("bash", "c", "cpp", "csharp", "go", "java", "php", "ruby", "rust")


class Example(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Code, and the result of the rule alone."""

    before: str
    after: str


class RewriteRule(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, dict=True):
    """A rewrite rule.

    `match`, `constraints` and `utils` are ast-grep's. `where` names conditions of :mod:`conditions`
    that each match must meet, with their arguments. Then either `fix` replaces the match: `$NAME`
    in it is a variable's text and `$$$NAME` that of several nodes. Or `edit` names one of `EDITS`,
    which receives `options`. With `wrap`, a `fix` that has an operator is put into parentheses
    where necessary.

    `imports` and `drops` are packages that the new text needs, or that the old text needed.

    :param kinds: the kinds of transformation that use the rule.
    :param reason: why the rule preserves the code's behavior.
    :param nests: whether one pass may apply the rule in and around a match; its edits are
        small.
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
    """Return the rules for a language, in the order in which they are tried."""
    return read_data(FOLDER / f"{language}.yml", _File).rules


@cache
def need_of(language: str, rule_id: str) -> Need:
    """Return what code must contain for a rule to match."""
    rule = next(rule for rule in rules_of(language) if rule.id == rule_id)
    return needs(rule.match, rule.utils, rule.constraints, [GRAMMARS[language]])


class TextEdit(NamedTuple):
    """Replacement text for a range of offsets. `quiet` marks indentation, which is not reported."""

    start: int
    end: int
    text: str
    quiet: bool = False


class Site(NamedTuple):
    """A place where a rule is used: from `start` to `end` nothing else is done in this pass."""

    start: int
    end: int
    rule: str
    edits: tuple[TextEdit, ...]


class Replaced(NamedTuple):
    """The combined replacement of all passes for a range of the original, with its rules."""

    start: int
    end: int
    text: str
    rules: tuple[str, ...]


class _Piece(NamedTuple):
    """A part of the text: of the original from `start` to `end`, or new text by some rule."""

    start: int
    end: int
    text: str | None
    rule: str

    @property
    def size(self) -> int:
        """How many characters it has."""
        return self.end - self.start if self.text is None else len(self.text)

    def part(self, begin: int, end: int) -> _Piece:
        if self.text is not None:
            return self._replace(text=self.text[begin:end])
        return self._replace(start=self.start + begin, end=self.start + end)


class Patch:
    """A text that is edited again and again, as pieces of the original and of what is new."""

    def __init__(self, original: str) -> None:
        self._original = original
        self._pieces = [_Piece(0, len(original), None, "")]

    @property
    def text(self) -> str:
        """The text as it is now."""
        return "".join(
            self._original[piece.start : piece.end] if piece.text is None else piece.text
            for piece in self._pieces
        )

    def apply(self, edits: Iterable[tuple[TextEdit, str]]) -> None:
        """Make edits of the present text, each by a rule, that do not overlap."""
        ordered = sorted(edits, key=lambda each: (each[0].start, each[0].end))
        self._pieces = list(_edited(self._pieces, ordered))

    def replaced(self) -> Iterator[Replaced]:
        """Yield all replaced ranges, in order of position in the original."""
        place, text, rules = 0, "", dict[str, None]()
        for piece in (*self._pieces, _Piece(len(self._original), len(self._original), None, "")):
            if piece.text is not None:
                text += piece.text
                rules[piece.rule] = None
                continue
            if rules or piece.start > place:
                yield Replaced(place, piece.start, text, tuple(filter(None, rules)))
            place, text, rules = piece.end, "", {}


def _edited(pieces: list[_Piece], edits: list[tuple[TextEdit, str]]) -> Iterator[_Piece]:
    waiting = iter(edits)
    edit = next(waiting, None)
    begin = 0
    for piece in pieces:
        done = 0
        while edit is not None and (edit[0].start < begin + piece.size):
            (start, end, text, quiet), rule = edit
            if start - begin > done:
                yield piece.part(done, start - begin)
            if start >= begin:
                yield _Piece(0, 0, text, "" if quiet else rule)
            done = max(done, min(end - begin, piece.size))
            if end > begin + piece.size:
                break
            edit = next(waiting, None)
        if done < piece.size or not piece.size:
            yield piece.part(done, piece.size)
        begin += piece.size
    while edit is not None:
        if edit[0].start >= begin:
            yield _Piece(0, 0, edit[0].text, edit[1])
        edit = next(waiting, None)
