"""User input never becomes a label: hostile requests to the whole application."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from flask import Flask
from hypothesis import given, settings, strategies as st
from metric_reading import figure, strays, told

from codeintel import create_app
from codeintel.platform.db import db
from codeintel.platform.db.migrate import ensure_schema
from codeintel.platform.metrics import table

PATHS = (
    *(
        "/",
        "/nothing",
        "/api/v1/health",
        "/api/v1/runs/run_x",
        "/api/v1/runs/<run_id>",
        "/signin/t",
    ),
    *("//", "/..", "/%0a", "/\u202e", "/api/v1/health/", "/docs/rules/no-such", "/a" * 2_000),
    *("/api/trust/network?target=npm:evil\n", "/api/v1/search?q=x&sources=evil", "/static/../x"),
)
METHODS = ("GET", "POST", "BREW", "get", "G\u00c9T", "OPTIONS", "HEAD", "X" * 300, "PROPFIND")
HOSTS = ("evil.example", "localhost:9464", "[::1", "a" * 300, "")


@pytest.fixture(scope="module")
def hostile(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Flask]:
    folder = tmp_path_factory.mktemp("instance")
    app = create_app(
        {"CODEINTEL_INSTANCE": folder, "CODEINTEL_PUBLIC_URL": "https://code.example.org"}
    )
    ensure_schema(app)
    yield app
    with app.app_context():
        db.engine.dispose()


@settings(max_examples=40, deadline=None)
@given(
    st.sampled_from(PATHS) | st.text(max_size=30).map(lambda text: f"/{text}"),
    st.sampled_from(METHODS) | st.from_regex(r"[!#$%&'*+.^_`|~0-9A-Za-z-]{1,12}", fullmatch=True),
    st.sampled_from(HOSTS),
    st.binary(max_size=50),
)
def test_hostile_requests_make_no_labels(
    hostile: Flask, path: str, method: str, host: str, body: bytes
) -> None:
    earlier = told()
    before = figure(earlier, "codeintel_http_requests_total")
    try:
        hostile.test_client().open(
            path,
            method=method,
            data=body,
            headers={"Authorization": "Bearer nobody", "Content-Type": "application/json"},
            environ_base={"HTTP_HOST": host},
        )
    except (UnicodeError, ValueError):  # the test's client cannot send that
        return
    text = told()
    assert figure(text, "codeintel_http_requests_total") == before + 1
    routes = {rule.rule for rule in hostile.url_map.iter_rules()} | {table.UNMATCHED}
    # Other tests of this process have applications with other routes.
    fresh = strays(text, {"route": routes}) - strays(earlier, {"route": routes})
    assert {each for each in fresh if "_http_" in each[0]} == set()
