"""Each shipped signal: worked examples, and when it is not known."""

from __future__ import annotations

from typing import Any

import pytest
from codeintel_plugins.trust.scorers import provenance
from codeintel_plugins.trust.scorers.security import CHECKS
from codeintel_plugins.trust.scorers.weighted import tie
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
    tagged,
)
from trust_cases import FLAWLESS, KIT, case

from codeintel.contracts import Ecosystem, Target
from codeintel.trust.names.detector import suspicion


@pytest.mark.parametrize(
    ("id_", "values", "value", "score"),
    [
        # The product of 1 - severity / 10.
        ("known-advisories", flaws(), 0, 1.0),
        ("known-advisories", flaws(10.0), 1, 0.0),
        ("known-advisories", flaws(9.8), 1, 0.02),
        ("known-advisories", flaws(5.0, 5.0), 2, 0.25),  # .5 * .5
        ("known-advisories", flaws(7.5, 2.0, 0.0), 3, 0.2),  # .25 * .8 * 1
        ("known-advisories", flaws(None), 1, 0.5),  # the middle of the scale
        ("known-advisories", flaws(None, 6.0), 2, 0.2),  # .5 * .4
        ("known-advisories", flaws(10.5, -1.0), 2, 0.0),  # 0 * 1: of the scale
        ("release-recency", latest(DAYS_AGO[0]), 0, 1.0),
        ("release-recency", latest(DAYS_AGO[183]), 183, 1.0),
        ("release-recency", latest(DAYS_AGO[184]), 184, 912 / 913),
        ("release-recency", latest(DAYS_AGO[640]), 640, 456 / 913),
        ("release-recency", latest(DAYS_AGO[1_095]), 1_095, 1 / 913),
        ("release-recency", latest(DAYS_AGO[1_096]), 1_096, 0.0),
        ("release-recency", latest(DAYS_AGO[4_000]), 4_000, 0.0),
        (
            "release-recency",  # what is still to come is passed over
            {**latest("2027-01-01T00:00:00Z"), "releases": [{"version": "1", "at": DAYS_AGO[640]}]},
            640,
            456 / 913,
        ),
        ("release-recency", {"releases": [{"version": "1", "at": DAYS_AGO[640]}]}, 640, 456 / 913),
        (
            "release-recency",  # the later of the two sources
            {**latest(DAYS_AGO[1_096]), "releases": [{"version": "1", "at": DAYS_AGO[640]}]},
            640,
            456 / 913,
        ),
        ("repository-activity", {"pushed_at": DAYS_AGO[183]}, 183, 1.0),
        ("repository-activity", {"pushed_at": DAYS_AGO[640]}, 640, 456 / 913),
        ("repository-activity", {"pushed_at": DAYS_AGO[1_096]}, 1_096, 0.0),
        ("repository-activity", {"pushed_at": "2026-11-21T10:00:01Z"}, 0, 1.0),  # whole days
        ("not-deprecated", {"status": "active"}, "active", 1.0),
        ("not-deprecated", {"status": "deprecated"}, "deprecated", 0.0),
        ("not-deprecated", {"status": "yanked"}, "yanked", 0.0),
        ("not-archived", {"is_archived": False}, True, 1.0),
        ("not-archived", {"is_archived": True}, False, 0.0),
        ("attestation", proof(1, 1), 1, 1.0),
        ("attestation", proof(1, 3), 1, 1.0),
        ("attestation", proof(0, 2), 0, 0.5),
        ("attestation", proof(0, 0), 0, 0.0),
        ("proven-repository", {"repository_proof": "attested"}, "proven", 1.0),
        ("proven-repository", {"repository_proof": "declared", **proof(0, 0)}, "named only", 0.0),
        ("proven-repository", proof(0, 0), "none", 0.0),
        ("source-repository", {"repository": "github.com/a/b"}, "github.com/a/b", 1.0),
        *(
            ("source-repository", {name: FLAWLESS[name]}, "none", 0.0)
            for name in ("status", "attestations")  # the registry was asked, and knows it
        ),
        ("license", {"licenses": ["MIT"]}, "MIT", 1.0),
        ("license", {"licenses": ["MIT OR Apache-2.0", "ISC"]}, "MIT OR Apache-2.0, ISC", 1.0),
        ("license", {"licenses": ["non-standard"]}, "non-standard", 0.4),
        ("license", {"licenses": ["MIT", "ours"]}, "MIT, ours", 0.4),
        ("license", {"licenses": ["NOASSERTION"]}, "NOASSERTION", 0.4),
        ("license", {"licenses": ["(" * 400]}, "(" * 400, 0.4),
        *(
            ("license", {"licenses": [text]}, text, 0.4)
            for text in ("MIT/ISC", "()", "MIT AND", "\x00", "\u202e", "(MIT", "LicenseRef-ours")
        ),
        ("license", {"licenses": []}, "none", 0.0),
        ("license", {"licenses": ["", " "]}, "none", 0.0),
        ("maintainers", people(1), 1, 0.4),
        ("maintainers", people(2), 2, 0.7),  # .4 + .6 * 1 / 2
        ("maintainers", people(3), 3, 1.0),
        ("maintainers", people(30), 30, 1.0),
        ("contributor-depth", share(0.2), 20.0, 1.0),
        ("contributor-depth", share(0.5), 50.0, 1.0),
        ("contributor-depth", share(0.75), 75.0, 0.5),  # (1 - .75) / (1 - .5)
        ("contributor-depth", share(0.64), 64.0, 0.72),
        ("contributor-depth", share(1), 100.0, 0.0),
        ("age", first(DAYS_AGO[0]), 0, 0.0),
        ("age", first(DAYS_AGO[73]), 73, 0.2),  # 73 / 365
        ("age", first(DAYS_AGO[365]), 365, 1.0),
        ("age", first(DAYS_AGO[4_000]), 4_000, 1.0),
        ("age", {"created_at": DAYS_AGO[365], **first(DAYS_AGO[73])}, 73, 0.2),
        (
            "age",  # the earlier of the two sources
            {**first(DAYS_AGO[73]), "releases": [{"version": "1", "at": DAYS_AGO[365]}]},
            365,
            1.0,
        ),
        *((id_, check(each.name, 10), 10, 1.0) for id_, each in CHECKS.items()),
        ("code-review", check("Code-Review", 7), 7, 0.7),
        ("maintained", check("Maintained", 0), 0, 0.0),
    ],
)
def test_worked_examples(id_: str, values: dict[str, Any], value: Any, score: float) -> None:
    found = measured(id_, values)
    assert found is not None
    assert found.value == value and type(found.value) is type(value)
    assert found.score == pytest.approx(score, abs=1e-12)


