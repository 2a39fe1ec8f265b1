"""Repositories on GitHub, as what is judged and as where a package comes from."""

from __future__ import annotations

from typing import Any

import pytest
from collector_bodies import KIT, LEGIT, answer, collected, collector, document, paths

from codeintel.contracts import Ecosystem, SourceProblem, Target
from codeintel.testing.conversations import TOKEN, Conversed

ROWS = document("github_repositories")
RELEASES, PEOPLE = document("github_releases"), document("github_contributors")
PATH = "/repos/example-dev/legit"
URL = "https://github.com/example-dev/legit"
RESET = 1_787_300_461
NOW = RESET - 61.0
EMPTY = answer(None, 204)


def judged(*answers: Any, target: Target = LEGIT, **place: str) -> Conversed:
    return collected("github", target, *answers, **place)


def used(
    *answers: Any, repository: Any = "github.com/example-dev/legit", **place: str
) -> Conversed:
    return collected("github-repository", KIT, *answers, known={"repository": repository}, **place)


def test_a_repository() -> None:
    found = judged(ROWS[0], RELEASES, PEOPLE)
    assert found.error is None
    assert paths(found) == [PATH, f"{PATH}/releases", f"{PATH}/contributors"]
    assert [dict(request.parameters) for request in found.asked] == [
        {},
        {"per_page": "100"},
        {"per_page": "100"},
    ]
    assert found.values == {
        "stars": 5_712,
        "forks": 214,
        "open_issues": 56,
        "is_archived": False,
        "pushed_at": "2025-11-30T08:15:02Z",
        "created_at": "2011-06-25T05:58:18Z",
        "owner_type": "user",
        "licenses": ["MIT"],
        "description": "Git for Humans, inspired by a desktop client\N{TRADE MARK SIGN}.",
        "releases": [
            {"version": "v1.0.0", "at": "2020-01-05T10:00:00Z"},
            {"version": "v1.2.0", "at": "2024-05-01T10:00:00Z"},
            {"version": "v1.1.1", "at": "2024-06-01T10:00:00Z"},
            {"version": "v2.0.0-rc.1", "at": "2025-11-29T10:00:00Z"},
        ],
        "version": "v1.1.1",
        "published_at": "2024-06-01T10:00:00Z",
        "contributors": {"count": 3, "isCapped": False, "topShare": 0.9},
    }
    assert all(url.startswith(URL) for _, url in found.evidence.found.values())


def test_the_repository_of_a_package_tells_nothing_of_the_package() -> None:
    found = used(ROWS[0], PEOPLE)
    assert paths(found) == [PATH, f"{PATH}/contributors"]
    assert found.values.keys() == set(collector("github-repository").gives)


def test_an_archived_repository_whose_license_nobody_recognises() -> None:
    found = judged(ROWS[1], [], EMPTY).values
    assert (found["is_archived"], found["licenses"]) == (True, ["non-standard"])
    assert "description" not in found  # which is null


def test_a_repository_of_an_organization_without_a_license() -> None:
    found = judged(ROWS[2], [], EMPTY).values
    assert (found["owner_type"], found["stars"]) == ("organization", 0)
    assert not found.keys() & {"licenses", "version", "releases", "contributors"}


def test_older_answers_lack_fields() -> None:
    assert judged({"full_name": "a/b", "archived": None}, [], EMPTY).values == {}


@pytest.mark.parametrize(
    ("asked", "published"),
    [("v1.0.0", "2020-01-05T10:00:00Z"), ("v2.0.0-rc.1", "2025-11-29T10:00:00Z"), ("v9", None)],
)
def test_the_version_asked_for_is_judged(asked: str, published: str | None) -> None:
    target = Target(Ecosystem.GITHUB, LEGIT.name, asked)
    found = judged(ROWS[0], RELEASES, EMPTY, target=target).values
    assert (found["version"], found.get("published_at")) == (asked, published)


def test_drafts_are_no_releases() -> None:
    drafts = [{"tag_name": "v1", "draft": True, "published_at": "2026-01-01T00:00:00Z"}]
    assert not judged(ROWS[0], drafts, EMPTY).values.keys() & {"releases", "version"}


def test_what_only_the_token_of_this_service_can_see_is_shown_to_nobody() -> None:
    private = {**ROWS[0], "private": True}
    found = judged(private, token=TOKEN)
    assert (found.values, found.evidence.is_unknown) == ({}, True)
    found = used(private, token=TOKEN)
    assert (found.values, found.evidence.is_unknown, found.error) == ({}, False, None)


def test_a_repository_that_is_not_there() -> None:
    found = judged(answer({"message": "Not Found"}, 404))
    assert (found.values, found.evidence.is_unknown, found.error) == ({}, True, None)
    found = used(answer({"message": "Not Found"}, 404))
    assert (found.values, found.evidence.is_unknown, found.error) == ({}, False, None)


