"""V2 for Python: trees that steps which keep the meaning make equal.

Both programs are brought into one form, each by itself. A step is taken only where its conditions
can be seen in the code, so two programs of the same form mean the same; where they are not seen,
the forms differ and the change is refused. What is taken for granted is said in the evidence.
"""

from __future__ import annotations

from codeintel.verification.comparison import Comparison
from codeintel.verification.evidence import Evidence, failed, not_applicable, passed
from codeintel.verification.normal_form.facts import HARMLESS
from codeintel.verification.normal_form.program import MODULE, Form, TooDeepError, form

__all__ = ["HARMLESS", "MODULE", "Form", "TooDeepError", "compare", "form"]

_MAX_NAMED = 6
_ASSUMED = (
    "Taken for granted: reading attributes and items, comparing and formatting have no side effects"
)


def compare(comparison: Comparison) -> Evidence:
    """Whether both have the same normal form."""
    if comparison.language != "python" or comparison.target != "python":
        return not_applicable("Only programs in Python have this normal form.")
    try:
        before, after = form(comparison.before), form(comparison.after)
    except TooDeepError:
        return not_applicable("The code is nested too deeply to be brought into normal form.")
    except SyntaxError:
        return not_applicable("The original or the result does not parse as Python.")
    different = before.differences(after)
    if different:
        named = ", ".join(different[:_MAX_NAMED])
        return failed(f"The normal forms differ in {len(different)} places: {named}.")
    counted = f"{before.statements} statements of the original and {after.statements} of the result"
    steps = sorted({*before.steps, *after.steps})
    if before.is_plain(after):
        return passed(f"{counted}: equal syntax trees.")
    return passed(
        f"{counted} have the same normal form, by steps that keep the meaning: {', '.join(steps)}."
        f" {_ASSUMED}."
    )
