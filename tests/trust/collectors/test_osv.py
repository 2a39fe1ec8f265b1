"""The queries to OSV about a package, and the answers that count."""

from __future__ import annotations

from typing import Any

import pytest
from codeintel_plugins.trust.collectors.osv import MAX_PAGES
from collector_bodies import JINJA, answer, collected, collector, document, paths, question
from osv_entries import entry, of

from codeintel.contracts import Ecosystem, SourceProblem, Target
from codeintel.testing.conversations import Conversed

KIT = Target(Ecosystem.NPM, "kit")


def asked(*answers: Any, target: Target = KIT, version: Any = "1.0.0") -> Conversed:
    return collected("osv", target, *answers, known={"version": version})


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
