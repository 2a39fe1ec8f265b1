"""Attacks, outages and changed databases that the trust core must withstand."""

from __future__ import annotations

import hashlib
from typing import Any

import pytest
from codeintel_plugins.trust.scorers import scorers
from snapshot_rows import NOW, put_snapshot, snapshot
from sqlalchemy import update
from trust_cases import (
    FLAWLESS,
    HOSTILE,
    KIT,
    SHIPPED,
    Clock,
    MakeTrust,
    Told,
    inputs_of,
    judged,
    signal,
)

from codeintel.app import Services
from codeintel.base.errors import ErrorCode, ServiceError
from codeintel.contracts import (
    Ecosystem,
    Evidence,
    SourceError,
    SourceProblem,
    Target,
)
from codeintel.trust.scores import encode_score, score, scorer_version
from codeintel.trust.service import PARTIAL_SECONDS, Snapshot
from codeintel.trust.tables import TrustCohort


class Failing(Told):
    """A collector that can be made to fail."""

    fails = False

    def say(self, target: Target, evidence: Evidence) -> Any:
        if self.fails:
            raise SourceError(SourceProblem.TIMEOUT, "It did not answer.")
        yield from super().say(target, evidence)


@pytest.mark.parametrize(
    ("advisory", "left"),
    [
        ({"id": "GHSA-1", "severity": None, "level": "critical"}, 0.05),
        ({"id": "GHSA-1", "severity": None, "level": "high"}, 0.205),
        ({"id": "GHSA-1", "severity": None, "level": "medium"}, 0.455),
        ({"id": "GHSA-1", "severity": None, "level": "low"}, 0.8),
        ({"id": "GHSA-1", "severity": None, "level": "unknown"}, 0.5),
        ({"id": "GHSA-1", "severity": None, "level": ["high"]}, 0.5),
        ({"id": "GHSA-1", "severity": 3.0, "level": "critical"}, 0.7),
        ({"id": "MAL-2025-1", "severity": None, "level": "critical"}, 0.0),
        ({"id": "GHSA-1", "severity": 3.0, "aliases": ["MAL-2025-1"]}, 0.0),
    ],
)
def test_advisories_without_a_score_count_by_their_words(
    advisory: dict[str, Any], left: float
) -> None:
    found = signal(judged({**FLAWLESS, "advisories": [advisory]}), "known-advisories")
    assert found.score == pytest.approx(left)


@pytest.mark.parametrize("at", ["9999-12-30T00:00:00Z", "2026-11-23T10:00:01Z"])
def test_dates_that_are_still_to_come_prove_nothing(at: str) -> None:
    """Check as of 2026-11-22T10:00. The author of a Go version sets its date."""
    old = {"version": "1", "at": "2020-01-01T00:00:00Z"}
    made_up = {"version": "2", "at": at}
    facts = {**FLAWLESS, "release_dates": {"first": at, "latest": at}, "pushed_at": at}
    found = judged({**facts, "releases": [old, made_up]})
    assert signal(found, "release-recency").score == 0.0
    assert signal(found, "repository-activity").score is None
    assert signal(judged({**facts, "releases": [made_up]}), "release-recency").score is None


def test_clocks_may_differ_by_hours() -> None:
    found = judged({**FLAWLESS, "pushed_at": "2026-11-22T21:00:00Z"})
    assert signal(found, "repository-activity").score == 1.0


@pytest.mark.parametrize("text", ["LicenseRef-scancode-proprietary-license", "MIT OR LicenseRef-x"])
def test_own_terms_are_no_licence_of_the_list(text: str) -> None:
    assert signal(judged({**FLAWLESS, "licenses": [text]}), "license").score == 0.4


def test_where_signals_apply_is_part_of_the_version() -> None:
    """Otherwise a score would change with the version that it names staying the same."""
    changed = list(scorers())
    licence = next(each for each in changed if each.name == "license")
    licence._ecosystems = frozenset({Ecosystem.GITHUB})  # type: ignore[attr-defined]
    assert scorer_version(changed) != scorer_version(SHIPPED)


def test_the_order_of_the_scorers_changes_no_byte() -> None:
    inputs = inputs_of(FLAWLESS)
    assert encode_score(score(inputs, SHIPPED[::-1])) == encode_score(score(inputs, SHIPPED))


@pytest.mark.parametrize(("now", "stands_in"), [("1.0.0", True), ("2.0.0", False)])
def test_what_was_told_of_another_version_does_not_stand_in(
    make_trust: MakeTrust, clock: Clock, now: str, stands_in: bool
) -> None:
    """Check an outage of OSV on the day of a new release, whose vulnerabilities are unknown."""
    registry = Told("registry", is_registry=True, version="1.0.0")
    osv = Failing("osv", needs=["version"], advisories=[])
    trust = make_trust(registry, osv, fresh=1)
    trust.snapshot(KIT)
    registry._found, osv.fails = {"version": now}, True
    clock.now += 1
    found = trust.snapshot(KIT)
    assert ("advisories" in found.inputs.stale) is stands_in
    assert (signal(found.score, "known-advisories").score is not None) is stands_in


