"""Steps apply only if their conditions hold: each next to its counterexample."""

from __future__ import annotations

import pytest
from normal_form_sound import SOUND
from normal_form_unsound import UNSOUND

from codeintel.contracts import CheckStatus
from codeintel.engine.equivalence import same_meaning
from codeintel.engine.equivalence.comparison import Comparison, Evidence


def compared(before: str, after: str) -> Evidence:
    return same_meaning.compare(
        Comparison(before=before, after=after, language="python", target="python")
    )


@pytest.mark.parametrize("name", SOUND)
def test_a_step_is_taken(name: str) -> None:
    evidence = compared(*SOUND[name])
    assert evidence.status is CheckStatus.PASSED, evidence.text


@pytest.mark.parametrize("name", UNSOUND)
def test_a_step_is_not_taken(name: str) -> None:
    evidence = compared(*UNSOUND[name])
    assert evidence.status is CheckStatus.FAILED, evidence.text
    assert "normal forms differ" in evidence.text


@pytest.mark.parametrize(
    ("before", "after", "which"),
    [
        ("print 'a'", "print('a')", "original"),
        ("def f(:", "def f(): ...", "original"),
        ("a = " + "-" * 50_000 + "1", "a = -1", "original"),
        ("a = 1", "a = '\0'", "result"),
        ("a = -1", "a = " + "-" * 50_000 + "1", "result"),
    ],
    ids=["old", "broken", "deep", "zero", "deep result"],
)
def test_what_nobody_can_read_is_not_proven(before: str, after: str, which: str) -> None:
    evidence = compared(before, after)
    assert evidence.status is CheckStatus.FAILED
    assert evidence.text.startswith(f"The {which} ")
    assert "nothing can be compared" in evidence.text
    assert compared(before, before).status is not CheckStatus.FAILED


def test_long_numbers_are_compared() -> None:
    one, other = f"a = 0x{'f' * 5_000}\n", f"a = 0x{'f' * 4_999}e\n"
    assert compared(one, one + "b = 1\n").status is CheckStatus.FAILED
    assert compared(one, other).status is CheckStatus.FAILED
    assert compared("a = 1\n", one).status is CheckStatus.FAILED


def test_evidence_stays_short() -> None:
    name = "x" * 20_000
    evidence = compared(f"def {name}(): return 1", f"def {name}(): return 2")
    assert evidence.status is CheckStatus.FAILED
    assert len(evidence.text) < 200
