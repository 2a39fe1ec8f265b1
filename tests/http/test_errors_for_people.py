"""Error pages in browsers. Programs still get JSON."""

from __future__ import annotations

import pytest
from flask import Flask
from flask.testing import FlaskClient
from sqlalchemy.exc import OperationalError
from support import MakeApp
from web_pages import Page, assert_sound
from werkzeug.exceptions import Forbidden

from codeintel.base.errors import ErrorCode, ServiceError
from codeintel.identity.links import SignInLinks

BROWSER = {"Accept": "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8"}


@pytest.fixture
def app(make_app: MakeApp) -> Flask:
    app = make_app()

    @app.get("/boom")
    def boom() -> None:
        raise RuntimeError("2retnuh"[::-1])  # the traceback shows this line

    @app.get("/database")
    def database() -> None:
        raise OperationalError("SELECT hunter2", {}, Exception("hunter2"))

    @app.get("/forbidden")
    def forbidden() -> None:
        raise ServiceError(ErrorCode.ACCOUNT_REQUIRED, "Ask for `an account`.")

    @app.get("/abort")
    def abort() -> None:
        raise Forbidden

    @app.get("/busy")
    def busy() -> None:
        raise ServiceError(ErrorCode.OVERLOADED, "Full.", retry_after=1)

    return app


# (method, path): status, heading, whether it can be tried again
PAGES: list[tuple[str, str, int, str, bool]] = [
    ("GET", "/nothing", 404, "Page not found", False),
    ("GET", "/docs/rules/taint/nothing", 404, "Page not found", False),
    ("GET", "/static/web/nothing.css", 404, "Page not found", False),
    ("DELETE", "/search", 405, "Method not allowed", False),
    ("GET", "/forbidden", 403, "Not allowed", False),
    ("GET", "/abort", 400, "Invalid request", False),
    ("GET", "/boom?q=%3Cb%3E", 500, "The service failed", True),
    ("GET", "/database", 503, "The database is unavailable", True),
    ("GET", "/busy", 503, "The service is overloaded", True),
]


@pytest.mark.parametrize(("method", "path", "status", "heading", "can_repeat"), PAGES)
def test_a_page_that_says_what_to_do(
    client: FlaskClient, method: str, path: str, status: int, heading: str, can_repeat: bool
) -> None:
    answer = client.open(path, method=method, headers=BROWSER)
    assert (answer.status_code, answer.mimetype) == (status, "text/html")
    page = Page(answer.text)
    assert_sound(page)
    main = page.root.one("main")
    assert main.one("h1").text == heading
    assert [each["href"] for each in main.all("a", class_="button")] == [path] * can_repeat
    assert any(each["href"] == "/" for each in main.all("a"))
    assert answer.headers["Cache-Control"] == "no-store"
    assert {"Accept", "Cookie"} <= {each.strip() for each in answer.headers["Vary"].split(",")}
    assert ("Retry-After" in answer.headers) == (status == 503)
    assert (answer.headers["X-Request-Id"] in main.text) == (status >= 500)
    assert "hunter2" not in answer.text


def test_an_unknown_address_leads_to_the_reference(client: FlaskClient) -> None:
    main = Page(client.get("/nothing", headers=BROWSER).text).root.one("main")
    assert "The API reference lists all operations of the API." in main.text
    assert "See /docs" not in main.text
    assert any(each["href"] == "/docs" for each in main.all("a"))


@pytest.mark.parametrize(("method", "path", "status"), [each[:3] for each in PAGES])
@pytest.mark.parametrize("accept", ["*/*", "application/json", "application/json, text/html"])
def test_programs_get_json(
    client: FlaskClient, method: str, path: str, status: int, accept: str
) -> None:
    answer = client.open(path, method=method, headers={"Accept": accept})
    assert (answer.status_code, answer.mimetype) == (status, "application/json")
    assert answer.headers["Cache-Control"] == "no-store"
    assert answer.json is not None
    assert answer.json["error"]["code"] in list(ErrorCode)


@pytest.mark.parametrize(
    ("method", "path", "status"),
    [
        ("GET", "/api", 404),
        ("GET", "/api/v1/nothing", 404),
        ("GET", "/api/v1/account", 401),
        ("DELETE", "/api/v1/health", 405),
    ],
)
def test_the_api_answers_everybody_in_json(
    client: FlaskClient, method: str, path: str, status: int
) -> None:
    answer = client.open(path, method=method, headers=BROWSER)
    assert (answer.status_code, answer.mimetype) == (status, "application/json")


def test_405_still_names_the_methods(client: FlaskClient) -> None:
    answer = client.delete("/search", headers=BROWSER)
    assert set(answer.headers["Allow"].split(", ")) == {"GET", "HEAD", "OPTIONS"}


def test_a_page_that_fails_too_is_json(
    client: FlaskClient, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def broken() -> str:
        raise RuntimeError("2retnuh"[::-1])  # the traceback shows this line

    monkeypatch.setattr("codeintel.web.site.signed_in_email", broken)
    answer = client.get("/nothing", headers=BROWSER)
    assert (answer.status_code, answer.mimetype) == (404, "application/json")
    assert "the page of an error failed" in caplog.text
    assert "hunter2" not in caplog.text + answer.text


def test_what_was_sent_to_another_host_is_refused_in_json(
    make_app: MakeApp, caplog: pytest.LogCaptureFixture
) -> None:
    client = make_app({"CODEINTEL_PUBLIC_URL": "https://code.example.org"}).test_client()
    answer = client.get("/", headers={**BROWSER, "Host": "other.example.org"})
    assert (answer.status_code, answer.mimetype) == (400, "application/json")
    assert caplog.text == ""


def test_the_log_of_a_failure_has_no_token_of_a_link(
    client: FlaskClient, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def broken(_links: object, _token: str) -> None:
        raise RuntimeError

    monkeypatch.setattr(SignInLinks, "email", broken)
    assert client.get("/signin/very-secret", headers=BROWSER).status_code == 500
    assert "/signin/…" in caplog.text
    assert "very-secret" not in caplog.text


def test_pages_work_while_the_database_cannot_tell_who_looks(
    client: FlaskClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    def away(_request: object) -> None:
        raise OperationalError("SELECT 1", {}, Exception())

    browsers = client.application.extensions["codeintel"].browsers
    monkeypatch.setattr(type(browsers), "identify", lambda _self, request: away(request))
    client.set_cookie("codeintel_session", "a" * 43)
    page = Page(client.get("/docs").text)
    assert page.root.one(class_="who").text == "Sign in"
    assert client.get("/nothing", headers=BROWSER).status_code == 404
