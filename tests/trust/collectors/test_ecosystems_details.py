"""The facts in one row of ecosyste.ms: status, licenses, counts, maintainers, dependents."""

from __future__ import annotations

from typing import Any

import pytest
from ecosystems_rows import crate


@pytest.mark.parametrize(
    ("status", "fact"),
    [
        (None, "active"),
        ("", "active"),
        ("deprecated", "deprecated"),
        ("yanked", "yanked"),
        ("haunted", None),
        (5, None),
        ([], "active"),
    ],
)
def test_status(status: Any, fact: str | None) -> None:
    assert crate(status=status).get("status") == fact


@pytest.mark.parametrize(
    ("changes", "fact"),
    [
        ({"normalized_licenses": [], "licenses": "BSD 3-Clause"}, ["BSD 3-Clause"]),
        ({"normalized_licenses": None, "licenses": ""}, None),
        ({"normalized_licenses": ["MIT", None, "MIT", ""]}, ["MIT"]),
        ({"normalized_licenses": "MIT", "licenses": None}, None),
    ],
)
def test_licenses(changes: dict[str, Any], fact: list[str] | None) -> None:
    assert crate(**changes).get("licenses") == fact


@pytest.mark.parametrize(
    ("downloads", "period", "fact"),
    [
        (5, "last-month", {"count": 5, "period": "last-month"}),
        (5, None, None),
        (5, "last-week", None),
        (None, "total", None),
        ("5", "total", None),
        (True, "total", None),
        (-1, "total", None),
        (2**53, "total", None),
    ],
)
def test_downloads(downloads: Any, period: Any, fact: dict[str, Any] | None) -> None:
    assert crate(downloads=downloads, downloads_period=period).get("downloads") == fact


def test_rankings_are_percentiles() -> None:
    rankings = {"downloads": 0.0, "average": None, "forks": 101, "Bad key": 1, "tags": "1"}
    assert crate(rankings=rankings)["rankings"] == {"downloads": 0.0}
    assert "rankings" not in crate(rankings={"average": None})


def test_maintainers_are_shown_without_addresses() -> None:
    people = [
        {"login": "one", "email": "one@example.test", "html_url": "javascript:alert(1)"},
        {"uuid": "2", "name": "Two\u202e\nLines", "url": "https://example.test/two"},
        {"uuid": "2", "name": "again"},
        {"email": "only@example.test"},
        None,
    ]
    assert crate(maintainers=people)["maintainers"] == [
        {"id": "one", "name": "one", "url": ""},
        {"id": "2", "name": "Two Lines", "url": "https://example.test/two"},
    ]
    many = [{"login": f"m{place}"} for place in range(600)]
    assert len(crate(maintainers=many)["maintainers"]) == 500


def test_lists_and_objects_of_another_shape_tell_nothing() -> None:
    found = crate(
        repo_metadata=[], issue_metadata="x", rankings=None, maintainers={}, description=["x"]
    )
    assert not found.keys() & {
        *("stars", "issues", "rankings", "maintainers", "description", "is_archived")
    }


def test_a_description_is_one_short_line() -> None:
    assert crate(description="a\r\nb\u202ec " + "x" * 5_000)["description"] == "a bc " + "x" * 295


@pytest.mark.parametrize(
    ("packages", "repositories", "fact"),
    [
        (5, None, {"packages": 5, "repositories": None}),
        (None, 7, {"packages": None, "repositories": 7}),
        (None, "7", None),
    ],
)
def test_dependents(packages: Any, repositories: Any, fact: Any) -> None:
    found = crate(dependent_packages_count=packages, dependent_repos_count=repositories)
    assert found.get("dependents") == fact
