"""Steps that depend on the kinds of values, and on unused values."""

from __future__ import annotations

from pathlib import Path

import pytest
from normal_form_mutants import mutants
from normal_form_values import DIFFERENT, SAME

from codeintel.contracts import CheckStatus
from codeintel.engine.equivalence import normal_form, same_meaning
from codeintel.engine.equivalence.comparison import Comparison

PROGRAM = Path(__file__).parent.parent / "transformations" / "python" / "programs" / "exercises.py"


def status(before: str, after: str) -> CheckStatus:
    comparison = Comparison(before=before, after=after, language="python", target="python")
    return same_meaning.compare(comparison).status


@pytest.mark.parametrize("name", SAME)
def test_what_means_the_same_has_one_form(name: str) -> None:
    before, after = SAME[name]
    assert status(before, after) is CheckStatus.PASSED
    assert status(after, before) is CheckStatus.PASSED


@pytest.mark.parametrize("name", DIFFERENT)
def test_what_may_mean_something_else_has_another_form(name: str) -> None:
    before, after = DIFFERENT[name]
    assert status(before, after) is CheckStatus.FAILED


def test_no_mutant_of_a_program_with_all_of_it_passes() -> None:
    code = PROGRAM.read_text(encoding="utf-8")
    form = normal_form.form(code)
    alike = [
        name
        for name, mutant in mutants(code, every=2)
        if not form.differences(normal_form.form(mutant))
    ]
    assert not alike
