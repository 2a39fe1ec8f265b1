"""V2 for data formats: equal values when read."""

from __future__ import annotations

from collections import Counter
from typing import Any

from codeintel.engine.equivalence.comparison import (
    Comparison,
    Evidence,
    failed,
    not_applicable,
    passed,
)
from codeintel.engine.equivalence.data_models.equality import Differs, TooMuchError, compare_values
from codeintel.engine.equivalence.data_models.readers import read
from codeintel.engine.equivalence.data_models.values import UnreadableDataError
from codeintel.engine.syntax import source_of

_FORMATS = frozenset({"json", "yaml", "toml"})


def compare(comparison: Comparison) -> Evidence:
    """Compare what plain readers make of both texts."""
    if not {comparison.language, comparison.target} <= _FORMATS:
        return not_applicable("These are no data formats that can be read here.")
    if not comparison.is_changed:
        return passed("Nothing was changed.")
    try:
        before = read(comparison.before, comparison.language)
    except UnreadableDataError as error:
        return failed(f"The original cannot be read as {comparison.language}: {error}.")
    try:
        after = read(comparison.after, comparison.target)
    except UnreadableDataError as error:
        return failed(f"The result cannot be read as {comparison.target}: {error}.")
    return _compared(comparison, before, after)


def _compared(comparison: Comparison, before: list[Any], after: list[Any]) -> Evidence:
    converted = comparison.language != comparison.target
    if len(before) != len(after):
        return failed(f"There are {len(after)} documents, and not {len(before)}.")
    count = 0
    lossy: set[str] = set()
    try:
        for one, other in zip(before, after, strict=True):
            compared = compare_values(one, other, comparison.target if converted else "")
            count += compared.values
            lossy |= compared.lossy
    except Differs as difference:
        return failed(f"A value is not the same: {difference}.")
    except TooMuchError:
        return failed("There are too many values to compare.")
    unnamed = sorted(place for place in lossy if not _is_named(f"`{place}`", comparison))
    if unnamed:
        return failed(f"No loss names what the result does not hold: `{unnamed[0]}`.")
    lost = _comments_lost(comparison)
    if lost and not (converted and _is_named("omments", comparison)):
        return failed(f"{lost} comments are gone.")
    which = f", but for {len(lossy)} places that the losses name" if lossy else ""
    comments = "" if lost else ", and all comments are there"
    return passed(
        f"{count} values are the same, types included{which}{comments}.",
        conclusive=not lossy,  # a value that the target cannot hold is another one
    )


def _is_named(what: str, comparison: Comparison) -> bool:
    return any(what in loss for loss in comparison.losses)


def _comments_lost(comparison: Comparison) -> int:
    if comparison.language == "json":
        return 0
    before = _comments(comparison.before, comparison.language)
    return (before - _comments(comparison.after, comparison.target)).total()


def _comments(code: str, language: Any) -> Counter[bytes]:
    found: Counter[bytes] = Counter()
    stack = [source_of(code.encode(errors="replace")).root(language)]
    while stack:
        node = stack.pop()
        if node.type == "comment":
            found[(node.text or b"").strip()] += 1
        stack.extend(node.children)
    return found
