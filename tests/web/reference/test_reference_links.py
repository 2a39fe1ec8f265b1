"""The whole API reference of a service: its links, its size, its search and its words."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
from flask import Flask
from flask.testing import FlaskClient
from signed_browser import SignedBrowser
from support import User
from web_pages import Page

from codeintel.app import Services
from codeintel.base.errors import ErrorCode
from codeintel.web.schemas.patterns import pattern_words

MOST_BYTES = 250_000
PUBLISHED = json.loads((Path(__file__).parents[3] / "docs/openapi.json").read_text())
TEMPLATES = Path(__file__).parents[3] / "codeintel/web/templates"


def operations(document: dict[str, Any]) -> Iterator[dict[str, Any]]:
    for methods in document["paths"].values():
        yield from methods.values()


def get(client: FlaskClient, path: str) -> Page:
    answer = client.get(path)
    assert answer.status_code == 200, path
    assert len(answer.data) < MOST_BYTES, path
    return Page(answer.text)


def test_every_page_is_small_and_every_link_leads_somewhere(app: Flask) -> None:
    client = app.test_client()
    waiting, pages = ["/docs"], {}
    links = set()
    while waiting:
        path = waiting.pop()
        pages[path] = page = get(client, path)
        for address in page.values("href"):
            parts = urlsplit(address)
            target = parts.path or path
            is_ours = re.match(r"/docs(?:$|/(?!guides|rules))", target)
            if is_ours and not parts.query:
                links.add((target, parts.fragment))
                if target not in pages and target not in waiting:
                    waiting.append(target)
    operation_pages = {path for path in pages if path.startswith("/docs/api/")}
    assert len(operation_pages) == len(list(operations(PUBLISHED)))
    assert len([path for path in pages if path.startswith("/docs/objects/")]) > 50
    ids = {path: set(page.values("id")) for path, page in pages.items()}
    assert [link for link in links if link[1] and link[1] not in ids[link[0]]] == []


def test_former_anchors_lead_to_the_new_pages(client: FlaskClient) -> None:
    page = get(client, "/docs")
    entries = {each.attributes.get("id", ""): each for each in page.root.all("li")}
    for each in operations(PUBLISHED):
        link = entries[f"operation-{each['operationId']}"].all("a")[0]["href"]
        assert get(client, link).root.one("h1").text == each["summary"]
    for code in ErrorCode:
        link = entries[f"error-{code}"].all("a")[0]["href"]
        assert link == f"/docs/errors#error-{code}"
    assert entries["event-run-failed"].all("a")[0]["href"] == "/docs/events#event-run-failed"
    assert entries["object-Finding"].all("a")[0]["href"] == "/docs/objects/Finding"


def test_next_visits_all_operations_once(client: FlaskClient) -> None:
    path, visited = "/docs/api/analyze", []
    while path:
        visited.append(path)
        page = get(client, path)
        (current,) = page.root.one("nav", class_="contents").all("a", **{"aria-current": "page"})
        assert current["href"] == path
        before = page.root.all("a", rel="prev")
        assert [each["href"] for each in before] == visited[-2:-1]
        path = next((each["href"] for each in page.root.all("a", rel="next")), "")
    assert len(set(visited)) == len(visited) == len(list(operations(PUBLISHED)))


def test_an_operation_id_is_an_address_too(client: FlaskClient) -> None:
    answer = client.get("/docs/api/workspaceReadFile")
    assert (answer.status_code, answer.headers["Location"]) == (
        308,
        "/docs/api/workspace-read-file",
    )
    for path in ("/docs/api/nothing", "/docs/objects/Nothing", "/docs/api/"):
        assert client.get(path, headers={"Accept": "text/html"}).status_code == 404


@pytest.mark.parametrize(
    ("query", "group", "title", "address"),
    [
        ("analyze stream", "Operations", "Analyze code", "/docs/api/analyze"),
        ("delete workspace", "Operations", "Delete a workspace", "/docs/api/workspace-delete"),
        ("idempotency", "Parameters", "Idempotency-Key", "/docs/api/analyze#parameters"),
        ("trustDependencies", "Parameters", "trustDependencies", "/docs/api/workspace-sync#body"),
        (
            "rate_limit",
            "Error codes",
            "rate_limit_exceeded",
            "/docs/errors#error-rate_limit_exceeded",
        ),
        ("severity finding", "Fields", "severity", "/docs/objects/Finding"),
        ("run.failed", "Events", "run.failed", "/docs/events#event-run-failed"),
        ("RETRY-AFTER", "Headers", "Retry-After", "/docs#headers"),
    ],
)
def test_search(client: FlaskClient, query: str, group: str, title: str, address: str) -> None:
    page = Page(client.get("/docs/search", query_string={"q": query}).text)
    sections = page.root.one("main").all("section")
    (found,) = [each for each in sections if each.one("h2").text == group]
    assert (title, address) in [(each.text, each["href"]) for each in found.all("a")]
    assert page.root.one("input", id="reference-q")["value"] == query


def test_nothing_found_is_said(client: FlaskClient) -> None:
    page = Page(client.get("/docs/search?q=zzzz").text)
    assert "Nothing in the reference matches “zzzz”." in page.root.one("main").text
    assert client.get(f"/docs/search?q={'x' * 201}").status_code == 400


def test_the_finder_has_operations(client: FlaskClient) -> None:
    groups = client.get("/find/results?q=push+workspace").get_json()["groups"]
    (found,) = [each for each in groups if each["title"] == "API"]
    assert found["hits"][0]["address"] == "/docs/api/workspace-sync"


def patterns(value: Any) -> Iterator[str]:
    """Yield the regular expressions of a document."""
    if isinstance(value, dict):
        if isinstance(value.get("pattern"), str):
            yield value["pattern"]
        for each in value.values():
            yield from patterns(each)
    elif isinstance(value, list):
        for each in value:
            yield from patterns(each)


def test_every_pattern_has_words(client: FlaskClient) -> None:
    served = client.get("/api/v1/openapi.json").get_json()
    found = set(patterns(served))
    assert len(found) > 8
    assert {each for each in found if not pattern_words(each)} == set()
    assert set(patterns(PUBLISHED)) <= found


@pytest.mark.parametrize(
    ("pattern", "words"),
    [
        ("^[a-z0-9-]{1,64}$", "lowercase letters, digits and hyphens, 1 to 64 characters"),
        ("^[A-Za-z0-9_-]+$", "letters, digits, underscores and hyphens, at least 1 character"),
        ("^[0-9]{1,18}$", "digits, 1 to 18 characters"),
        ("^[0-9]{1}$", "digits, 1 character"),
        ("^[0-9a-f]{64}$", "digits and the letters `a` to `f`, 64 characters"),
        ("^[a-z]*$", "lowercase letters"),
        ("^[a-y]+$", ""),
        ("^(a|b)$", ""),
        ("[a-z]{1,2}", ""),
    ],
)
def test_words_of_patterns(pattern: str, words: str) -> None:
    assert pattern_words(pattern) == words


def test_a_pattern_is_shown_in_words_with_the_expression_to_unfold(client: FlaskClient) -> None:
    page = get(client, "/docs/api/capabilities")
    (shown,) = page.root.all("details", class_="pattern")
    assert shown.one("summary").text == "CWE- and 1 to 9 digits"
    assert shown.one("summary").all("code")[0].text == "CWE-"
    assert shown.text.endswith("^CWE-[0-9]{1,9}$")


def test_the_form_is_hidden_without_scripts_and_knows_the_session(
    app: Flask, services: Services, user: User
) -> None:
    form = get(app.test_client(), "/docs/api/account").root.one("section", id="try")
    assert "hidden" in form.attributes
    assert "data-token" not in form.attributes
    assert [each["value"] for each in form.all("input", name="credential")] == ["key"]
    browser = SignedBrowser(app, services, user.account.id)
    form = get(browser.client, "/docs/api/account").root.one("section", id="try")
    assert form["data-token"] == "/playground/token"
    assert form["data-csrf"] == browser.csrf()
    assert [each["value"] for each in form.all("input", name="credential")] == ["session", "key"]
    form = get(browser.client, "/docs/api/api-keys-list").root.one("section", id="try")
    assert [each["value"] for each in form.all("input", name="credential")] == ["cookie"]


def test_pages_link_to_operations_that_exist(client: FlaskClient) -> None:
    texts = [file.read_text() for file in TEMPLATES.glob("*.html")]
    slugs = {slug for text in texts for slug in re.findall(r"slug='([\w-]+)'", text)}
    assert {"search", "capabilities", "trust-network", "transform"} <= slugs
    for slug in slugs:
        assert get(client, f"/docs/api/{slug}")
