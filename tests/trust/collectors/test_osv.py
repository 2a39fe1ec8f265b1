"""Known vulnerabilities as OSV gives them."""

from __future__ import annotations

from itertools import permutations
from typing import Any

import pytest
from codeintel_plugins.trust.collectors.advisories import Package, advisories
from codeintel_plugins.trust.collectors.osv import MAX_PAGES
from collector_bodies import JINJA, answer, collected, collector, document, paths, question

from codeintel.contracts import Ecosystem, SourceProblem, Target
from codeintel.testing.conversations import Conversed

NPM = Package("npm", "kit", Ecosystem.NPM)
KIT = Target(Ecosystem.NPM, "kit")
V3_HIGH = "CVSS:3.1/AV:N/AC:L/PR:L/UI:N/S:U/C:H/I:H/A:H"  # 8.8
V3_LOW = "CVSS:3.0/AV:L/AC:H/PR:N/UI:N/S:U/C:L/I:N/A:N"  # 2.9
V4_MEDIUM = "CVSS:4.0/AV:L/AC:L/AT:P/PR:L/UI:P/VC:H/VI:H/VA:H/SC:N/SI:N/SA:N"  # 5.4
V2_HIGH = "AV:N/AC:L/Au:N/C:P/I:P/A:P"  # 7.5


def asked(*answers: Any, target: Target = KIT, version: Any = "1.0.0") -> Conversed:
    return collected("osv", target, *answers, known={"version": version})


def entry(name: str, **more: Any) -> dict[str, Any]:
    return {"id": name, **more}


def merged(*found: Any, package: Package = NPM) -> list[dict[str, Any]]:
    """The facts, which the order of the entries does not change."""
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


def of(name: str = "kit", ecosystem: str = "npm", **more: Any) -> dict[str, Any]:
    return {"package": {"name": name, "ecosystem": ecosystem}, **more}


def test_only_what_stands_and_is_of_the_package_is_taken() -> None:
    found = asked(document("osv_query"), {}, target=JINJA, version="3.1.4")
    assert found.evidence.found["advisories"] == (
        [
            {
                "id": "GHSA-xxxx-6f8f-6699",
                "aliases": ["CVE-2024-56201", "PYSEC-2026-1472"],
                "severity": 8.8,
                "level": "high",
                "summary": "Sandbox breakout through crafted file names",
                "url": "https://osv.dev/vulnerability/GHSA-xxxx-6f8f-6699",
                "published": "2024-12-23T17:54:12Z",
                "fixed": ["3.1.5"],
            }
        ],
        "https://osv.dev/list?ecosystem=PyPI&q=jinja-like",
    )


def test_the_question() -> None:
    found = asked({}, target=JINJA, version="3.1.4")
    assert paths(found) == ["/v1/query"]
    assert question(found.asked[0]) == document("osv_query.request")


def test_nothing_found() -> None:
    assert asked(document("osv_query.empty")).values == {"advisories": []}


@pytest.mark.parametrize(
    ("target", "package", "version"),
    [
        (Target(Ecosystem.NPM, "@a/b"), ("npm", "@a/b"), "v1.0"),
        (Target(Ecosystem.PYPI, "A_b"), ("PyPI", "a-b"), "v1.0"),
        (Target(Ecosystem.CARGO, "a_b"), ("crates.io", "a_b"), "v1.0"),
        (Target(Ecosystem.GOLANG, "github.com/A/b"), ("Go", "github.com/A/b"), "1.0"),
        (Target(Ecosystem.MAVEN, "org.a/b"), ("Maven", "org.a:b"), "v1.0"),
        (Target(Ecosystem.NUGET, "A.B"), ("NuGet", "A.B"), "v1.0"),
        (Target(Ecosystem.GEM, "a"), ("RubyGems", "a"), "v1.0"),
        (Target(Ecosystem.COMPOSER, "A/b"), ("Packagist", "a/b"), "v1.0"),
        (Target(Ecosystem.GITHUB, "a/b"), ("GitHub Actions", "a/b"), "1.0"),
    ],
)
def test_ecosystems_are_written_as_osv_writes_them(
    target: Target, package: tuple[str, str], version: str
) -> None:
    told = question(asked({}, target=target, version="v1.0").asked[0])
    assert told == {
        "package": {"ecosystem": package[0], "name": package[1]},
        "version": version,
    }


@pytest.mark.parametrize("version", ["", None, 5, ["1.0"]])
def test_without_a_version_nothing_is_asked(version: Any) -> None:
    # An answer to that would be of all versions there ever were.
    found = asked({}, version=version)
    assert (found.asked, found.values) == ((), {})


def test_images_are_not_asked_for() -> None:
    assert not collector("osv").collects(Target(Ecosystem.DOCKER, "redis"))


def test_of_a_repository_only_what_was_found_counts() -> None:
    target = Target(Ecosystem.GITHUB, "o/action")
    assert asked({}, target=target).values == {}
    found = {"vulns": [entry("GHSA-1", affected=[of("O/Action", "GitHub Actions")])]}
    assert [each["id"] for each in asked(found, target=target).values["advisories"]] == ["GHSA-1"]


def test_pages_are_asked_for_until_there_is_no_token() -> None:
    empty_page = {"next_page_token": "two"}
    found = asked(
        {"vulns": [entry("A-1")], "next_page_token": "one"}, empty_page, {"vulns": [entry("B-1")]}
    )
    assert [question(request).get("page_token") for request in found.asked] == [None, "one", "two"]
    assert [each["id"] for each in found.values["advisories"]] == ["A-1", "B-1"]


@pytest.mark.parametrize("last", [answer("", 504), answer("{", 200)])
def test_half_a_list_is_none(last: Any) -> None:
    found = asked({"vulns": [entry("A-1")], "next_page_token": "one"}, last)
    assert found.error is not None
    assert found.values == {}


def test_pages_without_an_end() -> None:
    found = asked(*({"next_page_token": f"t{place}"} for place in range(50)))
    assert (len(found.asked), found.values) == (MAX_PAGES, {})
    assert found.error is not None
    assert found.error.problem is SourceProblem.UNAVAILABLE


@pytest.mark.parametrize("token", [5, ["x"], "x" * 5_000])
def test_a_token_that_is_none(token: Any) -> None:
    found = asked({"next_page_token": token})
    assert found.error is not None
    assert found.error.problem is SourceProblem.MALFORMED


def test_a_token_that_comes_again_leads_nowhere() -> None:
    found = asked({"next_page_token": "x"}, {"next_page_token": "x"}, {})
    assert (len(found.asked), found.values, found.error is not None) == (2, {}, True)


@pytest.mark.parametrize("vulns", ["x", 5, {"id": "A-1"}, True])
def test_a_list_that_is_none_is_an_error(vulns: Any) -> None:
    assert asked({"vulns": vulns}).error is not None


@pytest.mark.parametrize("place", range(8))
def test_errors(place: int) -> None:
    listed = document("osv.errors")
    assert len(listed) == 8
    came = answer(listed[place]["body"], listed[place]["status"], listed[place]["headers"])
    found = asked(came)
    meant = {
        400: SourceProblem.REFUSED,
        404: SourceProblem.UNAVAILABLE,
        504: SourceProblem.UNAVAILABLE,
    }
    assert found.error is not None
    assert found.error.problem is meant[listed[place]["status"]]
    assert (found.values, found.evidence.is_unknown) == ({}, False)
    assert "GHSA" not in found.error.message


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
