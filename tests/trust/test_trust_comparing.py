"""When one of several packages is more trustworthy."""

from __future__ import annotations

from itertools import permutations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from trust_cases import AS_OF, FLAWLESS, judged

from codeintel.contracts import Axis, Ecosystem, Target
from codeintel.trust.comparing import compare
from codeintel.trust.scores import AxisScore, Score
from codeintel.trust.shapes import Verdict

CLEAR, UNCLEAR = Verdict.CLEAR_DIFFERENCE, Verdict.NO_CLEAR_DIFFERENCE


def scored(name: str, low: float, high: float, weight: float = 100.0) -> Score:
    """All on the first axis, which has so much of the weight."""
    axes = tuple(
        AxisScore(axis, low, high, weight) if axis is Axis.SECURITY else AxisScore(axis, 0, 0, 0)
        for axis in Axis
    )
    target = Target(Ecosystem.NPM, name)
    return Score(target, AS_OF, "1-0", "0", low, low, high, 1.0, axes, ())


@pytest.mark.parametrize(
    ("spans", "leader"),
    [
        ([(60, 70), (40, 50)], "npm:a"),
        ([(40, 50), (60, 70)], "npm:b"),
        ([(50, 60), (40, 50)], None),  # equal at the ends: it may be no better
        ([(50.015625, 60), (40, 50)], "npm:a"),
        ([(50, 60), (40, 90)], None),
        ([(50, 60), (50, 60)], None),
        ([(50, 50), (50, 50)], None),
        ([(0, 100), (0, 100)], None),
        ([(80, 81), (10, 79), (70, 79.5)], "npm:a"),
        ([(80, 81), (10, 79), (70, 80)], None),
        ([(10, 20), (30, 40), (90, 91)], "npm:c"),
    ],
)
def test_the_verdict(spans: list[tuple[float, float]], leader: str | None) -> None:
    scores = [scored(name, *span) for name, span in zip("abc", spans, strict=False)]
    found = compare(scores)
    assert found.leader == leader
    assert found.verdict is (CLEAR if leader else UNCLEAR)
    assert found.axes[0].leader == leader and found.axes[0].verdict is found.verdict
    for other in found.axes[1:]:
        assert (other.verdict, other.leader) == (UNCLEAR, None)


def test_the_reason() -> None:
    found = compare([scored("a", 60, 70), scored("b", 10, 55.55), scored("c", 40, 50)])
    assert found.reason == (
        "The least that npm:a can have, 60.0, is above the most that npm:b can have, 55.5."
    )
    found = compare([scored("a", 60, 70), scored("b", 65, 66)])
    assert found.reason == (
        "The least that npm:b can have, 65.0, is not above the most that npm:a can have, 70.0."
    )


def test_axes_are_compared_by_their_share() -> None:
    """15 to 20 of 20 are .75 to 1; 30 to 35 of 50 are .6 to .7."""
    found = compare([scored("a", 15, 20, 20), scored("b", 30, 35, 50)])
    assert found.axes[0].leader == "npm:a"
    assert found.leader == "npm:b"


def test_a_package_without_an_axis_has_all_before_it() -> None:
    found = compare([scored("a", 100, 100), scored("b", 0, 0, 0)])
    assert found.axes[0].leader is None


spans = st.tuples(st.integers(0, 6_400), st.integers(0, 6_400)).map(
    lambda pair: (min(pair) / 64, max(pair) / 64)
)


@settings(max_examples=60, deadline=None)
@given(st.lists(spans, min_size=2, max_size=4))
def test_the_order_of_packages_says_nothing(found: list[tuple[float, float]]) -> None:
    scores = [scored(name, *span) for name, span in zip("abcd", found, strict=False)]
    leaders = {compare(each).leader for each in permutations(scores)}
    assert len(leaders) == 1
    (leader,) = leaders
    for own, each in zip(scores, found, strict=True):
        others = [high for other, (_, high) in zip(scores, found, strict=True) if other is not own]
        assert (own.target.key == leader) == (each[0] > max(others))


def test_real_scores() -> None:
    """Without evidence nothing is worse than anything: it may be as good."""
    flawless = judged(FLAWLESS, Target(Ecosystem.NPM, "good"))
    unknown = judged({}, Target(Ecosystem.NPM, "dark"))
    deprecated = judged({**FLAWLESS, "status": "deprecated"}, Target(Ecosystem.NPM, "old"))
    assert compare([flawless, unknown]).leader is None
    found = compare([deprecated, flawless])
    assert found.leader == "npm:good"
    axes = {each.axis: each.leader for each in found.axes if each.axis is not Axis.NAMING}
    rest = (Axis.SECURITY, Axis.PROVENANCE, Axis.COMMUNITY)
    assert axes == {**dict.fromkeys(rest), Axis.MAINTENANCE: "npm:good"}


def test_who_is_clearly_behind_is_told_where_nobody_leads() -> None:
    """Two are level, and the third cannot reach them."""
    made = [scored("a", 60, 80), scored("b", 60, 80), scored("c", 10, 50)]
    found = compare(made)
    assert (found.verdict, found.leader) == (Verdict.NO_CLEAR_DIFFERENCE, None)
    assert found.behind == ("npm:c",)
