"""Entries of OSV become advisories: graded, merged, sorted."""

from __future__ import annotations

from itertools import permutations
from typing import Any

import pytest
from codeintel_plugins.trust.collectors.advisories import Package, advisories
from collector_bodies import document
from osv_entries import entry, of

from codeintel.contracts import Ecosystem

NPM = Package("npm", "kit", Ecosystem.NPM)
V3_HIGH = "CVSS:3.1/AV:N/AC:L/PR:L/UI:N/S:U/C:H/I:H/A:H"  # 8.8
V3_LOW = "CVSS:3.0/AV:L/AC:H/PR:N/UI:N/S:U/C:L/I:N/A:N"  # 2.9
V4_MEDIUM = "CVSS:4.0/AV:L/AC:L/AT:P/PR:L/UI:P/VC:H/VI:H/VA:H/SC:N/SI:N/SA:N"  # 5.4
V2_HIGH = "AV:N/AC:L/Au:N/C:P/I:P/A:P"  # 7.5


def merged(*found: Any, package: Package = NPM) -> list[dict[str, Any]]:
    """Return the facts, which the order of the entries does not change."""
    told = advisories(found, package)
    for order in permutations(found) if len(found) < 5 else ():
        assert advisories(order, package) == told
    return told


def graded(**says: Any) -> tuple[float | None, str]:
    """Score and level of an advisory that says this."""
    (fact,) = merged(entry("X-1", **says))
    return fact["severity"], fact["level"]


def vectors(**kinds: str) -> dict[str, Any]:
    return {"severity": [{"type": kind, "score": score} for kind, score in kinds.items()]}


def test_rows_of_a_batch_have_ids_and_nothing_else() -> None:
    one, none, other = document("osv_querybatch")["results"]
    assert none == {}
    assert len(document("osv_querybatch.request")["queries"]) == 3
    assert [each["id"] for each in merged(*one["vulns"], *other["vulns"])] == [
        "GHSA-vqj2-4v8m-8vrq",
        "OSV-2020-484",
        "PYSEC-2022-28",
    ]


@pytest.mark.parametrize(
    ("says", "grade"),
    [
        (vectors(CVSS_V3=V3_HIGH), (8.8, "high")),
        (vectors(CVSS_V4=V4_MEDIUM), (5.4, "medium")),
        (vectors(CVSS_V3=V3_LOW, CVSS_V4=V4_MEDIUM), (5.4, "medium")),
        (vectors(CVSS_V3=V3_HIGH, CVSS_V4=V4_MEDIUM), (8.8, "high")),
        (vectors(CVSS_V2=V2_HIGH, CVSS_V3=V3_LOW), (2.9, "low")),
        (vectors(CVSS_V2=V2_HIGH), (7.5, "high")),
        (vectors(CVSS_V3="CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:C/C:H/I:H/A:H"), (10.0, "critical")),
        (vectors(CVSS_V3="CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:N/I:N/A:N"), (0.0, "low")),
        (vectors(Ubuntu="medium"), (None, "medium")),
        (vectors(Ubuntu="negligible"), (None, "low")),
        (vectors(CVSS_V3="CVSS:3.1/AV:N"), (None, "unknown")),
        (vectors(CVSS_V3="CVSS:9.9/" + "x" * 1_000), (None, "unknown")),
        (vectors(CVSS_V5=V3_HIGH), (None, "unknown")),
        ({"severity": [{"type": "CVSS_V3", "score": [V3_HIGH]}]}, (None, "unknown")),
        ({"severity": [{"type": ["CVSS_V3"], "score": V3_HIGH}]}, (None, "unknown")),
        ({"database_specific": {"severity": "MODERATE"}}, (None, "medium")),
        ({"database_specific": {"severity": "CRITICAL"}}, (None, "critical")),
        ({"database_specific": {"severity": 5}}, (None, "unknown")),
        (
            {**vectors(CVSS_V3=V3_HIGH), "database_specific": {"severity": "LOW"}},
            (8.8, "high"),
        ),
        ({"affected": [of(**vectors(CVSS_V3=V3_HIGH))]}, (8.8, "high")),
        ({"affected": [of(ecosystem_specific={"severity": "HIGH"})]}, (None, "high")),
        ({"affected": [of(database_specific={"severity": "LOW"})]}, (None, "low")),
        ({"affected": [of(), of("other", **vectors(CVSS_V3=V3_HIGH))]}, (None, "unknown")),
        ({"affected": [vectors(CVSS_V3=V3_HIGH)]}, (8.8, "high")),
        ({"affected": None, "severity": None, "database_specific": []}, (None, "unknown")),
    ],
)
def test_severity(says: dict[str, Any], grade: tuple[float | None, str]) -> None:
    assert graded(**says) == grade


def test_packages_made_to_do_harm_are_critical() -> None:
    (fact,) = merged(entry("MAL-2026-1"))
    assert (fact["severity"], fact["level"]) == (None, "critical")
    (fact,) = merged(
        entry("MAL-2026-1"), entry("GHSA-1", aliases=["MAL-2026-1"], **vectors(CVSS_V3=V3_LOW))
    )
    assert (fact["id"], fact["severity"], fact["level"]) == ("GHSA-1", 2.9, "critical")


