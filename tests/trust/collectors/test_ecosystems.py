"""Rows of ecosyste.ms: whose they are, and what they tell."""

from __future__ import annotations

from typing import Any

import pytest
from collector_bodies import CRATE, answer, document
from ecosystems_rows import ROWS, looked_up

from codeintel.contracts import Ecosystem, SourceProblem, Target

CRATE_PAGE = "https://crates.io/crates/examplecrate/"
CRATE_REPOSITORY = "https://github.com/example-org/examplecrate"
GONE = Target(Ecosystem.NPM, "@example-scope/gone")
REDIS = Target(Ecosystem.DOCKER, "redis-like")


def test_a_row_with_everything() -> None:
    found = looked_up(CRATE)
    asked = found.asked[0]
    assert (asked.path, dict(asked.parameters)) == (
        "/api/v1/packages/lookup",
        {"purl": "pkg:cargo/examplecrate"},
    )
    assert found.values == {
        "version": "1.9.2",
        "published_at": "2026-07-30T12:00:00Z",
        "release_dates": {
            "first": "2015-01-05T00:00:00Z",
            "latest": "2026-07-30T12:00:00Z",
            "count": 88,
        },
        "status": "active",
        "licenses": ["MIT", "Apache-2.0"],
        "description": "Example parsing library",
        "downloads": {"count": 45_120_333, "period": "total"},
        "dependents": {"packages": 2_310, "repositories": 19_210},
        "rankings": {
            "downloads": 0.41,
            "dependent_repos_count": 0.5,
            "dependent_packages_count": 0.33,
            "stargazers_count": 1.2,
            "forks_count": 1.9,
            "docker_downloads_count": 0.8,
            "average": 0.86,
        },
        "maintainers": [
            {"id": "9001", "name": "Example Dev", "url": "https://crates.io/users/exampledev"}
        ],
        "repository_tags": [{"version": "v1.9.2", "at": "2026-07-30T12:00:00Z"}],
        "repository": "github.com/example-org/examplecrate",
        "stars": 4_821,
        "forks": 310,
        "open_issues": 37,
        "is_archived": False,
        "pushed_at": "2026-08-18T22:00:00Z",
        "issues": {
            "issues": 412,
            "pullRequests": 980,
            "closeSeconds": 5_400_000.5,
            "pastYearIssues": 61,
        },
    }
    urls = {name: url for name, (_, url) in found.evidence.found.items()}
    assert urls["status"] == CRATE_PAGE
    assert urls["dependents"].startswith("https://repos.ecosyste.ms/usage/")
    assert urls["stars"] == CRATE_REPOSITORY


def test_a_row_in_which_nearly_all_is_null() -> None:
    assert looked_up(GONE).values == {
        "release_dates": {"first": None, "latest": None, "count": 1},
        "status": "removed",
        "downloads": {"count": 0, "period": "last-month"},
        "dependents": {"packages": 0, "repositories": 0},
    }


@pytest.mark.parametrize("name", ["redis-like", "library/redis-like", "Library/Redis-Like"])
def test_an_image_of_dockers_own(name: str) -> None:
    found = looked_up(Target(Ecosystem.DOCKER, name))
    assert found.values == {
        "status": "active",
        "downloads": {"count": 11_391_000_431, "period": "total"},
        "dependents": {"packages": 0, "repositories": 0},
    }


@pytest.mark.parametrize(
    ("target", "purl"),
    [
        (GONE, "pkg:npm/%40example-scope/gone"),
        (REDIS, "pkg:docker/redis-like"),
        (Target(Ecosystem.DOCKER, "library/redis-like"), "pkg:docker/redis-like"),
        (Target(Ecosystem.DOCKER, "bitnami/redis"), "pkg:docker/bitnami/redis"),
        (Target(Ecosystem.MAVEN, "org.example/kit"), "pkg:maven/org.example/kit"),
        (Target(Ecosystem.PYPI, "Example_Kit", "1.0"), "pkg:pypi/example-kit"),
        (Target(Ecosystem.GOLANG, "github.com/o/r/v2"), "pkg:golang/github.com/o/r/v2"),
        (Target(Ecosystem.COMPOSER, "Vendor/Kit"), "pkg:composer/vendor/kit"),
        (Target(Ecosystem.GEM, "kit"), "pkg:gem/kit"),
    ],
)
def test_package_urls(target: Target, purl: str) -> None:
    found = looked_up(target, [])
    assert dict(found.asked[0].parameters) == {"purl": purl}


def test_nothing_found_means_unknown_for_now() -> None:
    entry = document("ecosystems_lookup.errors")[0]
    found = looked_up(CRATE, answer(entry["body"], entry["status"], entry["headers"]))
    assert (found.evidence.is_unknown, found.error, found.values) == (True, None, {})


@pytest.mark.parametrize(
    ("place", "problem"),
    [
        (1, SourceProblem.REFUSED),
        (2, SourceProblem.REFUSED),
        (3, SourceProblem.MALFORMED),
        (4, SourceProblem.RATE_LIMITED),
    ],
)
def test_errors(place: int, problem: SourceProblem) -> None:
    entry = document("ecosystems_lookup.errors")[place]
    found = looked_up(CRATE, answer(entry["body"], entry["status"], entry["headers"]))
    assert found.error is not None
    assert (found.error.problem, found.evidence.is_unknown) == (problem, False)
    assert "ecosyste.ms" in found.error.message


