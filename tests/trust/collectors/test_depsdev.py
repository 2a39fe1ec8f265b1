"""Packages, versions and dependencies of deps.dev."""

from __future__ import annotations

from typing import Any

import pytest
from codeintel_plugins.trust.collectors.depsdev import is_unfinished
from collector_bodies import KIT, answer, collected, document, paths
from depsdev_kit import kit

from codeintel.contracts import Ecosystem, SourceProblem, Target

KIT_PATH = "/v3/systems/npm/packages/%40example-scope%2Fkit"
KIT_PAGE = "https://deps.dev/npm/%40example-scope%2Fkit"
OF_KIT = "github.com/example-org/kit"
LISP = Target(Ecosystem.GOLANG, "example.test/lisp", "0.4.1")


def test_a_package_and_its_default_version() -> None:
    found = kit()
    assert paths(found) == [KIT_PATH, f"{KIT_PATH}/versions/1.2.6"]
    assert found.error is None
    assert found.evidence.found == {
        "version": ("1.2.6", f"{KIT_PAGE}/1.2.6"),
        "published_at": ("2026-02-10T17:01:40Z", f"{KIT_PAGE}/1.2.6"),
        "releases": (
            [
                {"version": "1.0.0", "at": "2019-07-25T19:01:57Z"},
                {"version": "1.2.6", "at": "2026-02-10T17:01:40Z"},
            ],
            KIT_PAGE,
        ),
        "licenses": (["MIT", "non-standard"], f"{KIT_PAGE}/1.2.6"),
        "attestations": (
            {"verified": 1, "total": 1, "repository": OF_KIT},
            "https://registry.example.test/-/attestations/kit@1.2.6",
        ),
        "repository": (OF_KIT, f"{KIT_PAGE}/1.2.6"),
        "repository_proof": (
            "attested",
            "https://registry.example.test/-/attestations/kit@1.2.6",
        ),
    }


def test_a_sparse_version_of_its_own_spelling() -> None:
    package = {"packageKey": {"name": "example.test/lisp"}, "versions": []}
    found = kit(document("depsdev_version.sparse"), package, LISP)
    assert paths(found) == [
        "/v3/systems/go/packages/example.test%2Flisp",
        "/v3/systems/go/packages/example.test%2Flisp/versions/v0.4.1",
    ]
    assert found.values == {
        "version": "v0.4.1",
        "published_at": "2024-06-21T16:57:04Z",
        "attestations": {"verified": 0, "total": 0, "repository": None},
    }


@pytest.mark.parametrize(
    ("target", "name"),
    [
        (Target(Ecosystem.MAVEN, "org.example/kit"), "maven/packages/org.example%3Akit"),
        (Target(Ecosystem.PYPI, "Example_Kit"), "pypi/packages/example-kit"),
        (
            Target(Ecosystem.GOLANG, "github.com/Example/Kit"),
            "go/packages/github.com%2FExample%2FKit",
        ),
        (Target(Ecosystem.GEM, "kit"), "rubygems/packages/kit"),
        (Target(Ecosystem.NUGET, "Example.Kit"), "nuget/packages/Example.Kit"),
        (Target(Ecosystem.CARGO, "example_kit"), "cargo/packages/example_kit"),
    ],
)
def test_names_are_written_as_each_system_writes_them(target: Target, name: str) -> None:
    found = collected("depsdev", target)
    assert paths(found) == [f"/v3/systems/{name}"]
    assert found.evidence.is_unknown


@pytest.mark.parametrize("entry", document("depsdev.errors"), ids=lambda entry: entry["when"][:30])
def test_errors(entry: Any) -> None:
    came = answer(entry["body"], entry["status"], entry["headers"])
    found = collected("depsdev", KIT, came)
    if entry["status"] == 404:
        assert (found.evidence.is_unknown, found.error, found.values) == (True, None, {})
        return
    meant = {400: SourceProblem.REFUSED, 429: SourceProblem.RATE_LIMITED}
    assert found.error is not None
    assert found.error.problem is meant[entry["status"]]
    assert "deps.dev" in found.error.message
    for name in ("depsdev-dependencies", "depsdev-project"):
        known = {"version": "1.2.6", "repository": OF_KIT}
        assert collected(name, KIT, came, known=known).error is not None


NOWHERE = answer("version not found\n", 404)


@pytest.mark.parametrize(("name", "version"), [("..", ""), (".", "1"), ("x", ".."), ("x", ".")])
def test_what_would_lead_elsewhere_is_unknown(name: str, version: str) -> None:
    found = kit(target=Target(Ecosystem.NPM, name, version))
    assert (found.asked, found.evidence.is_unknown) == ((), True)