@pytest.mark.parametrize(
    ("id_", "values"),
    [
        *((id_, {}) for id_ in BY_ID if id_ != "lookalike-name"),
        *((id_, check(each.name, -1)) for id_, each in CHECKS.items()),
        ("code-review", check("Maintained", 10)),
        ("source-repository", {"repository_proof": "attested", "version": "1.0.0"}),
        # no collector searched for a proof
        ("proven-repository", {"repository_proof": "declared"}),
        # every package has an owner, so the list is incomplete
        ("maintainers", {"maintainers": []}),
        ("release-recency", latest("yesterday")),
        ("release-recency", latest("2026-11-22T10:00:00")),  # of no zone
        ("release-recency", {"created_at": DAYS_AGO[0]}),
        ("release-recency", latest("2027-01-01T00:00:00Z")),  # still to come
        ("repository-activity", {"pushed_at": "9999-12-31T23:59:59Z"}),
        ("age", {"created_at": "2026-11-24T10:00:00Z"}),
        ("age", {"releases": []}),
        ("not-archived", {"is_archived": 0}),
        ("attestation", {"attestations": {"verified": True, "total": True}}),
        ("contributor-depth", share(True)),
    ],
)
def test_what_is_not_known(id_: str, values: dict[str, Any]) -> None:
    assert measured(id_, values) is None


def test_times_of_other_zones_and_such_as_are_none() -> None:
    """Check that each of several sources counts, regardless of the others."""
    values = {
        "release_dates": {"first": "last year", "latest": 5},
        "releases": [
            {"version": "3", "at": "9999"},
            {"version": "2", "at": "2026-11-22T00:30:00+09:00"},  # 2026-11-21T15:30:00Z
            {"version": "1", "at": "2026-11-21T23:00:00Z"},
            {"version": "0", "at": DAYS_AGO[73]},
        ],
    }
    recency, age = measured("release-recency", values), measured("age", values)
    assert recency is not None and recency.value == 0  # 11 hours
    assert age is not None and age.value == 73


def test_a_name_that_looks_like_a_famous_one() -> None:
    """1 less the probability of imitation."""
    own = measured("lookalike-name", {})
    assert own is not None
    famous = measured("lookalike-name", {}, Target(Ecosystem.NPM, "react"))
    assert famous is not None and famous.score > 0.9
    found = suspicion(Ecosystem.NPM, "raect")
    slip = measured("lookalike-name", {}, Target(Ecosystem.NPM, "raect"))
    assert found is not None and slip is not None
    assert slip.score == 1 - found.probability
    assert slip.value == found.target
    assert slip.score < famous.score


def test_a_name_unlike_all_others(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(provenance, "suspicion", lambda *_: None)
    found = measured("lookalike-name", {})
    assert found is not None and (found.value, found.score) == ("none", 1.0)


@pytest.mark.parametrize(
    ("values", "target", "tied"),
    [
        ({}, KIT, 0.5),
        ({"repository_proof": "declared"}, KIT, 0.5),
        ({"repository_proof": "attested"}, KIT, 1.0),
        ({}, Target(Ecosystem.GITHUB, "a/b"), 1.0),
        # Three of four releases have been tagged within two days: .5 + .5 * 3 / 4.
        (tagged("v1.0.0", "1.0.1", "kit@1.0.2"), KIT, 0.875),
        (tagged("v1.0.0", "1.0.1"), KIT, 0.5),  # two may be chance
        (tagged("v11.0.0", "0.1.0.1", "kit@1.0.2", "v1.0.3"), KIT, 0.5),  # two are others' versions
        (tagged("v1.0.0", "v1.0.1", "v1.0.2", "v1.0.3"), KIT, 1.0),
        (tagged("v1.0.0", "v1.0.1", "v1.0.2", "v1.0.3", days=3), KIT, 0.5),
    ],
)
def test_a_repository_counts_as_far_as_the_package_is_tied_to_it(
    values: dict[str, Any], target: Target, tied: float
) -> None:
    assert tie(case(values, target)) == tied
    found = BY_ID["code-review"].measure(case({**check("Code-Review", 8), **values}, target))
    assert found is not None
    assert found.score == pytest.approx(0.8 * tied)
    assert found.score + found.unproven == pytest.approx(0.8)
    assert ("not proven" in found.note) is (tied < 1)
