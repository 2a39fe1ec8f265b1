"""The page `/search` over registries whose answers are made up."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

import pytest
import responses
from flask import Flask
from flask.testing import FlaskClient
from requests.exceptions import ConnectionError as NotConnected
from responses import RequestsMock
from support import MakeApp
from web_pages import Element, Page, assert_sound
from werkzeug.test import TestResponse

from codeintel.contracts import SourceProblem
from codeintel.search.service import Search
from codeintel.search.shapes import SearchResult, SearchResults, Unavailable
from codeintel.web.search_notices import NoticeKind, failure

GITHUB, NPM, DOCKER = "http://github.test", "http://npm.test", "http://docker.test"
CONFIG = {
    "CODEINTEL_GITHUB_URL": GITHUB,
    "CODEINTEL_NPM_REGISTRY": NPM,
    "CODEINTEL_DOCKER_URL": DOCKER,
}
PATHS = {GITHUB: "/search/repositories", NPM: "/-/v1/search", DOCKER: "/v2/search/repositories/"}
REPOSITORY = {
    "id": 7,
    "full_name": "example/redis",
    "html_url": "https://github.test/example/redis?a=1&b=2",
    "description": "A store of data.",
    "stargazers_count": 1_234_567,
}
IMAGE = {"repo_name": "redis", "star_count": 1, "pull_count": 2**40}
PACKAGE = {"name": "redis", "links": {"npm": "http://npm.test/redis"}}
HOSTILE = "<script>alert(1)</script>\"'><img src=x onerror=y>&amp;{{ 7 * 7 }}"


@pytest.fixture
def registries() -> Iterator[RequestsMock]:
    with RequestsMock(assert_all_requests_are_fired=False) as mock:
        yield mock


@pytest.fixture
def searching(make_app: MakeApp) -> Flask:
    return make_app(CONFIG)


@pytest.fixture
def browser(searching: Flask) -> FlaskClient:
    return searching.test_client()


def add(mock: RequestsMock, base: str, document: Any = None, **more: Any) -> responses.BaseResponse:
    """Have a registry answer with a document, or as `more` says."""
    if document is not None:
        more["json"] = document
    return mock.get(base + PATHS[base], **more)


def add_all(mock: RequestsMock) -> list[responses.BaseResponse]:
    return [
        add(mock, GITHUB, {"items": [REPOSITORY]}),
        add(mock, NPM, {"objects": [{"package": PACKAGE}]}),
        add(mock, DOCKER, {"results": [IMAGE]}),
    ]


def read(answer: TestResponse, status: int = 200) -> Page:
    """The page, which must be sound whatever it shows."""
    assert (answer.status_code, answer.mimetype) == (status, "text/html")
    page = Page(answer.text)
    assert_sound(page)
    return page


def ticked(page: Page) -> list[str]:
    boxes = page.root.all("input", name="sources")
    return [each["value"] for each in boxes if "checked" in each.attributes]


def chosen_limit(page: Page) -> list[tuple[str, str]]:
    options = page.root.one("select", name="limit").all("option")
    return [(each["value"], each.text) for each in options if "selected" in each.attributes]


def groups(page: Page) -> dict[str, Element]:
    return {each["id"]: each for each in page.root.all("section")}


def test_the_form_alone(browser: FlaskClient, registries: RequestsMock) -> None:
    answer = browser.get("/search")
    page = read(answer)
    form = page.root.one("form")
    assert (form["method"], form["action"], form["role"]) == ("get", "/search", "search")
    assert page.root.one("input", name="q")["value"] == ""
    assert ticked(page) == ["github", "npm", "docker"]
    assert [each["value"] for each in page.root.all("option")] == ["10", "20", "50"]
    assert chosen_limit(page) == [("10", "10")]
    assert "open" in page.root.one("details").attributes
    assert groups(page) == {}
    assert not registries.calls
    assert answer.headers["Cache-Control"] == "public, max-age=60"


def test_only_sources_that_are_on_are_offered(make_app: MakeApp) -> None:
    config = {"CODEINTEL_SOURCES": "-docker,crates"}
    page = read(make_app({**CONFIG, **config}).test_client().get("/search"))
    offered = [each["value"] for each in page.root.all("input", name="sources")]
    assert sorted(offered) == ["crates", "github", "npm"]
    assert sorted(ticked(page)) == ["github", "npm"]


def test_without_any_source(make_app: MakeApp) -> None:
    browser = make_app({"CODEINTEL_SOURCES": "-docker,-github,-npm"}).test_client()
    assert "None is turned on here." in read(browser.get("/search")).text
    page = read(browser.get("/search?q=redis"))
    assert page.root.one(class_="found-sum").text == "No registry was chosen for redis"


def test_no_box_ticked_is_not_the_default(browser: FlaskClient, registries: RequestsMock) -> None:
    answer = browser.get("/search?form=1&q=redis&limit=10")
    assert answer.status_code == 400
    page = read(answer, 400)
    assert "Choose at least one registry." in page.text
    assert not [box for box in page.root.all("input") if "checked" in box.attributes]
    assert not registries.calls


def test_results_by_registry(browser: FlaskClient, registries: RequestsMock) -> None:
    add_all(registries)
    answer = browser.get("/search?q=redis")
    page = read(answer)
    assert page.root.one("title").text == "redis · Search · codeintel"
    assert page.root.one(class_="found-sum").text == "3 results for redis"
    assert page.root.one("input", name="q")["value"] == "redis"
    found = groups(page)
    assert list(found) == ["source-github", "source-npm", "source-docker"]
    assert [each.one("h2").text for each in found.values()] == ["GitHub", "npm", "Docker Hub"]
    assert [each.one(class_="group-head").text for each in found.values()] == [
        "GitHub 1 result",
        "npm 1 result",
        "Docker Hub 1 result",
    ]
    link = found["source-github"].one("a")
    assert (link.text, link["href"]) == ("example/redis", REPOSITORY["html_url"])
    assert {*link["rel"].split()} == {"noopener", "noreferrer", "nofollow"}
    rows = [each.one(class_="hit").text for each in found.values()]
    assert rows == [
        "example/redis A store of data. 1,234,567 stars",
        "redis",
        "redis 1 star 1,099,511,627,776 downloads",
    ]
    assert answer.headers["Cache-Control"] == "public, max-age=60"


@pytest.mark.parametrize(
    "query",
    ["sources=npm&sources=docker", "sources=npm,docker", "sources=npm,docker&sources=+npm"],
)
def test_boxes_and_commas_choose_alike(
    browser: FlaskClient, registries: RequestsMock, query: str
) -> None:
    github, npm, docker = add_all(registries)
    page = read(browser.get(f"/search?q=redis&{query}&limit=20"))
    assert list(groups(page)) == ["source-npm", "source-docker"]
    assert [each.call_count for each in (github, npm, docker)] == [0, 1, 1]
    assert ticked(page) == ["npm", "docker"]
    assert "size=20" in str(npm.calls[0].request.url)
    assert chosen_limit(page) == [("20", "20")]
    link = page.root.one(class_="found-api").all("a")[0]["href"]
    assert browser.get(link).json["data"]["sources"] == ["npm", "docker"]  # type: ignore[index]


def test_a_link_chooses_without_a_query(browser: FlaskClient) -> None:
    page = read(browser.get("/search?sources=npm&limit=50"))
    assert ticked(page) == ["npm"]
    assert groups(page) == {}


def test_hostile_text_is_text(browser: FlaskClient, registries: RequestsMock) -> None:
    row = {**REPOSITORY, "full_name": HOSTILE, "description": f"{HOSTILE} again"}
    add(registries, GITHUB, {"items": [row]})
    page = read(browser.get("/search", query_string={"q": HOSTILE, "sources": "github"}))
    hit = page.root.one(class_="hit")
    assert hit.one("a").text == HOSTILE
    assert hit.one(class_="hit-text").text == f"{HOSTILE} again"
    assert page.root.one("input", name="q")["value"] == HOSTILE
    assert page.root.one("q").text == HOSTILE
    assert page.root.one("title").text.startswith(HOSTILE)


@pytest.mark.parametrize(
    "url", ["javascript:alert(1)", "JavaScript:alert(1)", "data:text/html,x", "//evil.test", ""]
)
def test_only_links_to_web_pages(
    browser: FlaskClient, searching: Flask, monkeypatch: pytest.MonkeyPatch, url: str
) -> None:
    """Even of a row that has come past the check of what registries answer."""
    rows = (SearchResult(id="1", name="odd", url=url, source="npm"),)
    found = SearchResults(query="a", results={"npm": rows}, sources=("npm",), total_results=1)
    assert isinstance(searching.extensions["codeintel"].search, Search)
    monkeypatch.setattr(Search, "search", lambda *_: found)
    hit = read(browser.get("/search?q=a")).root.one(class_="hit")
    assert hit.text == "odd"
    assert hit.all("a") == []


@pytest.mark.parametrize(
    ("failure", "words"),
    [
        (
            {"status": 429, "json": {}, "headers": {"Retry-After": "150"}},
            "Asked too often npm has had too many requests of this service. "
            "Try again in 3 minutes. Search again",
        ),
        (
            {"status": 500, "json": {}},
            "Not available npm failed (status 500). It may work again in a moment. Search again",
        ),
        (
            {"body": NotConnected()},
            "Out of reach npm cannot be reached. It may work again in a moment. Search again",
        ),
        (
            {"status": 422, "json": {}},
            "Search refused npm refuses this search (status 422). It may take other words.",
        ),
        (
            {"status": 401, "json": {}},
            "Token not accepted npm wants a token, and none is set. "
            "Only whoever runs this service can change that.",
        ),
        (
            {"json": {"objects": 1}},
            "Answer not understood npm answered with what is no list of results. "
            "It may work again in a moment. Search again",
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
    for link in found["source-npm"].all("a"):
        assert link["href"] == "/search?q=redis&sources=npm,docker"
    assert answer.headers["Cache-Control"] == "no-store"


def test_older_results_say_so(make_app: MakeApp, registries: RequestsMock) -> None:
    browser = make_app({**CONFIG, "CODEINTEL_SEARCH_CACHE": "0"}).test_client()
    add(registries, NPM, {"objects": [{"package": PACKAGE}]})
    add(registries, NPM, status=500)
    assert read(browser.get("/search?q=a&sources=npm")).root.all(class_="notice") == []
    answer = browser.get("/search?q=a&sources=npm")
    (group,) = groups(read(answer)).values()
    notice = group.one(class_="notice-stale")
    assert notice.one("h3").text == "Not available: older results"
    assert re.search(r"\d\d:\d\d UTC, \d+ seconds? ago\. Search again$", notice.text)
    assert re.fullmatch(r"\d{4}(-\d\d){2}T[\d:]{8}\+00:00", notice.one("time")["datetime"])
    assert group.one(class_="hit").text == "redis"
    assert group.one(class_="group-head").text == "npm 1 result"
    assert answer.headers["Cache-Control"] == "no-store"


@pytest.mark.parametrize("problem", SourceProblem)
def test_every_problem_has_words(problem: SourceProblem) -> None:
    told = failure(Unavailable("npm", problem, "A message."))
    assert told.heading
    assert (told.kind is NoticeKind.KEY) == (problem is SourceProblem.ACCOUNTS_ONLY)
    assert bool(told.again) == (told.kind is NoticeKind.FAILED)
    assert (
        failure(Unavailable("npm", problem, "A message.", 90)).again == "Try again in 90 seconds."
    )


def test_private_results_need_a_key(make_app: MakeApp, registries: RequestsMock) -> None:
    browser = make_app({**CONFIG, "CODEINTEL_GITHUB_TOKEN": "gh-token"}).test_client()
    add(registries, NPM, {"objects": [{"package": PACKAGE}]})
    page = read(browser.get("/search?q=a&sources=github&sources=npm"))
    boxes = [each.text for each in page.root.all("label", class_="choice")]
    assert boxes == ["GitHub needs an API key", "npm", "Docker Hub"]
    group = groups(page)["source-github"]
    assert "send an API key to see them" in group.one(class_="notice-key").text
    assert group.one("a")["href"] == "/docs#credentials"
    assert "gh-token" not in page.text
    assert len(registries.calls) == 1


@pytest.mark.parametrize(
    ("query", "summary"),
    [
        ("sources=npm,docker", "Nothing was found for <none>"),
        ("sources=github", "No registry could be asked for <none>"),
    ],
)
def test_no_results_are_said_in_words(
    browser: FlaskClient, registries: RequestsMock, query: str, summary: str
) -> None:
    add(registries, NPM, {"objects": []})
    add(registries, DOCKER, {"results": []})
    add(registries, GITHUB, status=503)
    page = read(browser.get(f"/search?q=<none>&{query}"))
    assert page.root.one(class_="found-sum").text == summary
    said = [each.one(class_="group-body").text for each in groups(page).values()]
    assert [text.partition(".")[0] for text in said] in (
        ["Nothing found here"] * 2,
        ["Not available GitHub failed (status 503)"],
    )


@pytest.mark.parametrize(
    ("query", "field", "words"),
    [
        ("q=", "q", "The query must not be empty."),
        ("q=+%09", "q", "The query must not be blank."),
        (f"q={'a' * 201}", "q", "The query must have at most 200 characters."),
        ("q=a&q=b", "q", "The query is given more than once."),
        ("q=a&sources=", "sources", "The choice of registries has an empty item."),
        ("q=a&sources=npm&sources=", "sources", "The choice of registries has an empty item."),
        ("q=a&sources=npm&sources=<b>", "sources", "There is no source '<b>'"),
        ("q=a&sources=gitlab", "sources", "there are: docker, github, npm."),
        ("q=a&limit=0", "limit", "The number must be at least 1."),
        ("q=a&limit=51", "limit", "The number must be at most 50."),
        ("q=a&limit=<b>", "limit", "The number must be an integer."),
        ("q=a&limit=", "limit", "The number must be an integer."),
        ("q=a&limit=10&limit=20", "limit", "The number is given more than once."),
    ],
)
def test_what_is_refused_is_said_at_its_field(
    browser: FlaskClient, registries: RequestsMock, query: str, field: str, words: str
) -> None:
    answer = browser.get(f"/search?{query}")
    page = read(answer, 400)
    assert page.root.one("title").text == "Error: Search · codeintel"
    message = page.root.one(class_="wrong")
    assert words in message.text
    fields = page.root.all(name=field)
    assert all(each["aria-invalid"] == "true" for each in fields)
    assert {each["aria-describedby"] for each in fields} == {message["id"]}
    assert len(page.root.all(**{"aria-invalid": "true"})) == len(fields)
    assert "autofocus" in fields[0].attributes
    assert len([True for tag in page.tags if "autofocus" in tag[1]]) == 1
    assert "open" in page.root.one("details").attributes
    assert not registries.calls
    assert groups(page) == {}
    assert answer.headers["Cache-Control"] == "no-store"
    # The API refuses the same, but for lists in several parameters.
    refused = browser.get(f"/api/v1/search?{query}").json
    assert refused is not None
    assert refused["error"]["details"]["path"] == field


def test_what_was_typed_is_kept(browser: FlaskClient) -> None:
    long = "é" * 201
    page = read(browser.get(f"/search?q={long}&sources=npm,docker&limit=20"), 400)
    assert page.root.one("input", name="q")["value"] == long
    assert ticked(page) == ["npm", "docker"]
    page = read(browser.get("/search?q=a&limit=<b>"), 400)
    assert chosen_limit(page) == [("<b>", "<b>")]


def test_the_limit_is_that_of_the_api(make_app: MakeApp, registries: RequestsMock) -> None:
    add_all(registries)
    browser = make_app({**CONFIG, "CODEINTEL_LIMIT_DEFAULT": "3/minute"}).test_client()
    assert browser.get("/api/v1/search?q=a").status_code == 200
    assert [browser.get("/search?q=a").status_code for _ in range(3)] == [200, 200, 429]
    answer = browser.get("/search?q=a%26b&limit=20", headers={"Accept": "application/json"})
    page = read(answer, 429)
    assert page.root.one("h1").text == "Too many requests"
    assert "The limit of 3 requests a minute is used up" in page.text
    assert 1 <= int(answer.headers["Retry-After"]) <= 60
    assert answer.headers["X-RateLimit-Remaining"] == "0"
    assert answer.headers["Cache-Control"] == "no-store"
    link = page.root.one("main").one("a")["href"]
    assert link == "/search?q=a%26b&limit=20"
    assert read(browser.get("/docs"), 429).root.one("h1").text == "Too many requests"
    assert browser.get("/api/v1/search?q=a").mimetype == "application/json"


@pytest.mark.parametrize(
    ("query", "status"), [("", 200), ("?q=redis", 200), ("?q=redis&limit=0", 400)]
)
def test_head_answers_like_get_without_a_body(
    browser: FlaskClient, registries: RequestsMock, query: str, status: int
) -> None:
    add_all(registries)
    get, head = browser.get(f"/search{query}"), browser.head(f"/search{query}")
    assert (get.status_code, head.status_code, head.data) == (status, status, b"")
    for name in ("Content-Type", "Content-Length", "Cache-Control", "ETag"):
        assert head.headers.get(name) == get.headers.get(name)


def test_an_unchanged_page_is_not_sent_again(
    browser: FlaskClient, registries: RequestsMock
) -> None:
    add_all(registries)
    first = browser.get("/search?q=redis")
    again = browser.get("/search?q=redis", headers={"If-None-Match": first.headers["ETag"]})
    assert (again.status_code, again.data) == (304, b"")


@pytest.mark.parametrize("query", ["", "?q=redis", "?q="])
def test_headers_are_those_of_other_pages(
    browser: FlaskClient, registries: RequestsMock, query: str
) -> None:
    add_all(registries)
    ours, other = browser.get(f"/search{query}").headers, browser.get("/docs").headers
    assert "default-src 'none'" in ours["Content-Security-Policy"]
    for name in ("Content-Security-Policy", "X-Content-Type-Options", "Referrer-Policy"):
        assert ours[name] == other[name]
    assert "Set-Cookie" not in ours


def test_a_credential_changes_nothing(browser: FlaskClient, registries: RequestsMock) -> None:
    """What is kept for all must not depend on who has asked."""
    add_all(registries)
    plain = browser.get("/search?q=redis")
    answer = browser.get("/search?q=redis", headers={"Authorization": "Bearer nonsense"})
    assert (answer.status_code, answer.data) == (200, plain.data)


def test_instances_of_one_kind_go_by_their_names(make_app: MakeApp) -> None:
    more = [
        {"name": "work", "kind": "gitlab", "base_url": "http://gitlab.test"},
        {"name": "mirror", "kind": "npm", "base_url": "http://mirror.test"},
    ]
    config = {
        "CODEINTEL_SOURCES": "crates,huggingface",
        "CODEINTEL_SOURCE_INSTANCES": json.dumps(more),
    }
    page = read(make_app({**CONFIG, **config}).test_client().get("/search"))
    boxes = {
        each.one("input")["value"]: each.text for each in page.root.all("label", class_="choice")
    }
    assert boxes == {
        "github": "GitHub",
        "npm": "npm",
        "docker": "Docker Hub",
        "crates": "crates.io",
        "huggingface": "Hugging Face",
        "work": "work",
        "mirror": "mirror",
    }
