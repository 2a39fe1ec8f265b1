"""V2 for data formats: equal values when read."""

from __future__ import annotations

from collections import Counter
from typing import Any

from tree_sitter import Parser
from tree_sitter_language_pack import get_language

from codeintel.verification.comparison import Comparison
from codeintel.verification.data_models_equality import Differs, TooMuchError, compare_values
from codeintel.verification.data_models_readers import UnreadableDataError, read
from codeintel.verification.evidence import Evidence, failed, not_applicable, passed

_FORMATS = frozenset({"json", "yaml", "toml"})


def compare(comparison: Comparison) -> Evidence:
    """Compare what plain readers make of both texts."""
    if not {comparison.language, comparison.target} <= _FORMATS:
        return not_applicable("These are no data formats that can be read here.")
    try:
        before = read(comparison.before, comparison.language)
    except UnreadableDataError as error:
        return not_applicable(f"The original cannot be read as {comparison.language}: {error}.")
    try:
        after = read(comparison.after, comparison.target)
    except UnreadableDataError as error:
        return failed(f"The result cannot be read as {comparison.target}: {error}.")
    converted = comparison.language != comparison.target
    try:
        count = compare_values(before, after, comparison.target if converted else "")
    except Differs as difference:
        return failed(f"A value is not the same: {difference}.")
    except TooMuchError:
        return not_applicable("There are too many values to compare.")
    lost = 0 if converted else _comments_lost(comparison)
    if lost:
        return failed(f"{lost} comments are gone.")
    which = "but for what the losses name" if converted else "and all comments are there"
    return passed(f"{count} values are the same, types included, {which}.")


def _comments_lost(comparison: Comparison) -> int:
    if comparison.language == "json":
        return 0
    before = _comments(comparison.before, comparison.language)
    return (before - _comments(comparison.after, comparison.target)).total()


def _comments(code: str, language: Any) -> Counter[bytes]:
    found: Counter[bytes] = Counter()
    stack = [Parser(get_language(language)).parse(code.encode()).root_node]
    while stack:
        node = stack.pop()
        if node.type == "comment":
            found[(node.text or b"").strip()] += 1
        stack.extend(node.children)
    return found
