"""Compare two statements by their trees."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterator

import msgspec
from sqlglot import Dialect, ErrorLevel, exp
from sqlglot.errors import SqlglotError

from codeintel.engine.equivalence.readable import DIALECTS
from codeintel.engine.equivalence.sql.keys import Keys
from codeintel.engine.equivalence.sql.normalize import (
    Tables,
    as_meant,
    of_oracle,
    ready,
    with_words_of,
)
from codeintel.engine.equivalence.sql.query_keys import Key

_ERRORS = (SqlglotError, RecursionError, ValueError, AttributeError, TypeError, KeyError)
_COUNTED = (
    "LT LTE EQ NEQ Distinct Union Intersect Except Count Sum Avg Min Max Like ILike Is not"
    " select join in exists limit ArrayAgg GroupConcat Window Lateral"
)
_WEIGHTY = (
    "Distinct Union Intersect Except Returning OnConflict Where Reference ForeignKey PrimaryKey"
    " CheckColumnConstraint UniqueColumnConstraint NotNullColumnConstraint Lock TableSample When"
    " DefaultColumnConstraint LEFT RIGHT FULL SEMI ANTI limit exists in group Count Sum Avg Min"
    " Max Window Check Constraint TryCast bytes"
)
_KEPT = frozenset(_WEIGHTY.split())
"""Constructs that sqlglot must not drop silently."""
_WORDS = frozenset(_COUNTED.split()) | _KEPT
_SIDES = frozenset({"LEFT", "RIGHT", "FULL", "SEMI", "ANTI", "desc True", "nulls first True"})


class Parts(msgspec.Struct, frozen=True):
    """The parts of a statement: literals, columns, aliases, and words that decide which rows are
    returned."""

    literals: Counter[Hashable]
    columns: frozenset[Hashable]
    names: frozenset[Hashable]
    words: Counter[str]

    def differing(self, other: Parts) -> str:
        """Describe the parts that differ, or return an empty string."""
        pairs = (
            ("literals", self.literals, other.literals),
            ("columns", self.columns, other.columns),
            ("names of columns", self.names, other.names),
            ("comparisons, joins or aggregates", self.words, other.words),
        )
        return next((title for title, one, two in pairs if one != two), "")

    def lost(self, other: Parts) -> str:
        """Describe the parts that the other statement lacks, or return an empty string."""
        pairs = (
            ("literals", set(self.literals), set(other.literals)),
            ("columns", self.columns - self.names, other.columns),
            ("names of columns", self.names, other.names),
        )
        found = next((title for title, one, two in pairs if not one <= two), "")
        rest = {word for word in self.words if word in _KEPT and word not in other.words}
        return found or ("clauses" if rest else "")


def parts(key: Hashable) -> Parts:
    """Split a key into its parts."""
    literals: Counter[Hashable] = Counter()
    columns, names = set(), set()
    words: Counter[str] = Counter()
    for each in _within(key):
        if isinstance(each, str):
            words[each] += each in _SIDES
            continue
        tag = each[0]
        if tag in ("#num", "#str"):
            literals[each] += 1
        elif tag == "#col":
            columns.add(each[1])
        elif tag == "#alias":
            names.add(each[1])
        elif isinstance(tag, str):
            words[tag] += tag in _WORDS
    return Parts(literals, frozenset(columns), frozenset(names), +words)


def _within(key: Hashable) -> Iterator[str | tuple[Hashable, ...]]:
    todo = [key]
    while todo:
        each = todo.pop()
        if isinstance(each, str):
            yield each
        elif isinstance(each, tuple):
            if each:
                yield each
            todo += each
        elif isinstance(each, frozenset):
            todo += each


class Likeness(msgspec.Struct, frozen=True):
    """The result of comparing two trees.

    `same`: both mean the same. `translated`: the second is sqlglot's translation of the first, and
    nothing is lost. `differing`: the parts that differ, in words.
    """

    same: bool = False
    translated: bool = False
    differing: str = "trees that cannot be compared"


def likeness(
    one: exp.Expr | None,
    other: exp.Expr | None,
    language: str,
    target: str,
    tables: Tables | None = None,
) -> Likeness:
    """Compare two trees, each read in its dialect."""
    if one is None or other is None:
        return Likeness()
    is_foreign = language != target
    try:
        meant = as_meant(one.copy(), language, target, tables or {}) if is_foreign else one
        first = _key(meant, language, is_foreign=is_foreign)
        second = _key(other, target, is_foreign=is_foreign)
        one_parts, other_parts = parts(first), parts(second)
    except _ERRORS:
        return Likeness()
    if first == second:
        return Likeness(True, True, "")
    is_translated = is_foreign and _is_translated(meant, other, language, target)
    is_whole = is_translated and not one_parts.lost(other_parts)
    return Likeness(False, is_whole, one_parts.differing(other_parts))


def _is_translated(one: exp.Expr, other: exp.Expr, language: str, target: str) -> bool:
    """Return whether the second tree is sqlglot's translation of the first, without a warning."""
    try:
        tree = of_oracle(one.copy()) if language == "oracle" else one.copy()
        tree = with_words_of(tree, target)
        return bool(_rewritten(tree, target) == _key(other, target, is_foreign=True))
    except _ERRORS:
        return False


def _rewritten(tree: exp.Expr, target: str) -> Key:
    dialect = Dialect.get_or_raise(DIALECTS[target])
    text = tree.copy().sql(dialect, comments=False, unsupported_level=ErrorLevel.RAISE)
    (again,) = dialect.parse(text)
    if again is None:
        raise ValueError
    return _key(again, target, is_foreign=True)


def _key(tree: exp.Expr, language: str, *, is_foreign: bool) -> Key:
    tree = ready(tree, language, is_foreign=is_foreign)
    return Keys(tree, is_foreign=is_foreign).key(tree)
