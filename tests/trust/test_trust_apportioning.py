"""Weights become whole parts that add up."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given, settings, strategies as st
from trust_cases import FLAWLESS, judged, signal

from codeintel.contracts import Ecosystem, Target
from codeintel.trust.scores import Status, apportion


@pytest.mark.parametrize(
    ("weights", "whole", "parts"),
    [
        # Hamilton: 100 * .47, .16, .158, .12, .061, .031 give 47, 16, 15.8, 12, 6.1, 3.1. Rounded
        # down, the sum is 99. The largest remainder, .8, gets the last point.
        (
            {"a": 47_000, "b": 16_000, "c": 15_800, "d": 12_000, "e": 6_100, "f": 3_100},
            100,
            {"a": 47, "b": 16, "c": 16, "d": 12, "e": 6, "f": 3},
        ),
        # A third of 100 each is 33.3...: of equal remainders the first by name.
        ({"c": 1, "a": 1, "b": 1}, 100, {"a": 34, "b": 33, "c": 33}),
        # 10 * 2/7, 2/7, 3/7 = 2.857, 2.857, 4.286: 8, and two go to the larger remainders.
        ({"a": 2, "b": 2, "c": 3}, 10, {"a": 3, "b": 3, "c": 4}),
        ({"a": 0.1, "b": 0.2, "c": 0.7}, 10, {"a": 1, "b": 2, "c": 7}),  # .1 + .2 + .7 is not 1
        ({"a": 1e9, "b": 1e-9}, 6_400, {"a": 6_400, "b": 0}),
        ({"a": 3}, 5, {"a": 5}),
        ({}, 5, {}),
    ],
)
def test_apportioning(weights: dict[str, float], whole: int, parts: dict[str, int]) -> None:
    assert apportion(weights, whole) == parts


@settings(max_examples=100, deadline=None)
@given(
    st.dictionaries(st.text(max_size=3), st.floats(1e-6, 1e9), min_size=1, max_size=40),
    st.integers(1, 10_000),
)
def test_parts_add_up_and_keep_to_their_quota(weights: dict[str, float], whole: int) -> None:
    parts = apportion(weights, whole)
    assert sum(parts.values()) == whole
    total = sum(map(Fraction, weights.values()))
    for name, weight in weights.items():
        quota = whole * Fraction(weight) / total
        assert abs(parts[name] - quota) < 1 + Fraction(1, 10**6)
    backwards = dict(reversed(weights.items()))
    if sum(backwards.values()) == sum(weights.values()):
        assert apportion(backwards, whole) == parts


def test_ecosystems_without_some_signals_are_scaled_up() -> None:
    """Check Docker, which has neither advisories (14), licenses (5) nor maintainers (6), so 75
    points are left.

    8 of 75 are 6400 * 8 / 75 = 682.67 parts of 1/64. Larger remainders of others get the rest: 682
    / 64.
    """
    found = judged({}, Target(Ecosystem.DOCKER, "redis"))
    assert signal(found, "lookalike-name").weight == 682 / 64
    assert signal(found, "license").note == "This signal does not apply to such packages."
    assert {each.id for each in found.signals if each.status is Status.NOT_APPLICABLE} == {
        *("known-advisories", "license", "maintainers")
    }


@pytest.mark.parametrize("ecosystem", [kind for kind in Ecosystem if kind is not Ecosystem.GITHUB])
def test_missing_provenance_costs_the_same_everywhere(ecosystem: Ecosystem) -> None:
    """An ecosystem without attestations must not look better than one whose authors left them
    out."""
    without = {"verified": 0, "total": 0, "repository": None}
    found = judged({**FLAWLESS, "attestations": without}, Target(ecosystem, "a/kit"))
    attestation = signal(found, "attestation")
    assert (attestation.status, attestation.score) == (Status.MEASURED, 0.0)
    assert attestation.weight >= 6
