"""From facts to a score: it adds up, and it says what it does not know."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction
from random import Random
from typing import Any

from codeintel_plugins.trust.scorers.weighted import OfRepository
from hypothesis import given, settings, strategies as st
from made_up_facts import FACTS, FIXED, TARGETS, VALUES
from trust_cases import (
    AS_OF,
    CHECKS,
    FLAWLESS,
    HOSTILE,
    KIT,
    SHIPPED,
    fact,
    inputs_of,
    judged,
    signal,
)

from codeintel.contracts import Axis, Scorer, SourceProblem, Target
from codeintel.trust.scores import Failure, Inputs, Score, Status, encode_score, score

BY_ID = {each.name: each for each in SHIPPED}


def check_sums(found: Score) -> None:
    """Check sums exactly, in any order, in binary and in decimal numbers."""
    contributions = [each.contribution for each in found.signals]
    Random(7).shuffle(contributions)
    assert sum(contributions) == sum(reversed(contributions)) == found.score == found.low
    assert sum(map(Decimal, contributions)) == Decimal(found.score)
    assert sum(Decimal(str(each)) for each in contributions) == Decimal(str(found.score))
    missing = [each.weight for each in found.signals if each.score is None]
    missing += [each.unproven for each in found.signals]
    assert found.high == found.low + sum(missing)
    assert 0 <= found.low <= found.high <= 100
    assert found.coverage == round((100 - sum(missing)) / 100, 4)
    assert sum(each.weight for each in found.signals) in {0, 100}
    assert sum(each.score for each in found.axes) == found.score
    assert sum(each.high for each in found.axes) == found.high
    assert [each.axis for each in found.axes] == list(Axis)
    for each in found.signals:
        assert 0 <= each.contribution <= each.contribution + each.unproven <= each.weight
        assert Fraction(each.weight) * 64 % 1 == Fraction(each.contribution) * 64 % 1 == 0
        if each.score is not None:  # never more than its part, and less by under 1/64
            assert 0 <= each.weight * each.score - each.contribution < 1 / 64 + 1e-9
        if each.status is Status.NOT_APPLICABLE:
            assert (each.weight, each.contribution, each.score) == (0, 0, None)
        assert (each.score is None) == (each.status in {Status.MISSING, Status.NOT_APPLICABLE})


@settings(max_examples=60, deadline=None)
@given(FACTS, TARGETS)
def test_contributions_add_up(values: dict[str, Any], target: Target) -> None:
    found = judged(values, target)
    check_sums(found)
    assert "The signal failed." not in {each.note for each in found.signals}


@settings(max_examples=60, deadline=None)
@given(FIXED)
def test_contributions_of_any_scorers_add_up(scorers: list[Scorer]) -> None:
    found = judged({}, by=scorers)
    check_sums(found)
    assert sum(each.weight for each in found.signals) == 100
    assert encode_score(judged({}, by=scorers)) == encode_score(found)


@settings(max_examples=60, deadline=None)
@given(FACTS, st.sampled_from(sorted(VALUES)), st.data(), TARGETS)
def test_more_evidence_never_widens_the_interval(
    values: dict[str, Any], name: str, data: st.DataObject, target: Target
) -> None:
    """Check that more evidence never removes proven points.

    A known signal may only change if a better source of the same fact is added. Such facts are the
    times of releases, and the repository.
    """
    values.pop(name, None)
    more = values | {name: data.draw(VALUES[name] | st.sampled_from(HOSTILE))}
    before, after = judged(values, target), judged(more, target)
    assert after.high - after.low <= before.high - before.low
    assert after.coverage >= before.coverage
    assert before.scorer_version == after.scorer_version
    for old, new in zip(before.signals, after.signals, strict=True):
        assert old.weight == new.weight
        assert old.score is None or new.score is not None
        if old.score != new.score and old.score is not None:
            of_repository = isinstance(BY_ID[old.id], OfRepository)
            sourced = {"age", "release-recency", "source-repository", "proven-repository"}
            assert of_repository or old.id in sourced
    if name not in {"releases", "release_dates"}:
        assert after.low >= before.low


def test_none_of_the_facts_known() -> None:
    found = judged({})
    name = signal(found, "lookalike-name")
    assert name.weight == 8  # of 100: all other signals are missing
    assert (found.low, found.high) == (8, 100)
    assert found.coverage == 0.08
    assert name.observed_at == AS_OF and name.evidence_url is None
    missing = signal(found, "license")
    assert missing.note == "No source reports this for the package."
    assert (missing.status, missing.value, missing.evidence_url) == (Status.MISSING, None, None)


def test_a_package_without_a_flaw_has_100_points() -> None:
    found = judged(FLAWLESS)
    assert (found.score, found.low, found.high, found.coverage) == (100, 100, 100, 1)


def test_a_score_worked_out_by_hand() -> None:
    """Check a manual calculation. All weights of npm's signals are those of the file, because
    they add up to 100 there."""
    checks = dict.fromkeys(CHECKS, 10) | {"Code-Review": 7, "SAST": -1, "Signed-Releases": -1}
    found = judged(
        {
            **FLAWLESS,
            "advisories": [{"id": "A", "severity": 7.5}],
            "scorecard": {"checks": {name: {"score": each} for name, each in checks.items()}},
            "maintainers": [{"id": "ada"}],
            "repository_proof": "declared",
        }
    )
    # known-advisories: 14 * .25 = 3.5, 10.5 less. maintainers: 6 * .4 = 2.4; 153 / 64 = 2.390625
    # count, 3.609375 less. proven-repository: 2 less. static-analysis and signed-releases: 2 + 2
    # missing. The repository is unproven, so half of its points count and the other half is open:
    # of code-review 5 * .7 = 3.5, so 1.75 and 1.75, 3.25 less; of the other checks 4 + 3 + 2 + 2 +
    # 2 + 8, of the push 3, the archive 2 and contributors 4, which is 30, 15 and 15.
    assert signal(found, "maintainers").contribution == 153 / 64
    assert signal(found, "code-review").contribution == signal(found, "code-review").unproven
    assert found.low == 100 - 10.5 - 3.609375 - 2 - 4 - 3.25 - 15 == 61.640625
    assert found.high == 61.640625 + 4 + 1.75 + 15 == 82.390625
    assert found.coverage == 0.7925
    axes = {each.axis: (each.score, each.high, each.weight) for each in found.axes}
    assert axes == {
        Axis.SECURITY: (11.75, 22.0, 34.0),  # 3.5 + 1.75 + 13 / 2; 2 missing, 1.75 + 6.5 open
        Axis.MAINTENANCE: (19.5, 26.0, 26.0),  # 8 + 5 + 13 / 2
        Axis.PROVENANCE: (14.0, 16.0, 18.0),  # 18 - 2 - 2
        Axis.COMMUNITY: (8.390625, 10.390625, 14.0),  # 2.390625 + 4 / 2 + 4
        Axis.NAMING: (8.0, 8.0, 8.0),
    }


def test_known_malware_has_no_points() -> None:
    """Check that good or missing facts do not matter."""
    flawless = {**FLAWLESS, "advisories": [{"id": "MAL-2026-1", "severity": None}]}
    hardly_known = {"advisories": [{"id": "GHSA-x", "aliases": ["MAL-2026-1"], "severity": 3.0}]}
    for values in (flawless, hardly_known):
        found = judged(values)
        assert found.settled_by == "known-advisories"
        assert (found.score, found.low, found.high, found.coverage) == (0, 0, 0, 1)
        assert {each.contribution for each in found.signals} == {0}
        assert {(each.score, each.high) for each in found.axes} == {(0, 0)}
        assert "malicious" in signal(found, "known-advisories").note
    assert judged({**FLAWLESS, "advisories": [{"id": "MALT-1"}]}).settled_by is None


def test_evidence() -> None:
    """The link is the scorer's own, else the first fact's that has one; the time the oldest's."""
    facts = (
        fact("created_at", "2025-01-01T00:00:00Z", at="2026-11-19T00:00:00Z"),
        fact("licenses", ["MIT"], url="https://example.test/licence"),
        fact("release_dates", {"first": "2025-01-01T00:00:00Z"}),
        fact("releases", [], url="https://example.test/releases"),
        fact("repository", "github.com/a/b", url="https://example.test/elsewhere"),
    )
    found = score(Inputs(KIT, AS_OF, facts, stale=("created_at",)), SHIPPED)
    assert signal(found, "license").evidence_url == "https://example.test/licence"
    assert signal(found, "source-repository").evidence_url == "https://github.com/a/b"
    age = signal(found, "age")
    assert age.evidence_url == "https://example.test/releases"
    assert age.observed_at == "2026-11-19T00:00:00Z"
    assert (age.status, signal(found, "license").status) == (Status.STALE, Status.MEASURED)


def test_why_a_signal_is_missing() -> None:
    failures = (
        Failure("one", SourceProblem.TIMEOUT, "One was late."),
        Failure("two", SourceProblem.UNREACHABLE, "Two is away."),
        Failure("three", SourceProblem.UNREACHABLE, "One was late."),
        Failure("four", SourceProblem.BROKEN, "Four is broken."),
    )
    givers = {"release_dates": ("one", "two"), "releases": ("three",), "licenses": ("five",)}
    found = score(inputs_of({}, failures=failures, givers=givers), SHIPPED)
    assert signal(found, "release-recency").note == "One was late. Two is away."
    assert signal(found, "license").note == "No source reports this for the package."
    assert signal(found, "maintainers").note == "No source reports this for the package."


def test_popularity_says_nothing() -> None:
    counted = {
        "downloads": {"count": 10**9, "period": "last-month"},
        "dependents": {"packages": 10**6, "repositories": 10**6},
        "rankings": {"downloads": 0.01},
        "stars": 10**6,
        "forks": 10**6,
    }
    plain, popular = judged({"licenses": ["MIT"]}), judged({"licenses": ["MIT"], **counted})
    assert plain.signals == popular.signals
