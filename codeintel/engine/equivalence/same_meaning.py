"""Compare programs in V2 by their normal form or by their paths."""

from __future__ import annotations

from codeintel.base.wording import counted
from codeintel.contracts import CheckStatus
from codeintel.engine.equivalence import javascript_paths
from codeintel.engine.equivalence.comparison import (
    Comparison,
    Evidence,
    failed,
    not_applicable,
    passed,
)
from codeintel.engine.equivalence.normal_form import TooDeepError, Walked, form_of, walked
from codeintel.engine.equivalence.python_paths import programs
from codeintel.engine.equivalence.python_trees import missing

_MAX_NAMED = 6
_LONG_NAME = 80
_TAKEN_BY_STEPS = (
    "The proof assumes: Reading attributes and items, calculating, comparing, counting,"
    " formatting and iterating over values have no side effects. If several steps of one"
    " expression fail, any of their errors may be raised. No other module changes names of"
    " the standard library. An object with `items` also has `keys` and `values`. Nothing"
    " depends on function names, on the order of a set or on when objects are freed. Called"
    " functions do not raise StopIteration. No exception group reaches `suppress`. Nothing"
    " calls `send` or `throw` on generators"
)
_TAKEN_BY_PATHS = (
    "The proof assumes: Annotations are true, and no bool is passed as an int. Names of the"
    " module are bound before they are used. No other module changes these names, names of the"
    " standard library or private members, or uses private members. Reading attributes and"
    " items, calculating, comparing, counting, formatting and iterating over values have no"
    " side effects. Reading twice gives the same value if nothing is called in between. An"
    " empty format specification gives the text of a value. Methods are looked up when they"
    " are called. If several steps of one expression fail, any of their errors may be raised."
    " Nothing depends on docstrings, on names or annotations of functions, on the context of"
    " an error, on the order of a set, on the identity of equal numbers or texts, or on when"
    " objects are freed. Called functions do not raise StopIteration. Nothing calls `send` or"
    " `throw` on generators"
)


def compare(comparison: Comparison) -> Evidence:
    """Compare two programs.

    A model's result can also be proven by the paths through its functions. Its comments may differ,
    because they do not affect the program.
    """
    if comparison.language in javascript_paths.LANGUAGES:
        return javascript_paths.compare(comparison)
    if comparison.language != "python" or comparison.target != "python":
        return not_applicable("The normal form exists for Python only.")
    before, after = _read(comparison.before), _read(comparison.after)
    if isinstance(before, str):
        return _incomparable(f"The original {before}", comparison)
    if isinstance(after, str):
        return _incomparable(f"The result {after}", comparison)
    try:
        evidence = _by_steps(before, after, comparison)
    except TooDeepError:
        return _incomparable(f"The code {_TOO_DEEP}", comparison)
    if evidence.status is CheckStatus.PASSED or not comparison.by_model:
        return evidence
    return _by_paths(before, after, comparison) or evidence


_TOO_DEEP = "is nested too deeply to be brought into normal form"


def _read(code: str) -> Walked | str:
    """Return the normal form of a program, or a phrase that says why it has no normal form."""
    try:
        return walked(code)
    except TooDeepError:
        return _TOO_DEEP
    except SyntaxError:
        return "cannot be read as Python"


def _incomparable(why: str, comparison: Comparison) -> Evidence:
    """Return that nothing can be compared. A changed result then fails."""
    said = f"{why}, so nothing can be compared."
    return failed(said) if comparison.before != comparison.after else not_applicable(said)


def _by_steps(old: Walked, new: Walked, comparison: Comparison) -> Evidence:
    """Compare the normal forms, and check that no comment vanished."""
    before, after = form_of(old), form_of(new)
    different = before.differences(after)
    if different:
        places = counted(len(different), "place")
        return failed(f"The normal forms differ in {places}: {_named(different)}.")
    gone = missing(comparison)
    if gone:
        return failed(gone)
    compared = counted(before.statements, "statement")
    compared += f" of the original and {after.statements} of the result"
    if before.is_plain(after):
        return passed(f"{compared}: equal syntax trees.", conclusive=True)
    steps = sorted({*before.steps, *after.steps})
    by = f", after steps that keep the meaning: {', '.join(steps)}" if steps else ""
    return passed(f"{compared} have the same normal form{by}. {_TAKEN_BY_STEPS}.", conclusive=True)


def _by_paths(old: Walked, new: Walked, comparison: Comparison) -> Evidence | None:
    """Compare all functions path by path, or return None if they cannot be compared."""
    try:
        different = programs.differences(old, new)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None
    if different is None:
        return None
    if different:
        places = counted(len(different), "place")
        return failed(f"The paths differ in {places}: {_named(different)}.")
    gone = missing(comparison)
    said = f" {gone}" if gone else ""
    return passed(
        f"Each function evaluates, tests and changes the same in the same order on each of its"
        f" paths.{said} {_TAKEN_BY_PATHS}.",
        conclusive=True,
    )


def _named(names: list[str]) -> str:
    shown = [each if len(each) <= _LONG_NAME else f"{each[: _LONG_NAME - 3]}..." for each in names]
    return ", ".join(shown[:_MAX_NAMED])
