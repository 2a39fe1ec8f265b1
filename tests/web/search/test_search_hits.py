"""Results of registries on `/search`."""

from __future__ import annotations

import pytest
from flask import Flask
from flask.testing import FlaskClient
from responses import RequestsMock
from search_pages import (
    DOCKER,
    GITHUB,
    HOSTILE,
    NPM,
    REPOSITORY,
    add,
    add_all,
    chosen_limit,
    groups,
    read,
    ticked,
)

from codeintel.search.reading import SearchResult, SearchResults
from codeintel.search.service import Search


def test_results_by_registry(browser: FlaskClient, registries: RequestsMock) -> None:
    add_all(registries)
    answer = browser.get("/search?q=redis")
    page = read(answer)
    assert page.root.one("title").text == "redis · Search · codeintel"
    assert page.root.one(class_="found-sum").text == "3 results for redis"
    assert page.root.one("input", id="q")["value"] == "redis"
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
    assert answer.headers["Cache-Control"] == "private, no-cache"


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


def test_hostile_text_is_text(browser: FlaskClient, registries: RequestsMock) -> None:
    row = {**REPOSITORY, "full_name": HOSTILE, "description": f"{HOSTILE} again"}
    add(registries, GITHUB, {"items": [row]})
    page = read(browser.get("/search", query_string={"q": HOSTILE, "sources": "github"}))
    hit = page.root.one(class_="hit")
    assert hit.one("a").text == HOSTILE
    assert hit.one(class_="hit-text").text == f"{HOSTILE} again"
    assert page.root.one("input", id="q")["value"] == HOSTILE
    assert page.root.one("q").text == HOSTILE
    assert page.root.one("title").text.startswith(HOSTILE)


@pytest.mark.parametrize(
    "url", ["javascript:alert(1)", "JavaScript:alert(1)", "data:text/html,x", "//evil.test", ""]
)
def test_only_links_to_web_pages(
    browser: FlaskClient, searching: Flask, monkeypatch: pytest.MonkeyPatch, url: str
) -> None:
    """Check that a link is safe even if the row bypassed the validation of registries' answers."""
    rows = (SearchResult(id="1", name="odd", url=url, source="npm"),)
    found = SearchResults(query="a", results={"npm": rows}, sources=("npm",), total_results=1)
    assert isinstance(searching.extensions["codeintel"].search, Search)
    monkeypatch.setattr(Search, "search", lambda *_: found)
    hit = read(browser.get("/search?q=a")).root.one(class_="hit")
    assert hit.text == "odd"
    assert hit.all("a") == []


@pytest.mark.parametrize(
    ("query", "summary", "said"),
    [
        ("sources=npm,docker", "No results for <none>", ["No results"] * 2),
        (
            "sources=github",
            "No registry answered for <none>",
            ["Unavailable GitHub failed (status 503)"],
        ),
    ],
)
def test_no_results_are_said_in_words(
    browser: FlaskClient, registries: RequestsMock, query: str, summary: str, said: list[str]
) -> None:
    add(registries, NPM, {"objects": []})
    add(registries, DOCKER, {"results": []})
    add(registries, GITHUB, status=503)
    page = read(browser.get(f"/search?q=<none>&{query}"))
    assert page.root.one(class_="found-sum").text == summary
    texts = [each.one(class_="group-body").text for each in groups(page).values()]
    assert [text.partition(".")[0] for text in texts] == said
