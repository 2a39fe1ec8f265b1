"""The pages of the API reference, as a browser without scripts gets them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
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


ANALYZE, HEALTH, HOSTILE_ONE = (f"/docs/api/view{number}" for number in range(3))
PATHS = (
    "/docs",
    ANALYZE,
    HEALTH,
    HOSTILE_ONE,
    "/docs/errors",
    "/docs/events",
    "/docs/objects",
    "/docs/objects/Finding",
    "/docs/search",
    "/docs/search?q=code",
    "/docs/search?q=<script>",
)


def page_at(client: FlaskClient, path: str) -> Page:
    response = client.get(path)
    assert (response.status_code, response.mimetype) == (200, "text/html")
    return Page(response.text)


@pytest.fixture(scope="module", params=PATHS)
def page(client: FlaskClient, request: pytest.FixtureRequest) -> Page:
    return page_at(client, request.param)


def test_a_strict_content_security_policy_holds(page: Page) -> None:
    names = Counter(tag for tag, _ in page.tags)
    assert not names.keys() & {"style", "img", "iframe", "b", "i"}
    attributes = {name for _, found in page.tags for name in found}
    assert not {name for name in attributes if name == "style" or name.startswith("on")}
    for reference in [*page.values("href"), *page.values("src")]:
        assert reference.startswith(("/", "#"))


def test_it_is_sound(page: Page) -> None:
    assert_sound(page)


def test_landmarks_and_language(page: Page) -> None:
    names = Counter(tag for tag, _ in page.tags)
    assert (names["header"], names["main"], names["footer"]) == (1, 1, 1)
    assert next(tag for tag in page.tags if tag[0] == "a")[1]["href"] == "#main"


def test_tables_say_what_they_are(page: Page) -> None:
    names = Counter(tag for tag, _ in page.tags)
    assert names["caption"] == names["table"]
    assert all("scope" in cell for cell in page.all("th"))
    assert all(table["role"] == "table" for table in page.all("table"))


def test_code_that_scrolls_can_be_reached_with_the_keyboard(page: Page) -> None:
    blocks = page.all("pre")
    assert all((each["tabindex"], each["role"]) == ("0", "region") for each in blocks)
    labels = [each["aria-label"] for each in blocks]
    assert len(set(labels)) == len(labels)


def test_hostile_text_is_text(client: FlaskClient) -> None:
    for path in (ANALYZE, HOSTILE_ONE):
        text = page_at(client, path).text
        assert "<script>alert(1)</script> & <b>{{ 7 * 7 }}</b>" in text.replace("`", "")
        assert "49" not in text


def test_the_overview_has_the_anchors_of_the_former_page(client: FlaskClient) -> None:
    ids = set(page_at(client, "/docs").values("id"))
    assert {f"error-{code}" for code in ErrorCode} <= ids
    assert {f"operation-view{number}" for number in range(3)} <= ids
    assert {"credentials", "errors", "limits", "headers", "objects", "events"} <= ids
    assert {"event-run-completed", "object-Range", "tag-analysis", "tag-health"} <= ids


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("/docs", "6,000 requests a minute"),
        ("/docs", "X-RateLimit-Remaining"),
        ("/docs", "http://localhost"),
        ("/docs/events", "Always the first event"),
        (ANALYZE, "Second paragraph."),
        (ANALYZE, "An API key needs the scope analysis:write."),
        (ANALYZE, "part.range.startLine"),
        (ANALYZE, "1 to 100,000 characters"),
        (ANALYZE, 'curl --no-buffer "http://localhost/api/v1/analyze/stream"'),
        (ANALYZE, '"code": "it\'"\'"\'s <script>"'),
        (ANALYZE, "event: run.created"),
        (HEALTH, "data.status"),
        (HOSTILE_ONE, 'curl -X DELETE "http://localhost/api/keys/$KEY_ID"'),
        (HOSTILE_ONE, "os.environ['KEY_ID']"),
        (HOSTILE_ONE, "${process.env.KEY_ID}"),
    ],
)
def test_it_says(client: FlaskClient, path: str, text: str) -> None:
    assert text in page_at(client, path).text


def test_the_commands_name_the_public_url(client: FlaskClient) -> None:
    elsewhere = client.get(HEALTH, base_url="http://192.0.2.9").text
    assert "curl &#34;http://192.0.2.9/api/v1/health&#34;" in elsewhere
    services = client.application.extensions["codeintel"]
    services.settings = Settings(public_url="https://code.example")
    try:
        page = client.get(HEALTH, base_url="http://192.0.2.9").text
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
        for path in ("/docs", "/docs/api/health"):
            assert f"http://{host}" in client.get(path, headers={"Host": host}).text
    for path in ("/docs", "/docs/api/analyze"):
        assert "address-of-this-service" not in client.get(path).text