def test_every_error_has_a_test() -> None:
    assert len(document("ecosystems_lookup.errors")) == 5


@pytest.mark.parametrize(
    "target",
    [
        Target(Ecosystem.NPM, "examplecrate"),
        Target(Ecosystem.CARGO, "ExampleCrate"),
        Target(Ecosystem.CARGO, "example"),
        Target(Ecosystem.NPM, "@Example-Scope/gone"),
        Target(Ecosystem.GOLANG, "@example-scope/gone"),
    ],
)
def test_rows_of_other_packages_are_never_taken(target: Target) -> None:
    found = looked_up(target)
    assert (found.evidence.is_unknown, found.values) == (True, {})


@pytest.mark.parametrize(
    ("ecosystem", "kind", "name", "asked"),
    [
        (Ecosystem.PYPI, "pypi", "zope.interface", "Zope_Interface"),
        (Ecosystem.NUGET, "nuget", "Newtonsoft.Json", "newtonsoft.json"),
        (Ecosystem.COMPOSER, "packagist", "vendor/kit", "Vendor/Kit"),
        (Ecosystem.MAVEN, "maven", "org.example:kit", "org.example/kit"),
        (Ecosystem.GEM, "rubygems", "kit", "kit"),
        (Ecosystem.GOLANG, "go", "github.com/o/r", "github.com/o/r"),
    ],
)
def test_names_fold_where_their_registry_folds_them(
    ecosystem: Ecosystem, kind: str, name: str, asked: str
) -> None:
    rows = [{"ecosystem": kind, "name": name, "description": "found"}]
    assert looked_up(Target(ecosystem, asked), rows).values["description"] == "found"


def test_of_several_registries_the_ecosystems_own_comes_first() -> None:
    mirror = {**ROWS[0], "downloads": 1, "registry": {"default": False}}
    assert looked_up(CRATE, [mirror, ROWS[0]]).values["downloads"]["count"] == 45_120_333
    assert looked_up(CRATE, [mirror]).values["downloads"]["count"] == 1


def test_of_a_repository_only_what_is_said_of_itself() -> None:
    found = looked_up(Target(Ecosystem.GITHUB, "Example-Org/ExampleCrate"))
    assert dict(found.asked[0].parameters) == {
        "repository_url": "https://github.com/Example-Org/ExampleCrate"
    }
    assert found.values.keys() == {
        *("stars", "forks", "open_issues", "is_archived", "pushed_at", "issues", "releases")
    }
    assert found.values["releases"] == [{"version": "v1.9.2", "at": "2026-07-30T12:00:00Z"}]


def test_a_repository_that_no_package_comes_from() -> None:
    assert looked_up(Target(Ecosystem.GITHUB, "example-org/other")).evidence.is_unknown


@pytest.mark.parametrize("name", ["one", "a/b/c/..", "sponsors/one"])
def test_what_is_no_repository_is_not_looked_up(name: str) -> None:
    found = looked_up(Target(Ecosystem.GITHUB, name))
    assert (found.asked, found.evidence.is_unknown) == ((), True)


def composer(version: str) -> dict[str, Any]:
    row = {**ROWS[0], "ecosystem": "packagist", "name": "vendor/kit"}
    return looked_up(Target(Ecosystem.COMPOSER, "vendor/kit", version), [row]).values


def test_versions_where_nobody_else_knows_them() -> None:
    found = composer("")
    assert (found["version"], found["published_at"]) == ("1.9.2", "2026-07-30T12:00:00Z")
    assert found["releases"] == [{"version": "v1.9.2", "at": "2026-07-30T12:00:00Z"}]
    assert composer("1.9.2")["published_at"] == "2026-07-30T12:00:00Z"
    old = composer("1.0.0")
    assert not {"version", "published_at"} & old.keys()  # its existence is unconfirmed


@pytest.mark.parametrize(
    ("latest", "has_tags"), [("1.9.2", True), ("v1.9.2", True), ("1.9.3", False), (None, False)]
)
def test_tags_of_a_composer_package_count(latest: str | None, has_tags: bool) -> None:
    """Check tags: its releases are tags, so a repository without the latest release is not the
    package's."""
    row = {**ROWS[0], "ecosystem": "packagist", "name": "vendor/kit"}
    row["latest_release_number"] = latest
    found = looked_up(Target(Ecosystem.COMPOSER, "vendor/kit"), [row]).values
    assert ("repository_tags" in found) is has_tags
    if has_tags:
        assert found["repository_tags"] == found["releases"]


@pytest.mark.parametrize("url", ["https://gitlab.com/example-org/examplecrate", None])
def test_a_repository_of_the_same_name_on_another_host(url: str | None) -> None:
    rows = [{**ROWS[0], "repository_url": url}]
    assert looked_up(Target(Ecosystem.GITHUB, "example-org/examplecrate"), rows).values == {}
