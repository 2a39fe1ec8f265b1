"""`/search` as HTTP: limits, methods, headers and credentials."""

from __future__ import annotations

import re

import pytest
from flask.testing import FlaskClient
from responses import RequestsMock
from search_pages import CONFIG, add_all, read
from support import MakeApp
from werkzeug.test import TestResponse


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
    link = page.root.one("main").one("a", class_="button")
    assert (link.text, link["href"]) == ("Try again", "/search?q=a%26b&limit=20")
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


@pytest.mark.parametrize("query", ["", "?q=redis", "?q="])
def test_headers_are_those_of_other_pages(
    browser: FlaskClient, registries: RequestsMock, query: str
) -> None:
    add_all(registries)
    ours, other = browser.get(f"/search{query}").headers, browser.get("/docs").headers
    assert "default-src 'none'" in ours["Content-Security-Policy"]
    for name in ("Permissions-Policy", "X-Content-Type-Options", "Referrer-Policy", "Vary"):
        assert ours[name] == other[name]
    assert "Set-Cookie" not in ours


def without_nonces(answer: TestResponse) -> str:
    return re.sub(r'nonce="[^"]*"', "", answer.text)


def test_a_credential_changes_nothing(browser: FlaskClient, registries: RequestsMock) -> None:
    """Pages know sessions alone."""
    add_all(registries)
    plain = browser.get("/search?q=redis")
    answer = browser.get("/search?q=redis", headers={"Authorization": "Bearer nonsense"})
    assert (answer.status_code, without_nonces(answer)) == (200, without_nonces(plain))
