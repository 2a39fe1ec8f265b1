"""V2 for programs: whether a result means the same, by the normal form or by the paths."""

from __future__ import annotations

from codeintel.contracts import CheckStatus
from codeintel.engine.equivalence import javascript_paths, normal_form, python_trees
from codeintel.engine.equivalence.comparison import Comparison, Evidence, failed, passed
from codeintel.engine.equivalence.python_paths.programs import programs

_MAX_NAMED = 6
_LONG_NAME = 80
_ASSUMED = (
    "Taken for granted: annotations are true, and no bool is given for an int; names of the"
    " module are bound when they are used, and no other module changes them or those of the"
    " standard library, or uses or replaces what is private; reading attributes and items,"
    " calculating, comparing, counting, formatting and iterating over values have no side"
    " effects, and reading twice gives the same if nothing was called in between; an empty"
    " format gives the text of a value; methods are looked up when they are called; where"
    " several steps of one expression fail, any of their errors may be raised; nobody looks"
    " at docstrings, at names or annotations of functions, at the context of an error, at"
    " the order of a set or whether equal numbers or texts are one object, or counts on when"
    " objects are let go; called functions do not raise StopIteration, and nothing calls"
    " `send` or `throw` on generators"
)


def compare(comparison: Comparison) -> Evidence:
    """Compare. What a model wrote is also shown to be the same by the paths through its functions,
    and its comments may differ: they are not what a program does."""
    if comparison.language in javascript_paths.LANGUAGES:
        return javascript_paths.compare(comparison)
    evidence = normal_form.compare(comparison)
    is_python = comparison.language == comparison.target == "python"
    if evidence.status is not CheckStatus.FAILED or not comparison.by_model or not is_python:
        return evidence
    try:
        different = programs.differences(comparison.before, comparison.after)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return evidence
    if different is None:
        return evidence
    if different:
        named = ", ".join(_clipped(name) for name in different[:_MAX_NAMED])
        return failed(f"The paths differ in {len(different)} places: {named}.")
    missing = python_trees.missing(comparison)
    said = f" {missing}" if missing else ""
    return passed(
        f"Each function evaluates, asks and changes the same in the same order on each of its"
        f" paths.{said} {_ASSUMED}.",
        conclusive=True,
    )


def _clipped(name: str) -> str:
    return name if len(name) <= _LONG_NAME else f"{name[: _LONG_NAME - 3]}..."