@pytest.mark.parametrize(
    ("affected", "is_taken"),
    [
        ([of()], True),
        ([of("other")], False),
        ([of("Kit")], False),
        ([of(ecosystem="NPM")], False),
        ([of("other"), of()], True),
        ([{"ranges": [{"type": "GIT"}]}], True),
        ([{"ranges": [{"type": "GIT"}]}, of("other")], False),
        ([], True),
        ([{"package": {"name": 5, "ecosystem": None}}], False),
    ],
)
def test_whether_it_is_of_the_package(affected: list[Any], is_taken: bool) -> None:
    assert bool(merged(entry("X-1", affected=affected))) is is_taken


def test_an_ecosystem_may_have_a_part() -> None:
    maven = Package("Maven", "a:b", Ecosystem.MAVEN)
    row = entry("X-1", affected=[of("a:b", "Maven:https://repo.example.test")])
    assert merged(row, package=maven)


def test_withdrawn_advisories_are_ignored_with_their_aliases() -> None:
    withdrawn = entry("A-1", aliases=["B-1", "C-1"], withdrawn="2026-01-01T00:00:00Z")
    found = merged(withdrawn, entry("B-1"), entry("C-1"))
    assert [(each["id"], each["aliases"]) for each in found] == [("B-1", []), ("C-1", [])]


def test_one_flaw_under_several_ids_is_one_advisory() -> None:
    found = merged(
        entry("PYSEC-1", aliases=["CVE-1"], published="2026-01-01T00:00:00Z", summary="short"),
        entry("CVE-1", **vectors(CVSS_V3=V3_LOW)),
        entry("GHSA-1", aliases=["CVE-1"], details="long\nwords", **vectors(CVSS_V3=V3_HIGH)),
        entry("GHSA-2", summary="another"),
    )
    assert found == [
        {
            "id": "GHSA-1",
            "aliases": ["CVE-1", "PYSEC-1"],
            "severity": 8.8,
            "level": "high",
            "summary": "long words",
            "url": "https://osv.dev/vulnerability/GHSA-1",
            "published": "2026-01-01T00:00:00Z",
            "fixed": [],
        },
        {
            "id": "GHSA-2",
            "aliases": [],
            "severity": None,
            "level": "unknown",
            "summary": "another",
            "url": "https://osv.dev/vulnerability/GHSA-2",
            "published": None,
            "fixed": [],
        },
    ]


def test_aliases_join_by_way_of_others() -> None:
    chain = [entry(f"X-{place}", aliases=[f"X-{place + 1}"]) for place in range(4)]
    (fact,) = merged(*chain)
    assert (fact["id"], fact["aliases"]) == ("X-0", ["X-1", "X-2", "X-3", "X-4"])


def test_a_distributions_advisory_is_that_of_its_upstream() -> None:
    (fact,) = merged(entry("UBUNTU-CVE-1", upstream=["CVE-1"]), entry("CVE-1"))
    assert (fact["id"], fact["aliases"]) == ("CVE-1", ["UBUNTU-CVE-1"])
    several = entry("DSA-1", upstream=["CVE-1", "CVE-2"])
    assert len(merged(several, entry("CVE-1"), entry("CVE-2"))) == 3


def ranged(*events: dict[str, str], kind: str = "SEMVER") -> dict[str, Any]:
    return of(ranges=[{"type": kind, "events": list(events)}])


def test_fixed_versions() -> None:
    row = entry(
        "X-1",
        affected=[
            ranged({"introduced": "0"}, {"fixed": "1.2"}, {"introduced": "2.0"}, {"fixed": "2.1"}),
            ranged({"fixed": "1.2"}, {"last_affected": "9.9"}),
            ranged({"fixed": "97319697c8f9f6ff27b32589947e1918e3015503"}, kind="GIT"),
            {**ranged({"fixed": "7.7"}), "package": {"name": "other", "ecosystem": "npm"}},
        ],
    )
    assert merged(row)[0]["fixed"] == ["1.2", "2.1"]


def test_without_a_fix_none_is_known() -> None:
    row = entry("X-1", affected=[ranged({"introduced": "0"}, {"last_affected": "1.18.8"})])
    assert merged(row)[0]["fixed"] == []


def test_the_worst_come_first() -> None:
    rows = [
        entry("A-1"),
        entry("B-1", **vectors(CVSS_V3=V3_LOW)),
        entry("C-1", database_specific={"severity": "CRITICAL"}),
        entry("D-1", **vectors(CVSS_V3=V3_HIGH)),
    ]
    assert [each["id"] for each in merged(*rows)] == ["C-1", "D-1", "B-1", "A-1"]


def test_at_most_200_of_which_the_worst() -> None:
    rows = [entry(f"X-{place:04}") for place in range(400)]
    rows.append(entry("Z-1", **vectors(CVSS_V3=V3_HIGH)))
    found = merged(*rows)
    assert (len(found), found[0]["id"]) == (200, "Z-1")


@pytest.mark.parametrize("name", ["", None, 5, "a b", "../x", "x" * 200, "<i>"])
def test_an_advisory_without_an_id_is_none(name: Any) -> None:
    assert merged({"id": name}) == []


def test_texts_are_one_short_line() -> None:
    (fact,) = merged(entry("X-1", summary="a\nb\x00" + "c" * 1_000))
    assert fact["summary"] == "a b" + "c" * 297
