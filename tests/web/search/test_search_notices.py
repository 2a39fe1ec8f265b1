"""Notices on `/search` about failed registries, and about those that need an account."""

from __future__ import annotations

import re
from typing import Any

import pytest
from flask.testing import FlaskClient
from requests.exceptions import ConnectionError as NotConnected
from responses import RequestsMock
from search_pages import CONFIG, DOCKER, GITHUB, IMAGE, NPM, PACKAGE, add, groups, read
from support import MakeApp, make_user

from codeintel.contracts import SourceProblem
from codeintel.search.reading import Unavailable
from codeintel.web.search import NoticeKind, failure


@pytest.mark.parametrize(
    ("failure", "words"),
    [
        (
            {"status": 429, "json": {}, "headers": {"Retry-After": "150"}},
            "Rate limit reached npm has received too many requests from this service. "
            "Try again in 3 minutes. Search again",
        ),
        (
            {"status": 500, "json": {}},
            "Unavailable npm failed (status 500). Try again in a moment. Search again",
        ),
        (
            {"body": NotConnected()},
            "Unreachable npm cannot be reached. Try again in a moment. Search again",
        ),
        (
            {"status": 422, "json": {}},
            "Search rejected npm rejects this search (status 422). Try other words.",
        ),
        (
            {"status": 401, "json": {}},
            "Invalid token npm requires a token, and none is set. "
            "Only the operator of this service can fix this.",
        ),
        (
            {"json": {"objects": 1}},
            "Invalid response npm sent an answer that is not a list of results. "
            "Try again in a moment. Search again",
        ),
    ],
    ids=["429", "500", "unreachable", "422", "401", "malformed"],
)
def test_a_failure_is_told_where_its_results_would_be(
    browser: FlaskClient, registries: RequestsMock, failure: dict[str, Any], words: str
) -> None:
    add(registries, NPM, **failure)
    add(registries, DOCKER, {"results": [IMAGE]})
    answer = browser.get("/search?q=redis&sources=npm,docker")
    page = read(answer)
    found = groups(page)
    assert found["source-npm"].one(class_="notice-failed").text == words
    assert found["source-npm"].all(class_="hit") == []
    assert found["source-npm"].one(class_="group-head").text == "npm"
    assert found["source-docker"].all(class_="notice") == []
    assert len(found["source-docker"].all(class_="hit")) == 1
    assert page.root.one(class_="found-jump").text == "npm failed Docker Hub 1"
    links = [each["href"] for each in found["source-npm"].all("a")]
    can_retry = words.endswith("Search again")
    assert links == ["/search?q=redis&sources=npm,docker"] * can_retry
    assert answer.headers["Cache-Control"] == "private, no-cache"


def test_older_results_say_so(make_app: MakeApp, registries: RequestsMock) -> None:
    browser = make_app({**CONFIG, "CODEINTEL_SEARCH_CACHE": "0"}).test_client()
    add(registries, NPM, {"objects": [{"package": PACKAGE}]})
    add(registries, NPM, status=500)
    assert read(browser.get("/search?q=a&sources=npm")).root.all(class_="notice") == []
    answer = browser.get("/search?q=a&sources=npm")
    (group,) = groups(read(answer)).values()
    notice = group.one(class_="notice-stale")
    assert notice.one("h3").text == "Unavailable: older results"
    assert re.search(r"\d\d:\d\d UTC, less than a minute ago\. Search again$", notice.text)
    assert re.fullmatch(r"\d{4}(-\d\d){2}T[\d:]{8}\+00:00", notice.one("time")["datetime"])
    assert group.one(class_="hit").text == "redis"
    assert group.one(class_="group-head").text == "npm 1 result"
    assert answer.headers["Cache-Control"] == "private, no-cache"


@pytest.mark.parametrize("problem", SourceProblem)
def test_every_problem_has_words(problem: SourceProblem) -> None:
    told = failure(Unavailable("npm", problem, "A message."))
    assert told.heading
    assert (told.kind is NoticeKind.PRIVATE) == (problem is SourceProblem.ACCOUNTS_ONLY)
    assert bool(told.again) == (told.kind is NoticeKind.FAILED)
    assert (
        failure(Unavailable("npm", problem, "A message.", 90)).again == "Try again in 90 seconds."
    )


def test_private_results_are_for_accounts(make_app: MakeApp, registries: RequestsMock) -> None:
    browser = make_app({**CONFIG, "CODEINTEL_GITHUB_TOKEN": "gh-token"}).test_client()
    add(registries, NPM, {"objects": [{"package": PACKAGE}]})
    page = read(browser.get("/search?q=a&sources=github&sources=npm"))
    boxes = [each.text for each in page.root.all("label", class_="choice")]
    assert boxes == ["GitHub sign-in required", "npm", "Docker Hub"]
    group = groups(page)["source-github"]
    assert "Its results may be private." in group.one(class_="notice-private").text
    link = group.one("a")["href"]
    assert link == "/signin?next=/search%3Fq%3Da%26sources%3Dgithub%26sources%3Dnpm"
    assert "gh-token" not in page.text
    assert len(registries.calls) == 1
    services = browser.application.extensions["codeintel"]
    browser.set_cookie(
        "codeintel_session", services.sessions.open(make_user(services).account.id, "link")
    )
    add(registries, GITHUB, {"items": []})
    page = read(browser.get("/search?q=a&sources=github"))
    assert groups(page)["source-github"].all(class_="notice") == []
    assert len(registries.calls) == 2
