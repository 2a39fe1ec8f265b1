"""Benchmark intelligence: what would help a package, and what holds it in place."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest
from hypothesis import given, settings, strategies as st
from trust_cases import AS_OF, FLAWLESS, HOSTILE, KIT, SHIPPED, fact, inputs_of, judged

from codeintel.contracts import Ecosystem, SourceProblem, Target
from codeintel.trust.genome import moat_signals, recommendations
from codeintel.trust.scores import Failure, Inputs, score
from codeintel.trust.shapes import Gain

DAY = 86_400_000
COUNTED = {
    "dependents": {"packages": 1_200, "repositories": 19_210},
    "maintainers": [{"id": "ada"}, {"id": "grace"}],
    "attestations": {"verified": 1, "total": 1, "repository": None},
    "stars": 4_821,
}
IDS = (
    *("dependents-packages", "dependents-growth", "maintainer-depth", "attestations-verified"),
    *("dependents-repositories", "stars"),
)


def test_recommendations_name_the_gain() -> None:
    values = {
        **{name: value for name, value in FLAWLESS.items() if name != "licenses"},
        "maintainers": [{"id": "ada"}],  # 6 * .4 = 2.4: 2.390625 of 6, 3.609375 to gain
        "status": "deprecated",  # 5 to gain, like the unknown license
    }
    found = recommendations(judged(values), SHIPPED, inputs_of(values))
    assert [(each.signal, each.kind, each.gain) for each in found] == [
        ("license", Gain.SHOW, 5.0),
        ("not-deprecated", Gain.IMPROVE, 5.0),
        ("maintainers", Gain.IMPROVE, 3.609375),
    ]
    assert found[0].advice == "This is unknown now: No source reports this for the package."
    assert found[2].advice == "Give publishing rights to at least three people."
    assert {each.target for each in found} == {"npm:kit"}


def test_nothing_to_recommend() -> None:
    assert recommendations(judged(FLAWLESS), SHIPPED, inputs_of(FLAWLESS)) == ()


def test_what_cannot_be_had_is_not_recommended() -> None:
    image = Target(Ecosystem.DOCKER, "kit")
    found = recommendations(judged({}, image), SHIPPED, inputs_of({}, image))
    assert "known-advisories" not in {each.signal for each in found}
    project = Target(Ecosystem.GITHUB, "kit/kit")
    own = recommendations(judged({}, project), SHIPPED, inputs_of({}, project))
    assert own
    assert not {"attestation", "proven-repository"} & {each.signal for each in own}


@settings(max_examples=40, deadline=None)
@given(st.sets(st.sampled_from(sorted(FLAWLESS))))
def test_all_gains_together_lead_to_100(names: set[str]) -> None:
    total = judged({name: FLAWLESS[name] for name in names})
    found = recommendations(total, SHIPPED, inputs_of({}))
    assert total.score + sum(each.gain for each in found) == 100
    shown = sum(each.gain for each in found if each.kind is Gain.SHOW)
    unproven = sum(each.unproven for each in total.signals)
    assert total.high == total.low + shown + unproven
    gains = [each.gain for each in found]
    assert gains == sorted(gains, reverse=True) and all(each > 0 for each in gains)


def test_what_a_failure_hides_is_no_advice() -> None:
    """Check that facts of a failed upstream cause no advice, because they may exist."""
    failures = (Failure("a", SourceProblem.TIMEOUT, "A was late."),)
    for givers, is_advised in (({"licenses": ("a",)}, False), ({"licenses": ("b",)}, True)):
        inputs = inputs_of({}, failures=failures, givers=givers)
        found = {each.signal for each in recommendations(score(inputs, SHIPPED), SHIPPED, inputs)}
        assert ("license" in found) is is_advised and "maintainers" in found


def test_what_is_wrong_is_advised_although_something_fails() -> None:
    """Check that a known signal still causes advice if another upstream fails."""
    failures = (Failure("a", SourceProblem.TIMEOUT, "A was late."),)
    inputs = inputs_of({"status": "deprecated"}, failures=failures, givers={"status": ("a",)})
    found = recommendations(score(inputs, SHIPPED), SHIPPED, inputs)
    assert "not-deprecated" in {each.signal for each in found}


def test_nothing_helps_where_a_signal_decides_alone() -> None:
    settled = msgspec.structs.replace(judged({}), settled_by="known-advisories")
    assert recommendations(settled, SHIPPED, inputs_of({})) == ()


def growth(*counts: tuple[float, float], values: Any = COUNTED) -> Any:
    rows = [(int(day * DAY), value) for day, value in counts]
    return moat_signals(inputs_of(values), {"dependents": rows})[1]


def test_moats() -> None:
    facts = tuple(
        fact(name, value, url=f"https://example.test/{name}")
        for name, value in sorted(COUNTED.items())
    )
    found = moat_signals(Inputs(KIT, AS_OF, facts), {})
    assert tuple(each.id for each in found) == IDS
    values = [each.value for each in found]
    assert values == [1_200, None, 2, 1, 19_210, 4_821]
    for each in found:
        assert each.target == "npm:kit" and each.title and each.unit
        if each.value is not None:
            assert each.observed_at == AS_OF and each.evidence_url
            assert each.note == ""


def test_moats_of_which_nobody_tells() -> None:
    found = moat_signals(inputs_of({}), {})
    assert tuple(each.id for each in found) == IDS
    for each in found:
        assert (each.value, each.evidence_url, each.observed_at) == (None, None, None)
        assert each.note.endswith(".")


@pytest.mark.parametrize(
    ("counts", "value"),
    [
        # From 100 to 128 in 28 days is one a day: 28 * 365 / 28.
        ([(0, 100), (28, 128)], 365.0),
        ([(0, 100), (56, 128)], 182.5),
        ([(0, 128), (28, 100)], -365.0),
        ([(0, 100), (365, 100)], 0.0),
        # The newest count that is old enough: (90 - 30) * 365 / 40 = 547.5 and not that of day 0.
        ([(0, 0), (10, 30), (23, 60), (50, 90)], 547.5),
        ([(0, 1), (30, 2)], 12.2),  # 365 / 30 = 12.17
        ([(0, 100), (27.99, 128)], None),
        ([(0, 100)], None),
        ([], None),
    ],
)
def test_growth_of_dependents(counts: list[tuple[float, float]], value: float | None) -> None:
    found = growth(*counts)
    assert found.value == value
    assert found.unit == "packages a year"
    if value is None:
        assert "28 days apart" in found.note


def test_growth_says_what_it_compares() -> None:
    found = growth((0, 1_000), (30, 1_200))
    assert found.note == "From 1,000 to 1,200 in 30 days."
    assert found.observed_at == AS_OF


def test_facts_of_other_shapes() -> None:
    for name in COUNTED:
        for value in HOSTILE:
            found = moat_signals(inputs_of({**COUNTED, name: value}), {})
            assert tuple(each.id for each in found) == IDS
            assert not any(isinstance(each.value, bool) for each in found), (name, value)
