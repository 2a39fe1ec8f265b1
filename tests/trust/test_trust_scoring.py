"""From facts to a score: it adds up, it says what it does not know, and it replays."""

from __future__ import annotations

import json
from copy import deepcopy
from decimal import Decimal
from fractions import Fraction
from math import inf, nan
from random import Random
from typing import Any

import msgspec
import pytest
from codeintel_plugins.trust.scorers.repository import OfRepository
from hypothesis import given, settings
from hypothesis import strategies as st
from trust_cases import (
    AS_OF,
    CHECKS,
    FLAWLESS,
    HOSTILE,
    KIT,
    SHIPPED,
    Fixed,
    fact,
    inputs_of,
    judged,
    signal,
)

from codeintel.contracts import Axis, Case, Ecosystem, Measure, Scorer, SourceProblem, Target
from codeintel.trust.scoring import (
    Failure,
    Inputs,
    Score,
    Status,
    apportion,
    decode_inputs,
    decode_score,
    encode_inputs,
    encode_score,
    score,
    scorer_version,
)

days = st.datetimes().map(lambda at: f"{at:%Y-%m-%dT%H:%M:%SZ}".rjust(20, "0"))
VALUES: dict[str, st.SearchStrategy[Any]] = {
    "version": st.just("1.0.0"),
    "advisories": st.lists(
        st.fixed_dictionaries({"id": st.just("A"), "severity": st.none() | st.floats(0, 10)})
    ),
    "scorecard": st.dictionaries(
        st.sampled_from(CHECKS), st.fixed_dictionaries({"score": st.integers(-1, 10)})
    ).map(lambda checks: {"checks": checks}),
    "release_dates": st.fixed_dictionaries({"first": st.none() | days, "latest": st.none() | days}),
    "releases": st.lists(st.fixed_dictionaries({"version": st.just("1"), "at": days}), max_size=3),
    "status": st.sampled_from(["active", "deprecated"]),
    "pushed_at": days,
    "is_archived": st.booleans(),
    "attestations": st.fixed_dictionaries(
        {"verified": st.integers(0, 2), "total": st.integers(0, 2)}
    ),
    "repository": st.just("github.com/a/b"),
    "repository_proof": st.sampled_from(["attested", "declared"]),
    "licenses": st.lists(st.sampled_from(["MIT", "ours"]), max_size=2),
    "maintainers": st.lists(st.just({"id": "a"}), max_size=4),
    "contributors": st.fixed_dictionaries({"topShare": st.floats(0, 1)}),
    "created_at": days,
}
FACTS = st.fixed_dictionaries(
    {}, optional={name: each | st.sampled_from(HOSTILE) for name, each in VALUES.items()}
)
TARGETS = st.sampled_from([Target(each, "a/b") for each in Ecosystem])
FIXED = st.lists(
    st.builds(
        Fixed,
        st.text("abcdef", min_size=1, max_size=4),
        st.floats(1e-3, 1e3),
        st.none() | st.floats() | st.just(ValueError()),
        st.sampled_from(Axis),
    ),
    min_size=1,
    max_size=30,
    unique_by=lambda each: each.name,
)


BY_ID = {each.name: each for each in SHIPPED}


def check_sums(found: Score) -> None:
    """Exactly, in any order, in binary and in decimal numbers."""
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
    assert "The signal itself failed." not in {each.note for each in found.signals}


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
    """And it never takes away what is proven: a signal that was known may only change where a
    better source of the same comes in, which are the times of releases, and the repository."""
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
    assert missing.note == "No source tells it of this package."
    assert (missing.status, missing.value, missing.evidence_url) == (Status.MISSING, None, None)


def test_a_package_without_a_flaw_has_100_points() -> None:
    found = judged(FLAWLESS)
    assert (found.score, found.low, found.high, found.coverage) == (100, 100, 100, 1)


def test_a_score_worked_out_by_hand() -> None:
    """All weights of npm's signals are those of the file, as they add up to 100 there."""
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
    # known-advisories: 14 * .25 = 3.5, 10.5 less. maintainers: 6 * .4 = 2.4, of which 153 / 64 =
    # 2.390625 count, 3.609375 less. proven-repository: 2 less. static-analysis and signed-releases:
    # 2 + 2 missing. As nothing proves the repository, half of what is found there counts, and the
    # other half is open: of code-review 5 * .7 = 3.5, so 1.75 and 1.75, 3.25 less; of the other
    # checks 4 + 3 + 2 + 2 + 2 + 8, of the push 3, the archive 2 and contributors 4, which is 30,
    # 15 and 15.
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
    """Whatever else speaks for it, and whatever is missing."""
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


