"""All shipped signals: their weights, what makes them better, and what they make of nonsense."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import pytest
from codeintel_plugins.trust.scorers import SIGNALS
from codeintel_plugins.trust.scorers.security import CHECKS
from codeintel_plugins.trust.scorers.weighted import published_weights
from hypothesis import given, settings, strategies as st
from scorer_facts import (
    BY_ID,
    DAYS_AGO,
    check,
    first,
    flaws,
    latest,
    measured,
    people,
    proof,
    share,
)
from trust_cases import CHECKS as CHECK_NAMES, FLAWLESS, HOSTILE, SHIPPED, judged, signal

from codeintel.contracts import Ecosystem, Target

# From worst to best.
BETTER: dict[str, list[dict[str, Any]]] = {
    "known-advisories": [
        *(flaws(10.0, 3.0), flaws(9.8, 9.8), flaws(9.8), flaws(7.0, 2.0), flaws(7.0)),
        *(flaws(None), flaws(4.0), flaws(0.1), flaws()),
    ],
    "release-recency": [latest(DAYS_AGO[days]) for days in sorted(DAYS_AGO, reverse=True)],
    "repository-activity": [
        {"pushed_at": DAYS_AGO[days]} for days in sorted(DAYS_AGO, reverse=True)
    ],
    "not-deprecated": [{"status": "deprecated"}, {"status": "active"}],
    "not-archived": [{"is_archived": True}, {"is_archived": False}],
    "attestation": [proof(0, 0), proof(0, 1), proof(1, 2), proof(2, 2)],
    "source-repository": [
        {"status": "active"},
        {"status": "active", "repository": "github.com/a/b"},
    ],
    "proven-repository": [
        {**proof(0, 0), "repository_proof": "declared"},
        {**proof(1, 1), "repository_proof": "attested"},
    ],
    "license": [{"licenses": each} for each in ([], ["ours"], ["MIT", "ours"], ["MIT"])],
    "maintainers": [people(count) for count in (1, 2, 3, 4, 50)],
    "contributor-depth": [share(each) for each in (1.0, 0.9, 0.75, 0.51, 0.5, 0.1)],
    "age": [first(DAYS_AGO[days]) for days in sorted(DAYS_AGO)],
    **{id_: [check(each.name, points) for points in range(11)] for id_, each in CHECKS.items()},
}


def test_every_signal_has_a_line_from_worst_to_best() -> None:
    assert set(BETTER) == set(BY_ID) - {"lookalike-name"}


@pytest.mark.parametrize("id_", BETTER)
def test_a_better_fact_never_lowers_the_score(id_: str) -> None:
    """Check the signal's own score, and the package's, regardless of other facts."""
    found = [measured(id_, values) for values in BETTER[id_]]
    scores = [each.score for each in found if each is not None]
    assert len(scores) == len(found)
    assert all(worse <= better for worse, better in pairwise(scores))
    assert scores[0] < scores[-1] == 1.0
    for rest in ({}, FLAWLESS):
        kept = {key: each for key, each in rest.items() if key not in BETTER[id_][-1]}
        if id_ in {"release-recency", "age"}:
            kept = {key: each for key, each in kept.items() if key != "releases"}
        whole = [judged({**kept, **values}) for values in BETTER[id_]]
        assert all(worse.low <= better.low for worse, better in pairwise(whole))
        assert all(worse.high <= better.high for worse, better in pairwise(whole))
        assert whole[0].score < whole[-1].score


def test_scorers_and_published_weights_are_the_same() -> None:
    weights = {each.id: each for each in published_weights()}
    assert set(weights) == set(SIGNALS) | set(CHECKS) == set(BY_ID)
    assert not set(SIGNALS) & set(CHECKS)
    assert sum(each.weight for each in weights.values()) == 100
    assert {each.name for each in CHECKS.values()} == set(CHECK_NAMES)
    for id_, scorer in BY_ID.items():
        assert (scorer.axis, scorer.weight) == (weights[id_].axis, weights[id_].weight)
        assert scorer.title and scorer.reason.endswith(".") and scorer.advice.endswith(".")
        assert scorer.reads or id_ == "lookalike-name"
    assert len({each.title for each in SHIPPED}) == len(SHIPPED)


@pytest.mark.parametrize("ecosystem", Ecosystem)
def test_where_signals_apply(ecosystem: Ecosystem) -> None:
    weights = {each.id: each.ecosystems for each in published_weights()}
    found = judged({}, Target(ecosystem, "a/b"))
    for each in found.signals:
        applies = not weights[each.id] or ecosystem in weights[each.id]
        assert (each.weight > 0) is applies
    assert sum(each.weight for each in found.signals) == 100


@pytest.mark.parametrize("id_", BY_ID)
def test_facts_of_other_shapes_never_break_a_signal(id_: str) -> None:
    """Check that the signal is missing, or counts the readable part."""
    for name in BY_ID[id_].reads:
        for value in HOSTILE:
            for rest in ({}, FLAWLESS):
                found = signal(judged({**rest, name: value}, by=[BY_ID[id_]]), id_)
                assert found.note != "The signal failed.", (name, value)
                assert found.score is None or 0 <= found.score <= 1


@settings(max_examples=100, deadline=None)
@given(st.text(max_size=20) | st.text("MIT/()+- ANDORWH.", max_size=20))
def test_any_text_for_a_licence_is_judged(text: str) -> None:
    found = measured("license", {"licenses": [text]})
    assert found is not None
    assert found.score in ({0.4, 1.0} if text.strip() else {0.0})


def test_other_signals_are_none_the_worse_for_nonsense() -> None:
    nonsense = judged({**FLAWLESS, "licenses": 5})
    pairs = zip(nonsense.signals, judged(FLAWLESS).signals, strict=True)
    assert [each.id for each, plain in pairs if each != plain] == ["license"]
    assert signal(nonsense, "license").score is None


@pytest.mark.parametrize(
    ("status", "points"),
    [
        ("active", 100.0),
        ("deprecated", 95.0),
        ("yanked", 95.0),
        ("removed", 0.0),
        ("unpublished", 0),
    ],
)
def test_what_a_registry_has_removed_has_no_points(status: str, points: float) -> None:
    found = judged({**FLAWLESS, "status": status})
    assert (found.score, found.high) == (points, points)
    assert found.settled_by == ("not-deprecated" if not points else None)
