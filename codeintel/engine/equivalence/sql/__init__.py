"""V2 for SQL: the same tokens, or trees that are equal once normalised, or the same rows from real
engines on random data."""

from __future__ import annotations

from collections import Counter

from codeintel.engine.equivalence.comparison import (
    Comparison,
    Evidence,
    failed,
    not_applicable,
    passed,
)
from codeintel.engine.equivalence.sql.executed import executed
from codeintel.engine.equivalence.sql.statements import Script, is_same_tree, read
from codeintel.engine.equivalence.sql.transpile import foreign


def compare(comparison: Comparison) -> Evidence:
    """Compare two scripts, statement by statement."""
    before = read(comparison.before, comparison.language)
    after = read(comparison.after, comparison.target)
    if before is None or after is None:
        return not_applicable("The tokens of the original cannot be told apart.")
    if not before.statements:
        return not_applicable("There is no statement.")
    if len(before.statements) != len(after.statements):
        return failed(
            f"The original has {len(before.statements)} statements, the result "
            f"{len(after.statements)}."
        )
    if comparison.language != comparison.target:
        return foreign(comparison, before, after)
    lost = Counter(before.comments) - Counter(after.comments)
    if lost:
        return failed(f"{lost.total()} comments of the original are not in the result.")
    changed = _changed(before, after)
    if changed:
        return executed(comparison, before, after, changed)
    if before.comments != after.comments:
        return failed("The comments are in another order.")
    tokens = sum(len(each.tokens) for each in before.statements)
    return passed(
        f"{_count(len(before.statements), 'statement')} with the same {tokens} tokens and "
        f"{_count(len(before.comments), 'comment')}: only white space and the case of words that "
        "are no names differ.",
        conclusive=True,
    )


def _changed(before: Script, after: Script) -> list[int]:
    """The statements of which more than white space and the case of keywords differs."""
    found = []
    for index, (one, other) in enumerate(zip(before.statements, after.statements, strict=True)):
        if one.tokens == other.tokens:
            continue
        if one.folded() != other.folded() or not is_same_tree(one.tree, other.tree):
            found.append(index)
    return found


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}" + ("" if number == 1 else "s")