def test_a_version_that_nobody_knows() -> None:
    target = Target(Ecosystem.NPM, KIT.name, "9.9.9")
    found = kit(NOWHERE, target=target)
    assert found.evidence.is_unknown
    assert "version" not in found.values


def test_a_version_that_is_listed_is_known_without_details() -> None:
    found = kit(NOWHERE)
    assert (found.evidence.is_unknown, found.error) == (False, None)
    assert (found.values["version"], found.values["published_at"][:4]) == ("1.2.6", "2026")


def test_what_was_found_stays_if_the_version_fails() -> None:
    found = kit(answer("", 500))
    assert found.error is not None
    assert found.error.problem is SourceProblem.UNAVAILABLE
    assert found.values.keys() == {"version", "published_at", "releases"}


def versions(*listed: tuple[str, str | None, bool]) -> Any:
    return {
        "packageKey": {"name": "x"},
        "versions": [
            {"versionKey": {"version": name}, "isDefault": is_default}
            | ({"publishedAt": at} if at else {})
            for name, at, is_default in listed
        ],
    }


OLD, NEW = "2020-01-01T00:00:00Z", "2026-01-01T00:00:00Z"


@pytest.mark.parametrize(
    ("ecosystem", "listed", "judged"),
    [
        (Ecosystem.NPM, [("1.0.0", OLD, True), ("2.0.0", NEW, False)], "1.0.0"),
        (Ecosystem.NPM, [("2.0.0", NEW, False), ("1.0.0", OLD, False)], "2.0.0"),
        (Ecosystem.NPM, [("1.0.0", OLD, False), ("2.0.0-next.1", NEW, False)], "1.0.0"),
        (Ecosystem.NPM, [("1.0.0", None, False), ("0.9.0", OLD, False)], "0.9.0"),
        (Ecosystem.NPM, [("2.0.0-a", OLD, False), ("2.0.0-b", NEW, False)], "2.0.0-b"),
        (Ecosystem.NPM, [("1.0.0", None, False)], "1.0.0"),
        (Ecosystem.PYPI, [("1.0", OLD, False), ("2.0rc1", NEW, False)], "1.0"),
        (Ecosystem.MAVEN, [("33.0-jre", NEW, False), ("32.0", OLD, False)], "33.0-jre"),
    ],
)
def test_which_version_is_judged(ecosystem: Ecosystem, listed: Any, judged: str) -> None:
    found = kit(NOWHERE, versions(*listed), Target(ecosystem, "x"))
    assert found.values["version"] == judged


def test_a_package_without_versions_is_known_all_the_same() -> None:
    found = kit(package=versions())
    assert (found.evidence.is_unknown, found.error, found.values) == (False, None, {})


def test_releases_are_sorted_and_those_without_a_time_left_out() -> None:
    listed = [
        ("3", NEW, False),
        ("1", OLD, False),
        ("2", None, True),
        ("0", "0001-01-01T00:00:00Z", False),
    ]
    assert kit(NOWHERE, versions(*listed)).values["releases"] == [
        {"version": "1", "at": OLD},
        {"version": "3", "at": NEW},
    ]


def test_the_newest_releases_are_kept() -> None:
    days = [
        f"{2000 + day // 336}-{day // 28 % 12 + 1:02}-{day % 28 + 1:02}" for day in range(5_010)
    ]
    listed = [(f"0.0.{place}", day, False) for place, day in enumerate(days)]
    releases = kit(NOWHERE, versions(*reversed(listed))).values["releases"]
    assert len(releases) == 5_000
    assert (releases[0]["version"], releases[-1]["version"]) == ("0.0.10", "0.0.5009")


@pytest.mark.parametrize(
    ("ecosystem", "version", "unfinished"),
    [
        (Ecosystem.NPM, "1.0.0-0", True),
        (Ecosystem.NPM, "1.0.0+a-b", False),
        (Ecosystem.GOLANG, "v0.0.0-20240101000000-abcdef123456", True),
        (Ecosystem.PYPI, "1.0.dev3", True),
        (Ecosystem.PYPI, "1.0a1", True),
        (Ecosystem.PYPI, "1.0.post1", False),
        (Ecosystem.MAVEN, "5.0.0.Final", False),
        (Ecosystem.MAVEN, "5.0.0.Beta2", True),
        (Ecosystem.MAVEN, "5.0.0-SNAPSHOT", True),
        (Ecosystem.MAVEN, "1.0-android", False),
        (Ecosystem.GEM, "7.1.0.rc2", True),
    ],
)
def test_pre_releases(ecosystem: Ecosystem, version: str, unfinished: bool) -> None:
    assert is_unfinished(ecosystem, version) is unfinished
