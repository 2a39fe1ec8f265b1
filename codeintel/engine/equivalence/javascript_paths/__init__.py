"""Compare JavaScript and TypeScript functions by their path trees."""

from __future__ import annotations

from codeintel.engine.equivalence.comparison import (
    Comparison,
    Evidence,
    failed,
    not_applicable,
    passed,
)
from codeintel.engine.equivalence.javascript_paths import programs

LANGUAGES = frozenset({"javascript", "typescript", "tsx"})
_MAX_NAMED = 6
_ASSUMED = (
    "Taken for granted: annotations are true; names of the module have values when they are used;"
    " reading properties, comparing and making text have no side effects, and reading twice gives"
    " the same if nothing was called in between; methods are looked up when they are called;"
    " arrays have no holes, and the language's own objects are what they are"
)


def compare(comparison: Comparison) -> Evidence:
    """Compare what each function does on each of its paths, without types and comments."""
    if comparison.language != comparison.target:
        return not_applicable("Programs in two languages have different trees.")
    try:
        different = programs.differences(comparison.before, comparison.after, comparison.language)
    except (RecursionError, MemoryError):
        return failed("The code is nested too deeply to be followed.")
    if different is None:
        return failed("The code cannot be followed, so nothing can be compared.")
    if different:
        named = ", ".join(different[:_MAX_NAMED])
        return failed(f"The paths differ in {len(different)} places: {named}.")
    return passed(
        "Each function evaluates, asks and changes the same in the same order on each of its"
        f" paths. {_ASSUMED}.",
        conclusive=True,
    )
