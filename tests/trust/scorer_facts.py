"""Short facts for single signals, and the resulting measures."""

from __future__ import annotations

from typing import Any

from codeintel_plugins.trust.scorers.weighted import OfRepository
from trust_cases import KIT, SHIPPED, case

from codeintel.contracts import Measure, Target

BY_ID = {each.name: each for each in SHIPPED}


def measured(id_: str, values: dict[str, Any], target: Target = KIT) -> Measure | None:
    """Measure a package. Its repository is proven if the signal is about the repository."""
    if isinstance(BY_ID[id_], OfRepository):
        values = {"repository_proof": "attested", **values}
    return BY_ID[id_].measure(case(values, target))


def flaws(*severities: float | None) -> dict[str, Any]:
    rows = [{"id": f"A-{n}", "severity": each} for n, each in enumerate(severities)]
    return {"advisories": rows}


def share(value: Any) -> dict[str, Any]:
    return {"contributors": {"count": 9, "isCapped": False, "topShare": value}}


def check(name: str, score: Any) -> dict[str, Any]:
    return {"scorecard": {"checks": {name: {"score": score, "reason": "r", "url": "u"}}}}


def people(count: int) -> dict[str, Any]:
    return {"maintainers": [{"id": str(n), "name": "", "url": ""} for n in range(count)]}


def latest(at: str) -> dict[str, Any]:
    return {"release_dates": {"first": None, "latest": at, "count": 1}}


def first(at: str) -> dict[str, Any]:
    return {"release_dates": {"first": at, "latest": None, "count": 1}}


def proof(verified: int, total: int) -> dict[str, Any]:
    return {"attestations": {"verified": verified, "total": total, "repository": None}}


def tagged(*names: str, days: int = 1) -> dict[str, Any]:
    """Return four releases a month apart, with tags the given number of days later, one per
    name."""
    releases = [{"version": f"1.0.{n}", "at": f"2026-0{n + 1}-10T00:00:00Z"} for n in range(4)]
    tags = [
        {"version": name, "at": f"2026-0{n + 1}-{10 + days}T00:00:00Z"}
        for n, name in enumerate(names)
    ]
    return {"releases": releases, "repository_tags": tags}


# As of 2026-11-22T10:00:00Z. Half a year is 183 days, three years are 1,096; between them the
# score is (1096 - days) / (1096 - 183) = (1096 - days) / 913.
DAYS_AGO = {
    0: "2026-11-22T10:00:00Z",
    1: "2026-11-21T10:00:00Z",
    73: "2026-09-10T10:00:00Z",
    183: "2026-05-23T10:00:00Z",
    184: "2026-05-22T10:00:00Z",
    365: "2025-11-22T10:00:00Z",
    640: "2025-02-20T10:00:00Z",
    1_095: "2023-11-23T10:00:00Z",
    1_096: "2023-11-22T10:00:00Z",
    4_000: "2015-12-10T10:00:00Z",
}
