"""Compare JavaScript and TypeScript functions by their path trees."""

from __future__ import annotations

from codeintel.base.wording import counted
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
    "The proof assumes: Annotations are true. Names of the module have values before they are"
    " used. Reading properties, comparing and converting to text have no side effects. Reading"
    " twice gives the same value if nothing is called in between. Methods are looked up when they"
    " are called. Arrays have no holes. Nothing replaces the language's built-in objects"
)


def compare(comparison: Comparison) -> Evidence:
    """Compare what each function does on each of its paths, without types and comments."""
    if comparison.language != comparison.target:
        return not_applicable("Programs in different languages cannot be compared by their paths.")
    try:
        different = programs.differences(comparison.before, comparison.after, comparison.language)
    except (RecursionError, MemoryError):
        return failed("The code is nested too deeply to be compared.")
    if different is None:
        return failed("The paths of the code could not be determined, so nothing can be compared.")
    if different:
        named = ", ".join(different[:_MAX_NAMED])
        return failed(f"The paths differ in {counted(len(different), 'place')}: {named}.")
    return passed(
        "Each function evaluates, tests and changes the same in the same order on each of its"
        f" paths. {_ASSUMED}.",
        conclusive=True,
    )
