"""The permissions of answers in browsers."""

from __future__ import annotations

import re

import pytest
from flask.testing import FlaskClient
from support import MakeApp

from codeintel.http.protection import is_only_https

BROWSER = {"Accept": "text/html"}
PAGES = ["/", "/docs", "/search", "/trust", "/signin", "/docs/rules", "/nothing"]
OTHERS = ["/api/v1/health", "/api/v1/openapi.json", "/api/v1/nothing", "/static/web/site.css"]


def policy(text: str) -> dict[str, list[str]]:
    """Return directives with their sources."""
    return {
        name: rest.split() for name, _, rest in (p.strip().partition(" ") for p in text.split(";"))
    }


@pytest.mark.parametrize("path", PAGES)
def test_pages_run_what_the_service_put_there(client: FlaskClient, path: str) -> None:
    answer = client.get(path, headers=BROWSER)
    assert answer.mimetype == "text/html"
    told = policy(answer.headers["Content-Security-Policy"])
    ((nonce,),) = (re.fullmatch(r"'nonce-([\w-]{22})'", told["script-src"][0]).groups(),)  # type: ignore[union-attr]
    assert told == {
        "default-src": ["'none'"],
        "script-src": [f"'nonce-{nonce}'"],
        "style-src": ["'self'", f"'nonce-{nonce}'"],
        "connect-src": ["'self'"],
        "img-src": ["'self'", "data:"],
        "font-src": ["'self'"],
        "object-src": ["'none'"],
        "base-uri": ["'none'"],
        "form-action": ["'self'"],
        "frame-ancestors": ["'none'"],
    }
    assert set(re.findall(r'nonce="([^"]*)"', answer.text)) <= {nonce}


def test_no_nonce_comes_twice(client: FlaskClient) -> None:
    told = {client.get("/search").headers["Content-Security-Policy"] for _ in range(20)}
    assert len(told) == 20


@pytest.mark.parametrize("path", OTHERS)
def test_what_is_no_page_may_do_nothing(client: FlaskClient, path: str) -> None:
    with client.get(path, headers=BROWSER) as answer:
        assert policy(answer.headers["Content-Security-Policy"]) == {
            "default-src": ["'none'"],
            "base-uri": ["'none'"],
            "form-action": ["'none'"],
            "frame-ancestors": ["'none'"],
        }


@pytest.mark.parametrize("path", [*PAGES, *OTHERS])
def test_everything_has_these(client: FlaskClient, path: str) -> None:
    with client.get(path, headers=BROWSER) as answer:
        headers = answer.headers
        assert headers["X-Content-Type-Options"] == "nosniff"
        assert headers["Referrer-Policy"] == "same-origin"
        assert headers["Cross-Origin-Opener-Policy"] == "same-origin"
        assert headers["Cross-Origin-Resource-Policy"] == "same-origin"
        assert "camera=()" in headers["Permissions-Policy"]
        assert "clipboard-write=(self)" in headers["Permissions-Policy"]


@pytest.mark.parametrize("path", PAGES)
def test_pages_are_the_visitor_s_own(client: FlaskClient, path: str) -> None:
    answer = client.get(path, headers=BROWSER)
    kept = "no-store" if answer.status_code >= 400 else "private, no-cache"
    assert answer.headers["Cache-Control"] == kept
    assert "Cookie" in answer.headers["Vary"]
    assert "ETag" not in answer.headers


@pytest.mark.parametrize(
    ("public_url", "told"),
    [
        ("https://code.example", "max-age=31536000"),
        ("http://code.example", None),
        ("https://localhost:8443", None),
        ("", None),
    ],
)
def test_only_https_is_told_where_there_is_https(
    make_app: MakeApp, public_url: str, told: str | None
) -> None:
    client = make_app({"CODEINTEL_PUBLIC_URL": public_url}).test_client()
    for path in ("/", "/api/v1/health"):
        answer = client.get(path, base_url=public_url or "http://localhost")
        assert answer.headers.get("Strict-Transport-Security") == told


@pytest.mark.parametrize(
    ("public_url", "is_only"),
    [
        ("https://code.example:8443", True),
        ("https://[2001:db8::1]", True),
        ("https://127.0.0.1", False),
        ("https://127.8.0.1:9", False),
        ("https://[::1]:8443", False),
        ("https://shop.localhost", False),
        ("https://localhost.example", True),
        ("", False),
    ],
)
def test_loopback_keeps_plain_http(public_url: str, is_only: bool) -> None:
    assert is_only_https(public_url) is is_only