@pytest.mark.parametrize("other", ["version", "repository"])
def test_a_proof_of_something_else_does_not_stand_in(
    make_trust: MakeTrust, clock: Clock, other: str
) -> None:
    """Check that it counts neither for a new version nor for a repository that was never proven."""
    facts = {"version": "1.0.0", "repository": "github.com/a/own", "repository_proof": "attested"}
    proving = Failing("proving", is_registry=True, attestations={"verified": 1, "total": 1})
    proving._found.update(facts)
    naming = Told("naming", is_registry=True, version="1.0.0", repository="github.com/a/own")
    trust = make_trust(proving, naming, fresh=1)
    assert signal(trust.snapshot(KIT).score, "proven-repository").score == 1.0
    proving.fails = True
    clock.now += 1
    assert signal(trust.snapshot(KIT).score, "proven-repository").score == 1.0
    naming._found[other] = "github.com/famous/other" if other == "repository" else "2.0.0"
    clock.now += 1
    found = trust.snapshot(KIT)
    assert "repository_proof" not in found.inputs.stale
    assert signal(found.score, "proven-repository").score != 1.0


@pytest.mark.parametrize(
    ("problem", "asked"), [(SourceProblem.REFUSED, 1), (SourceProblem.TIMEOUT, 2)]
)
def test_what_will_not_change_is_not_asked_again_and_again(
    make_trust: MakeTrust, registry: Told, clock: Clock, problem: SourceProblem, asked: int
) -> None:
    """Check the refusal of a renamed repository, which is permanent. Many packages name such a
    repository."""

    def refuse(*_: Any) -> None:
        raise SourceError(problem, "It has another name now.")

    trust = make_trust(registry, Told("repository", talk=refuse))
    trust.snapshot(KIT)
    clock.now += PARTIAL_SECONDS
    trust.snapshot(KIT)
    assert registry.asked == asked


def of_version(make_trust: MakeTrust, *others: Told) -> Snapshot:
    def unknown(_: Target, evidence: Evidence) -> None:
        evidence.unknown()

    versions = Told("versions", talk=unknown, is_registry=True)
    return make_trust(versions, *others).snapshot(Target(Ecosystem.NPM, "kit", "99.0.0"))


def test_a_version_that_nobody_has_published_is_unknown(make_trust: MakeTrust) -> None:
    """Although another registry knows the package: no advisory is about what does not exist."""
    package = Told("package", is_registry=True, status="active")
    with pytest.raises(ServiceError) as raised:
        of_version(make_trust, package)
    assert raised.value.code is ErrorCode.NOT_FOUND


def test_a_version_that_one_registry_has_is_known(make_trust: MakeTrust) -> None:
    own = Told("own", is_registry=True, version="99.0.0")
    assert of_version(make_trust, own).target.version == "99.0.0"


def test_a_changed_cohort_ranks_nothing(services: Services) -> None:
    trust, cohorts = services.trust, services.trust.cohorts
    for number in range(10):
        stored = snapshot(Target(Ecosystem.NPM, f"kit{number}"), NOW, status="active")
        put_snapshot(trust.store, stored)
    made = cohorts.build(Ecosystem.NPM, trust.snapshots.scorer_version)
    forged = update(TrustCohort).values(members='[["npm:kit0",100.0]]')
    trust.store.writer.run(lambda connection: connection.execute(forged))
    assert cohorts.place(made, "npm:kit1", 5.0) is None


NAMES = (
    *("react", "reacct", "raect", "re-act", "r3act", "lodahs", "node-lodash", "@types/reacct"),
    *("requests2", "reqeusts", "python-requests", "request"),  # codespell:ignore reqeusts
    *("djang0", "numpy-python", "expres"),  # codespell:ignore expres
    *("babel-core", "crossenv", "typescriptt", "kit", "left-pad", "a", "colourama", "urlib3"),
)
OUTCOMES = "44d559396521fa5a"
"""The time of all assessments below."""


def test_no_outcome_changes_under_the_same_version() -> None:
    """Formulas are code, which no hash of weights and tables sees. If this fails, give the scorer
    whose outcome has changed a new `version` (or `scoring.METHOD`), then write the digest here."""
    kinds = (Ecosystem.NPM, Ecosystem.PYPI, Ecosystem.CARGO, Ecosystem.GITHUB)
    told = []
    cases = [(Target(kind, name), FLAWLESS) for kind in kinds[:3] for name in NAMES]
    cases += [(Target(kind, "a/b"), FLAWLESS) for kind in kinds[3:]]
    cases += [(KIT, {**FLAWLESS, name: value}) for name in FLAWLESS for value in HOSTILE]
    cases += [(KIT, {**FLAWLESS, **each}) for each in STEPS]
    for target, values in cases:
        found = judged(values, target)
        told += [(each.id, each.status, each.score, each.contribution) for each in found.signals]
    assert hashlib.sha256(repr(told).encode()).hexdigest()[:16] == OUTCOMES


STEPS: tuple[dict[str, Any], ...] = (
    *({"maintainers": [{"id": str(n)} for n in range(count)]} for count in range(1, 5)),
    *({"contributors": {"topShare": share / 10}} for share in range(11)),
    *({"pushed_at": f"20{year}-06-15T00:00:00Z"} for year in range(20, 27)),
    *(
        {
            "releases": [],
            "release_dates": {"first": f"2026-{m:02}-01", "latest": f"2026-{m:02}-01T00:00:00Z"},
        }
        for m in range(1, 12)
    ),
    *({"advisories": [{"id": "A", "severity": float(n)}]} for n in range(11)),
    *({"advisories": [{"id": "A", "level": word}] * 2} for word in ("low", "medium", "high")),
    *(
        {"attestations": {"verified": 0, "total": total}, "repository_proof": "declared"}
        for total in (0, 1)
    ),
    *({"licenses": [each]} for each in ("MIT", "ours", "", "MIT OR ISC", "LicenseRef-x")),
    *({"status": each} for each in ("active", "deprecated", "removed")),
)
