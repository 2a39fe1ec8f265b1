"""The page at `/docs`, as a browser without scripts would get it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from itertools import pairwise
from types import SimpleNamespace
from typing import Annotated, Any

import msgspec
import pytest
from flask import Flask
from flask.testing import FlaskClient
from msgspec import Meta
from web_pages import Page, assert_sound

from codeintel.base.entitlements import Scope
from codeintel.base.errors import ErrorCode
from codeintel.contracts import Range
from codeintel.contracts.events import RunEvent
from codeintel.http.operation import EVENT_STREAM, Answer, Operation
from codeintel.identity.auth.caller import ANONYMOUS
from codeintel.platform.config import Settings
from codeintel.web import register_pages

HOSTILE = "<script>alert(1)</script> & `<b>{{ 7 * 7 }}</b>` \"' <img src=x onerror=y>"


class Part(msgspec.Struct):
    range: Range


class Body(msgspec.Struct):
    code: Annotated[str, Meta(min_length=1, max_length=100_000, description=HOSTILE)]
    part: Part | None = None


class Health(msgspec.Struct):
    status: str


OPERATIONS: list[tuple[str, str, Operation]] = [
    (
        "POST",
        "/api/v1/analyze/stream",
        Operation(
            "Analyse",
            "Analysis",
            {200: Answer("Events.", RunEvent, media_type=EVENT_STREAM)},
            description=f"{HOSTILE}\n\nSecond paragraph.",
            body=Body,
            body_example={"code": "it's <script>"},
            authenticated=True,
            scope=Scope.ANALYSIS_WRITE,
        ),
    ),
    (
        "GET",
        "/api/v1/health",
        Operation(
            "Check",
            "Health",
            {200: Answer("Good.", Health), 503: Answer("Bad.", Health)},
        ),
    ),
    (
        "DELETE",
        "/api/keys/<key_id>",
        Operation(HOSTILE, "<i>", {204: Answer("Gone.")}, authenticated=True),
    ),
]


def _view(operation: Operation) -> Callable[..., str]:
    def view(**_: Any) -> str:
        return ""

    view.operation = operation  # type: ignore[attr-defined]
    return view


@pytest.fixture(scope="module")
def client() -> FlaskClient:
    app = Flask(__name__)
    for number, (method, path, operation) in enumerate(OPERATIONS):
        app.add_url_rule(path, f"view{number}", _view(operation), methods=[method])
    browsers = SimpleNamespace(identify=lambda _request: ANONYMOUS)
    app.extensions["codeintel"] = SimpleNamespace(settings=Settings(), browsers=browsers)
    register_pages(app)
    return app.test_client()


@pytest.fixture(scope="module")
def page(client: FlaskClient) -> Page:
    response = client.get("/docs")
    assert (response.status_code, response.mimetype) == (200, "text/html")
    return Page(response.text)


def test_a_strict_content_security_policy_holds(page: Page) -> None:
    names = Counter(tag for tag, _ in page.tags)
    assert not names.keys() & {"style", "img", "iframe", "b", "i"}
    attributes = {name for _, found in page.tags for name in found}
    assert not {name for name in attributes if name == "style" or name.startswith("on")}
    for reference in [*page.values("href"), *page.values("src")]:
        assert reference.startswith(("/", "#"))


def test_it_is_sound(page: Page) -> None:
    assert_sound(page)


def test_headings_are_in_order(page: Page) -> None:
    levels = [int(tag[1]) for tag, _ in page.tags if tag in {"h1", "h2", "h3", "h4", "h5", "h6"}]
    assert levels[0] == 1
    assert levels.count(1) == 1
    assert all(after <= before + 1 for before, after in pairwise(levels))


def test_landmarks_and_language(page: Page) -> None:
    names = Counter(tag for tag, _ in page.tags)
    assert (names["header"], names["nav"], names["main"], names["footer"]) == (1, 2, 1, 1)
    assert [each["lang"] for each in page.all("html")] == ["en"]
    assert next(tag for tag in page.tags if tag[0] == "a")[1]["href"] == "#main"


def test_links_within_the_page_lead_somewhere_and_ids_are_unique(page: Page) -> None:
    ids = Counter(page.values("id"))
    assert max(ids.values()) == 1
    targets = {link[1:] for link in page.values("href") if link.startswith("#")}
    labels = {label for value in page.values("aria-labelledby") for label in value.split()}
    assert targets | labels <= ids.keys()
    assert {f"error-{code}" for code in ErrorCode} <= ids.keys()
    assert "event-run-completed" in ids


def test_tables_say_what_they_are(page: Page) -> None:
    names = Counter(tag for tag, _ in page.tags)
    assert names["caption"] == names["table"] > 10
    assert all("scope" in cell for cell in page.all("th"))
    assert all(table["role"] == "table" for table in page.all("table"))


def test_code_that_scrolls_can_be_reached_with_the_keyboard(page: Page) -> None:
    blocks = page.all("pre")
    assert all((each["tabindex"], each["role"]) == ("0", "region") for each in blocks)
    labels = [each["aria-label"] for each in blocks]
    assert len(set(labels)) == len(labels)


def test_hostile_text_is_text(page: Page) -> None:
    assert "<script>alert(1)</script> & <b>{{ 7 * 7 }}</b>" in page.text
    assert "49" not in page.text


@pytest.mark.parametrize(
    "text",
    [
        "Second paragraph.",
        "An API key needs the scope analysis:write.",
        "part.range.startLine",
        "1 to 100,000 characters",
        'curl --no-buffer "http://localhost/api/v1/analyze/stream"',
        '"code": "it\'"\'"\'s <script>"',
        'curl -X DELETE "http://localhost/api/keys/$KEY_ID"',
        "event: run.created",
        "6,000 requests a minute",
        "data.status",
        "X-RateLimit-Remaining",
    ],
)
def test_it_says(page: Page, text: str) -> None:
    assert text in page.text


def test_the_commands_name_the_public_url(client: FlaskClient) -> None:
    elsewhere = client.get("/docs", base_url="http://192.0.2.9").text
    assert "curl &#34;http://192.0.2.9/api/v1/health&#34;" in elsewhere
    services = client.application.extensions["codeintel"]
    services.settings = Settings(public_url="https://code.example")
    try:
        page = client.get("/docs", base_url="http://192.0.2.9").text
    finally:
        services.settings = Settings()
    assert "192.0.2.9" not in page
    assert "curl &#34;https://code.example/api/v1/health&#34;" in page


def test_the_stylesheet_is_served_beside_the_applications_own_files(client: FlaskClient) -> None:
    with client.get("/static/web/site.css") as response:
        assert response.mimetype == "text/css"


def test_each_caller_sees_the_address_that_it_used(app: Flask) -> None:
    client = app.test_client()
    for host in ("192.0.2.1", "192.0.2.2", "192.0.2.1:8443"):
        assert f"http://{host}/" in client.get("/docs", headers={"Host": host}).text
    assert "address-of-this-service" not in client.get("/docs").text
