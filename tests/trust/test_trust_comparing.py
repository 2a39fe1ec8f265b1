"""Conditions under which one of several packages is more trustworthy."""

from __future__ import annotations

from itertools import permutations

import pytest
from hypothesis import given, settings, strategies as st
from trust_cases import AS_OF, FLAWLESS, judged

from codeintel.contracts import Axis, Ecosystem, Target
from codeintel.trust.comparing import compare
from codeintel.trust.scores import AxisScore, Score, Signal, Status
from codeintel.trust.shapes import Verdict

CLEAR, UNCLEAR = Verdict.CLEAR_DIFFERENCE, Verdict.NO_CLEAR_DIFFERENCE


def made_of(name: str, *parts: tuple[float, float, float]) -> Score:
    """Return a score of signals on the first axis: weight, points at least, points at most of
    each."""
    signals = tuple(
        Signal(
            id=f"s{number}",
            axis=Axis.SECURITY,
            title="",
            status=Status.MEASURED,
            value=1,
            unit="",
            score=low / weight if weight else 0.0,
            weight=weight,
            contribution=low,
            unproven=high - low,
            evidence_url=None,
            observed_at=AS_OF,
        )
        for number, (weight, low, high) in enumerate(parts)
        if weight
    )
    weight, low, high = (sum(each) for each in zip(*parts, strict=True))
    axes = tuple(
        AxisScore(axis, low, high, weight) if axis is Axis.SECURITY else AxisScore(axis, 0, 0, 0)
        for axis in Axis
    )
    target = Target(Ecosystem.NPM, name)
    return Score(target, AS_OF, "1-0", "0", low, low, high, 1.0, axes, signals)


def scored(name: str, low: float, high: float, weight: float = 100.0) -> Score:
    """Return a score with one signal."""
    return made_of(name, (weight, low, high))


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
        "The lowest possible score of npm:a, 60.0, is above the highest possible score of npm:b, "
        "55.5, even with each weight 30% higher or lower."
    )
    found = compare([scored("a", 60, 70), scored("b", 65, 66)])
    assert found.reason == (
        "The lowest possible score of npm:b, 65.0, is not above the highest possible score of "
        "npm:a, 70.0."
    )


def test_different_signals_are_compared_by_their_share_of_the_weight() -> None:
    """Compare 15 of 20 points with 7 of 10: the shares .75 and .7 count, regardless of the
    weights."""
    first, second = made_of("a", (20, 15, 20)), made_of("b", (0, 0, 0), (10, 5, 7))
    found = compare([first, second])
    assert found.axes[0].leader == found.leader == "npm:a"


# Leads over another package by the published weights: signals as weight, low, high.
LEADS = [
    # better in everything: weights do not matter
    ([(50, 40, 40), (50, 40, 40)], [(50, 30, 30), (50, 30, 30)], True),
    # 10 points ahead by one signal, 4 behind by the other: 7 against 5.2 at the worst
    ([(50, 40, 40), (50, 20, 20)], [(50, 30, 30), (50, 24, 24)], True),
    # 10 ahead and 6 behind: 7 against 7.8
    ([(50, 40, 40), (50, 20, 20)], [(50, 30, 30), (50, 26, 26)], False),
    # what is open counts for the other
    ([(50, 40, 40), (50, 20, 20)], [(50, 30, 30), (50, 20, 26)], False),
]


@pytest.mark.parametrize(("first", "second", "is_clear"), LEADS)
def test_a_lead_survives_other_weights(
    first: list[tuple[float, float, float]],
    second: list[tuple[float, float, float]],
    is_clear: bool,
) -> None:
    found = compare([made_of("a", *first), made_of("b", *second)])
    assert found.leader == ("npm:a" if is_clear else None)
    assert found.behind == (("npm:b",) if is_clear else ())
    said = "even with each" if is_clear else "but not with every"
    assert f"{said} weight 30% higher or lower." in found.reason


points = st.tuples(st.integers(1, 40), st.integers(0, 8), st.integers(0, 8)).map(
    lambda each: (each[0], each[0] * min(each[1:]) / 8, each[0] * max(each[1:]) / 8)
)
parts = st.lists(points, min_size=3, max_size=3)


@settings(max_examples=200, deadline=None)
@given(parts, parts, st.lists(st.floats(0.7, 1.3), min_size=3, max_size=3), st.booleans())
def test_no_weights_within_the_range_take_a_lead_away(
    first: list[tuple[float, float, float]],
    second: list[tuple[float, float, float]],
    factors: list[float],
    is_alike: bool,
) -> None:
    """Check packages with the same signals and weights, and packages with different ones."""
    if is_alike:
        weights = [each[0] for each in first]
        second = [
            (weight, weight * low / own, weight * high / own)
            for weight, (own, low, high) in zip(weights, second, strict=True)
        ]
    else:
        second = [*second[:2], (0, 0, 0), second[2]]
    if compare([made_of("a", *first), made_of("b", *second)]).leader != "npm:a":
        return

    def share(of: list[tuple[float, float, float]], which: int) -> float:
        scaled = [(factor, each) for factor, each in zip([*factors, 1.3], of, strict=False)]
        return sum(f * each[which] for f, each in scaled) / sum(f * each[0] for f, each in scaled)

    assert share(first, 1) > share(second, 2)


def test_an_imitation_is_never_compared() -> None:
    good, famous, other = scored("reacct", 90, 95), scored("react", 60, 70), scored("b", 10, 20)
    found = compare([good, famous, other], {"npm:reacct": "react"})
    assert (found.verdict, found.leader, found.behind) == (CLEAR, "npm:react", ("npm:b",))
    assert found.left_out == ("npm:reacct",)
    assert found.reason.startswith(
        "npm:reacct is excluded, because its name may imitate react. "
        "The lowest possible score of npm:react"
    )
    found = compare([good, famous], {"npm:reacct": "react"})
    assert (found.verdict, found.leader, found.behind) == (UNCLEAR, None, ())
    assert found.reason.endswith("Fewer than two packages remain to compare.")
    assert {each.leader for each in found.axes} == {None}


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
    """Check that a package without evidence is not worse than another, because it may be as
    good."""
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
    """Check two equal packages and a third that cannot reach them."""
    made = [scored("a", 60, 80), scored("b", 60, 80), scored("c", 10, 50)]
    found = compare(made)
    assert (found.verdict, found.leader) == (Verdict.NO_CLEAR_DIFFERENCE, None)
    assert found.behind == ("npm:c",)