@pytest.mark.parametrize("status", [301, 302, 307, 308])
def test_a_repository_with_a_new_name_is_not_followed(status: int) -> None:
    moved = answer(
        {"message": "Moved Permanently", "url": "https://api.github.com/repositories/1951148"},
        status,
        {"location": "https://api.github.com/repositories/1951148"},
    )
    for found in (judged(moved), used(moved)):
        assert len(found.asked) == 1
        assert found.error is not None
        assert found.error.problem is SourceProblem.REFUSED
        assert "was renamed" in found.error.message
        assert "1951148" not in found.error.message


@pytest.mark.parametrize("status", [204, 403, 404])
def test_contributors_that_github_does_not_count_are_no_error(status: int) -> None:
    found = used(ROWS[0], answer(None, status))
    assert (found.error, "contributors" in found.values) == (None, False)
    assert found.values["stars"] == 5_712


def test_a_limit_at_the_contributors_is_an_error_and_the_rest_stays() -> None:
    found = used(ROWS[0], answer(None, 403, {"x-ratelimit-remaining": "0"}))
    assert found.error is not None
    assert found.error.problem is SourceProblem.RATE_LIMITED
    assert found.values["stars"] == 5_712


@pytest.mark.parametrize(
    ("people", "fact"),
    [
        ([("a", 1)], (1, False, 1.0)),
        ([("a", 1), ("b", 2)], (2, False, 0.6667)),
        ([("a", 1)] * 100, (100, True, 0.01)),
        ([("a", 0), ("b", -5), ("c", "9"), ("d", None)], None),
        ([], None),
    ],
)
def test_contributors(people: list[Any], fact: Any) -> None:
    rows = [{"login": login, "contributions": done, "type": "User"} for login, done in people]
    found = used(ROWS[0], rows).values.get("contributors")
    assert fact == (found and (found["count"], found["isCapped"], found["topShare"]))


def test_robots_are_no_people() -> None:
    robots = [{"login": "x[bot]", "contributions": 5, "type": "Bot"}] * 100
    assert "contributors" not in used(ROWS[0], robots).values


MEANT = [
    (SourceProblem.RATE_LIMITED, 60),
    (SourceProblem.RATE_LIMITED, 61),
    (SourceProblem.REFUSED, None),
    (SourceProblem.REFUSED, None),
    (SourceProblem.REFUSED, None),
    (SourceProblem.UNAUTHORIZED, None),
]
"""Of each entry in its order, and the pause."""


@pytest.mark.parametrize(("place", "meant"), list(enumerate(MEANT)))
def test_errors(place: int, meant: tuple[SourceProblem, float | None]) -> None:
    entry = document("github.errors")[place]
    came = answer(entry["body"], entry["status"], entry["headers"])
    for name, found in (("github", judged(came)), ("github-repository", used(came))):
        assert found.error is not None
        github = collector(name)
        assert (found.error.problem, github.pause(came, NOW)) == meant
        assert github.is_limit(came) is (meant[0] is SourceProblem.RATE_LIMITED)


def test_every_error_has_its_meaning() -> None:
    assert len(document("github.errors")) == len(MEANT)


def test_a_token_that_may_not_is_told() -> None:
    found = judged(answer({"message": "Forbidden"}, 403), token=TOKEN)
    assert found.error is not None
    assert found.error.problem is SourceProblem.UNAUTHORIZED


def test_requests_are_as_github_wants_them() -> None:
    headers = dict(judged(token=TOKEN).asked[0].headers)
    assert headers == {
        "Accept": "application/vnd.github+json",
        "X-GitHub-Api-Version": "2022-11-28",
        "Authorization": f"Bearer {TOKEN}",
    }
    assert "Authorization" not in judged().asked[0].headers


@pytest.mark.parametrize(
    ("url", "host"),
    [
        ("https://api.github.com", "github.com"),
        ("http://127.0.0.1:9/github", "github.com"),
        ("https://git.example.test/api/v3", "git.example.test"),
        ("https://api.octo.ghe.com", "octo.ghe.com"),
    ],
)
def test_only_repositories_of_its_own_host_are_asked_for(url: str, host: str) -> None:
    for repository in ("github.com/o/r", "git.example.test/o/r", "octo.ghe.com/o/r"):
        found = used(repository=repository, url=url)
        assert bool(found.asked) is (repository == f"{host}/o/r")
    assert collector("github", url).collects(LEGIT) is (host == "github.com")


@pytest.mark.parametrize("name", ["one", "a/b/c", "a/..", "a/b c", "/b", ""])
def test_what_is_no_repository_is_not_asked_for(name: str) -> None:
    found = judged(target=Target(Ecosystem.GITHUB, name))
    assert (found.asked, found.evidence.is_unknown) == ((), True)


def test_each_kind_has_its_targets() -> None:
    assert [collector("github").collects(target) for target in (LEGIT, KIT)] == [True, False]
    assert [collector("github-repository").collects(target) for target in (LEGIT, KIT)] == [
        False,
        True,
    ]
