"""Errors in plugins' scorers only affect their own signal."""

from __future__ import annotations

from math import inf, nan
from typing import Any

import pytest
from trust_cases import Fixed, judged, signal

from codeintel.contracts import Case, Measure, Scorer, Target
from codeintel.trust.scores import Status, decode_score, encode_score

STRANGE = (
    "good",
    Measure(nan, "", 1.0),
    Measure(inf, "", 1.0),
    Measure([1], "", 1.0),  # type: ignore[arg-type]
    Measure(b"x", "", 1.0),  # type: ignore[arg-type]
    Measure(None, "", 1.0),  # type: ignore[arg-type]
    Measure("\ud800", "", 1.0),
    Measure(1, "", 1.0, note="\ud800"),
    Measure(1, "", 1.0, url=5),  # type: ignore[arg-type]
    Measure(1, "", "1"),  # type: ignore[arg-type]
)


class Raising(Fixed):
    def applies_to(self, target: Target) -> bool:  # noqa: ARG002 - it fails
        raise RuntimeError("secret")


class Strange(Fixed):
    def measure(self, case: Case) -> Any:  # noqa: ARG002 - it looks at nothing
        return self._gives


@pytest.mark.parametrize(
    "broken",
    [
        Fixed("b", 1, RuntimeError("secret")),
        Fixed("b", 1, nan),
        Fixed("b", 1, RecursionError()),
        Fixed("b", 1, "x"),  # type: ignore[arg-type]
        *(Strange("b", 1, each) for each in STRANGE),  # type: ignore[arg-type]
    ],
)
def test_a_broken_scorer_costs_its_own_signal(broken: Scorer) -> None:
    found = judged({}, by=[Fixed("a", 1, 1.0), broken, Fixed("c", 2, 0.5)])
    assert (found.low, found.high, found.coverage) == (50, 75, 0.75)
    own = signal(found, "b")
    assert (own.status, own.note) == (Status.MISSING, "The signal failed.")
    assert "secret" not in encode_score(found).decode()


def test_a_scorer_that_cannot_say_whether_it_applies_does() -> None:
    found = judged({}, by=[Fixed("a", 1, 1.0), Raising("b", 1, 0.0)])
    assert found.score == 50
    assert signal(found, "b").status is Status.MEASURED


@pytest.mark.parametrize(("told", "points"), [(2.0, 100), (inf, 100), (-1.0, 0), (-inf, 0)])
def test_scores_off_the_scale_are_at_its_end(told: float, points: float) -> None:
    assert judged({}, by=[Fixed("a", 1, told)]).score == points


def test_a_measure_takes_what_json_has() -> None:
    for value in ("x", 5, 0.25, True):

        class Valued(Fixed):
            told = value

            def measure(self, case: Case) -> Measure:  # noqa: ARG002 - it looks at nothing
                return Measure(self.told, "", 1.0)

        found = judged({}, by=[Valued("a", 1, 1.0)])
        told = decode_score(encode_score(found)).signals[0].value
        assert told == value and type(told) is type(value)
