"""Many wrong and right rewrites of JavaScript: no wrong one is proven, most right ones are."""

from __future__ import annotations

import pytest
from javascript_samples import compared, pairs

from codeintel.contracts import CheckStatus
from codeintel.engine.sandbox.javascript import behaviour
from codeintel.engine.sandbox.javascript.pairs import Pair
from codeintel.engine.sandbox.javascript.plan import prepared

WRONG = pairs("wrong.yml", "wrong_more.yml", "wrong_third.yml")
RIGHT = pairs("right.yml")
UNUSUAL = frozenset(
    (
        *("map for a loop", "some for a loop", "every for a loop", "reduce for a sum"),
        *("spread for slice", "startsWith for a slice", "a negated loop"),
    )
)
"""Right if arrays have no holes and texts are strings, which nothing in these programs shows."""


def test_there_are_enough() -> None:
    assert (len(WRONG) >= 60, len(RIGHT) >= 25) == (True, True)
    assert RIGHT.keys() > UNUSUAL


def doubts(name: str) -> list[str]:
    """Return why no run could prove a wrong rewrite."""
    return prepared(Pair(*WRONG[name], "javascript", "javascript")).doubts


RUN = sorted(name for name in WRONG if not doubts(name))


def test_most_wrong_rewrites_are_run() -> None:
    assert len(RUN) >= 60


@pytest.mark.parametrize("name", RUN)
def test_wrong_rewrites_are_not_proven(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(behaviour, "CALL_SECONDS", 2.0)
    found = compared(*WRONG[name])
    assert not found.conclusive, found.text
    assert found.status is not CheckStatus.NOT_APPLICABLE, found.text


@pytest.mark.parametrize("name", sorted(RIGHT.keys() - UNUSUAL))
def test_right_rewrites_are_proven(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(behaviour, "CALL_SECONDS", 20.0)
    monkeypatch.setattr(behaviour, "SECONDS", 30.0)
    found = compared(*RIGHT[name])
    assert found.conclusive, found.text
    assert "In the changed code, the calls reached" in found.text


@pytest.mark.parametrize("name", sorted(UNUSUAL))
def test_unusual_values_are_a_doubt_and_no_failure(name: str) -> None:
    found = compared(*RIGHT[name])
    assert (found.status, found.conclusive) == (CheckStatus.PASSED, False), found.text
    assert "This is no proof" in found.text