@pytest.mark.parametrize(
    ("weights", "whole", "parts"),
    [
        # Hamilton: 100 * .47, .16, .158, .12, .061, .031 give 47, 16, 15.8, 12, 6.1, 3.1; rounded
        # down 99: the largest remainder, .8, takes the one that is left.
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
    """Docker has neither advisories (14), attestations (6), proofs of its repository (2), licences
    (5) nor maintainers (6): 67 points are left. 8 of 67 are 6400 * 8 / 67 = 764.18 parts of 1/64,
    so 764 / 64."""
    found = judged({}, Target(Ecosystem.DOCKER, "redis"))
    assert signal(found, "lookalike-name").weight == 764 / 64
    assert signal(found, "license").note == "Such packages cannot have it."
    assert {each.id for each in found.signals if each.status is Status.NOT_APPLICABLE} == {
        *("known-advisories", "attestation", "proven-repository", "license", "maintainers")
    }


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
    assert (own.status, own.note) == (Status.MISSING, "The signal itself failed.")
    assert "secret" not in encode_score(found).decode()


def test_a_scorer_that_cannot_say_whether_it_applies_does() -> None:
    found = judged({}, by=[Fixed("a", 1, 1.0), Raising("b", 1, 0.0)])
    assert found.score == 50
    assert signal(found, "b").status is Status.MEASURED


@pytest.mark.parametrize(("told", "points"), [(2.0, 100), (inf, 100), (-1.0, 0), (-inf, 0)])
def test_scores_off_the_scale_are_at_its_end(told: float, points: float) -> None:
    assert judged({}, by=[Fixed("a", 1, told)]).score == points


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
    assert signal(found, "license").note == "No source tells it of this package."
    assert signal(found, "maintainers").note == "No source tells it of this package."


@settings(max_examples=60, deadline=None)
@given(FACTS, TARGETS, st.sets(st.sampled_from(sorted(VALUES))))
def test_a_replay_gives_the_same_bytes(
    values: dict[str, Any], target: Target, stale: set[str]
) -> None:
    """Also when the facts come in another order of keys, and through indented JSON."""
    inputs = inputs_of(values, target, stale=tuple(sorted(stale)))
    first = encode_score(score(inputs, SHIPPED))
    encoded = encode_inputs(inputs)
    assert encode_score(score(decode_inputs(encoded), SHIPPED)) == first
    assert encode_score(decode_score(first)) == first
    text = json.dumps({"inputs": json.loads(encoded), "score": json.loads(first)}, indent=2)
    document = msgspec.json.decode(text)
    again = msgspec.convert(document["inputs"], Inputs)
    assert encode_inputs(again) == encoded
    assert encode_score(score(again, SHIPPED)) == first
    assert encode_score(msgspec.convert(document["score"], Score)) == first
    backwards = {
        name: dict(reversed(value.items())) if isinstance(value, dict) else value
        for name, value in reversed(values.items())
    }
    assert encode_score(judged(backwards, target, stale=inputs.stale)) == first


def test_the_hash_is_of_all_inputs() -> None:
    plain = inputs_of({"status": "active"})
    others = [
        msgspec.structs.replace(plain, as_of="2026-11-22T10:00:01Z"),
        msgspec.structs.replace(plain, target=Target(Ecosystem.NPM, "kat")),
        msgspec.structs.replace(plain, stale=("status",)),
        msgspec.structs.replace(plain, givers={"status": ("a",)}),
        msgspec.structs.replace(plain, failures=(Failure("a", SourceProblem.BROKEN, "b"),)),
        msgspec.structs.replace(plain, facts=(fact("status", "active", url="u"),)),
        msgspec.structs.replace(plain, facts=(fact("status", "active", at="2026"),)),
    ]
    hashes = {score(each, SHIPPED).inputs_hash for each in [plain, *others]}
    assert len(hashes) == len(others) + 1


# By its version alone: the name of a class counts as well.
Newer = type("Fixed", (Fixed,), {"version": "2"})
Newer.__qualname__ = Fixed.__qualname__


class Other(Fixed):
    pass


class NotForDocker(Fixed):
    def applies_to(self, target: Target) -> bool:
        return target.ecosystem is not Ecosystem.DOCKER


NotForDocker.__qualname__ = Fixed.__qualname__


@pytest.mark.parametrize(
    "changed",
    [
        [Fixed("a", 2, 1.0)],
        [Fixed("b", 1, 1.0)],
        [Fixed("a", 1, 1.0, Axis.NAMING)],
        [Newer("a", 1, 1.0)],
        [Other("a", 1, 1.0)],
        [NotForDocker("a", 1, 1.0)],
        [Fixed("a", 1, 1.0), Fixed("b", 1, 1.0)],
        [],
    ],
)
def test_another_version_of_the_scorers(changed: list[Scorer]) -> None:
    assert scorer_version(changed) != scorer_version([Fixed("a", 1, 1.0)])


def test_the_order_of_scorers_is_no_other_version() -> None:
    assert scorer_version(SHIPPED) == scorer_version(SHIPPED[::-1])
    backwards = judged(FLAWLESS | {"advisories": [{"severity": 3.3}]}, by=SHIPPED[::-1])
    forwards = judged(FLAWLESS | {"advisories": [{"severity": 3.3}]})
    assert encode_score(backwards) == encode_score(forwards)
    assert [each.axis for each in forwards.signals] == sorted(
        (each.axis for each in forwards.signals), key=list(Axis).index
    )


def test_what_is_scored_is_never_changed() -> None:
    values = deepcopy(FLAWLESS)
    before = msgspec.json.encode(values)
    judged(values)
    assert msgspec.json.encode(values) == before


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


def test_a_measure_takes_what_json_has() -> None:
    for value in ("x", 5, 0.25, True):

        class Valued(Fixed):
            told = value

            def measure(self, case: Case) -> Measure:  # noqa: ARG002 - it looks at nothing
                return Measure(self.told, "", 1.0)

        found = judged({}, by=[Valued("a", 1, 1.0)])
        assert decode_score(encode_score(found)).signals[0].value == value
