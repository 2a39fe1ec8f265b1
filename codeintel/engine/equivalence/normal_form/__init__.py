"""V2 for Python: trees that steps which keep the meaning make equal.

Both programs are brought into one form, each by itself. A step is taken only where its conditions
can be seen in the code, so two programs of the same form mean the same; where they are not seen,
the forms differ and the change is refused. What is taken for granted is said in the evidence.
"""

from __future__ import annotations

from codeintel.engine.equivalence import python_trees
from codeintel.engine.equivalence.comparison import (
    Comparison,
    Evidence,
    failed,
    not_applicable,
    passed,
)
from codeintel.engine.equivalence.normal_form.facts.program import HARMLESS
from codeintel.engine.equivalence.normal_form.program import MODULE, Form, TooDeepError, form

__all__ = ["HARMLESS", "MODULE", "Form", "TooDeepError", "compare", "form"]

_MAX_NAMED = 6
_LONG_NAME = 80
_ASSUMED = (
    "Taken for granted: reading attributes and items, calculating, comparing, counting,"
    " formatting and iterating over values have no side effects; where several steps of one"
    " expression fail, any of their errors may be raised; no other module changes names of"
    " the standard library; an object with `items` also has `keys` and `values`; nothing"
    " depends on function names, on the order of a set or on when objects are freed; called"
    " functions do not raise StopIteration, no exception group reaches `suppress`, and"
    " nothing calls `send` or `throw` on generators"
)


def compare(comparison: Comparison) -> Evidence:
    """Whether both have the same normal form, and no comment is gone."""
    if comparison.language != "python" or comparison.target != "python":
        return not_applicable("Only programs in Python have this normal form.")
    before, after = _read(comparison.before), _read(comparison.after)
    if isinstance(before, str):
        return _incomparable(f"The original {before}", comparison)
    if isinstance(after, str):
        return _incomparable(f"The result {after}", comparison)
    different = before.differences(after)
    if different:
        named = ", ".join(_clipped(name) for name in different[:_MAX_NAMED])
        return failed(f"The normal forms differ in {len(different)} places: {named}.")
    missing = python_trees.missing(comparison)
    if missing:
        return failed(missing)
    counted = f"{before.statements} statements of the original and {after.statements} of the result"
    steps = sorted({*before.steps, *after.steps})
    if before.is_plain(after):
        return passed(f"{counted}: equal syntax trees.", conclusive=True)
    by = f", by steps that keep the meaning: {', '.join(steps)}" if steps else ""
    return passed(f"{counted} have the same normal form{by}. {_ASSUMED}.", conclusive=True)


def _clipped(name: str) -> str:
    return name if len(name) <= _LONG_NAME else f"{name[: _LONG_NAME - 3]}..."


def _read(code: str) -> Form | str:
    """The normal form of a program, or what to say of one that has none."""
    try:
        return form(code)
    except TooDeepError:
        return "is nested too deeply to be brought into normal form"
    except SyntaxError:
        return "cannot be read as Python"


def _incomparable(why: str, comparison: Comparison) -> Evidence:
    """Where there is nothing to compare, what was changed is not proven."""
    said = f"{why}, so nothing can be compared."
    return failed(said) if comparison.before != comparison.after else not_applicable(said)
