"""Headers, envelope and errors: the same on every response."""

from __future__ import annotations

import re
import time
from datetime import datetime
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient
from sqlalchemy.exc import OperationalError
from support import MakeApp, User

from codeintel import API_VERSION
from codeintel.base.errors import ErrorCode, ServiceError
from codeintel.platform.config import SETTINGS

# (method, path, headers): status
RESPONSES: list[tuple[str, str, dict[str, str], int]] = [
    ("GET", "/api/v1/health", {}, 200),
    ("HEAD", "/api/v1/health", {}, 200),
    ("OPTIONS", "/api/v1/analyze/stream", {}, 200),
    ("GET", "/api/v1/openapi.json", {}, 200),
    ("GET", "/docs", {}, 200),
    ("GET", "/static/web/site.css", {}, 200),
    ("GET", "/", {}, 200),
    ("GET", "/api/v1/account", {}, 401),
    ("GET", "/api/v1/account", {"x-api-key": "a", "Authorization": "Bearer b"}, 400),
    ("GET", "/api/v1/nothing", {}, 404),
    ("GET", "/nothing", {}, 404),
    ("GET", "/api/v1/health/", {}, 404),
    ("GET", "/static/web/../../app.py", {}, 404),
    ("GET", "/static/web/", {}, 404),
    ("GET", "/static/", {}, 404),
    ("GET", "/.git/config", {}, 404),
    ("GET", "/static/web/.git/config", {}, 404),
    ("DELETE", "/api/v1/health", {}, 405),
    ("GET", "/api/v1/analyze/stream", {}, 405),
    ("GET", "/boom", {}, 500),
    ("GET", "/boom-http", {}, 500),
    ("GET", "/database", {}, 503),
    ("GET", "/refused", {}, 413),
]


@pytest.fixture
def app(make_app: MakeApp) -> Flask:
    app = make_app()

    @app.get("/boom")
    def boom() -> None:
        raise RuntimeError("a secret detail: " + "2retnuh"[::-1])  # the traceback shows this line

    @app.get("/boom-http")
    def boom_http() -> None:
        from werkzeug.exceptions import BadGateway

        raise BadGateway("upstream said hunter2")

    @app.get("/database")
    def database() -> None:
        raise OperationalError("SELECT hunter2", {}, Exception("hunter2"))

    @app.get("/refused")
    def refused() -> None:
        raise ServiceError(ErrorCode.PAYLOAD_TOO_LARGE, "Too large.", details={"limit": 1})

    return app


@pytest.mark.parametrize(("method", "path", "headers", "status"), RESPONSES)
def test_headers_of_every_response(
    client: FlaskClient, method: str, path: str, headers: dict[str, str], status: int
) -> None:
    answer = client.open(path, method=method, headers=headers)
    assert answer.status_code == status
    assert answer.headers["X-API-Version"] == API_VERSION
    assert re.fullmatch(r"[0-9a-f]{16}", answer.headers["X-Request-Id"])
    assert answer.headers["X-Content-Type-Options"] == "nosniff"
    assert "frame-ancestors 'none'" in answer.headers["Content-Security-Policy"]
    limit, left, reset = (
        int(answer.headers[f"X-RateLimit-{name}"]) for name in ("Limit", "Remaining", "Reset")
    )
    assert 0 <= left <= limit
    assert 0 <= reset - time.time() <= 3601
    assert ("RateLimit" in answer.headers) == path.startswith("/api/")
    assert ("RateLimit-Policy" in answer.headers) == path.startswith("/api/")
    assert all(len(answer.headers.getlist(name)) == 1 for name, _ in answer.headers)
    assert "hunter2" not in answer.text
    if status >= 400:
        assert_error(answer.json, answer.headers["X-Request-Id"])
    answer.close()


def assert_error(body: Any, request_id: str) -> None:
    assert set(body) == {"error", "meta"}
    assert set(body["error"]) == {"code", "message", "details"}
    assert body["error"]["code"] in list(ErrorCode)
    assert body["meta"]["version"] == API_VERSION
    assert body["meta"]["requestId"] == request_id
    assert datetime.fromisoformat(body["meta"]["timestamp"]).utcoffset() is not None


def test_debugging_cannot_be_turned_on(make_app: MakeApp, monkeypatch: pytest.MonkeyPatch) -> None:
    """Check that neither Flask's variables nor a setting can do it."""
    assert [each.name for each in SETTINGS if "DEBUG" in each.name] == []
    monkeypatch.setenv("FLASK_DEBUG", "1")
    monkeypatch.setenv("DEBUG", "1")
    app = make_app()
    assert not app.debug
    assert not app.testing
    assert not app.config["PROPAGATE_EXCEPTIONS"]


def test_what_fails_is_logged_without_what_was_sent(
    client: FlaskClient, caplog: pytest.LogCaptureFixture
) -> None:
    answer = client.get("/boom?q=private")
    assert answer.json["error"]["code"] == "internal_error"
    assert answer.json["meta"]["requestId"] in caplog.text
    assert "RuntimeError" in caplog.text
    assert "hunter2" not in caplog.text
    assert "private" not in caplog.text


def test_405_names_the_methods(client: FlaskClient) -> None:
    answer = client.get("/api/v1/analyze/stream")
    assert set(answer.headers["Allow"].split(", ")) == {"OPTIONS", "POST"}
    assert answer.json["error"]["details"] == {"allowed": ["OPTIONS", "POST"]}


def test_503_says_when_to_come_back(client: FlaskClient) -> None:
    answer = client.get("/database")
    assert answer.json["error"]["code"] == "database_unavailable"
    assert int(answer.headers["Retry-After"]) > 0


def test_authenticated_answers_are_private(client: FlaskClient, user: User) -> None:
    answer = client.get("/api/v1/account", headers=user.headers)
    assert answer.headers["Cache-Control"] == "private, no-store"
    assert answer.json["data"] == {
        "email": "user@example.org",
        "tier": "FREE",
        "unlimited": False,
        "credits": {"balance": 100, "held": 0, "available": 100},
        "limits": answer.json["data"]["limits"],
        "prices": {
            "analysis": {"flash": 1, "pro": 2, "longCode": 1, "longCodeCharacters": 20_000},
            "transformation": {
                "flash": 2,
                "pro": 3,
                "surcharges": {
                    "convert": 1,
                    "document": 0,
                    "modernize": 0,
                    "optimize": 1,
                    "refactor": 0,
                },
                "longCode": 1,
                "longCodeCharacters": 20_000,
                "most": 5,
                "least": 2,
            },
            "repository": {
                "upTo": [
                    {"files": 50, "credits": 2},
                    {"files": 200, "credits": 3},
                    {"files": 1_000, "credits": 4},
                ],
                "most": 5,
            },
        },
    }
    limits = answer.json["data"]["limits"]
    assert (limits["analysis"]["limit"], limits["transform"]["limit"]) == (30, 20)


def test_a_request_id_is_ours_not_the_caller_s(client: FlaskClient) -> None:
    answer = client.get("/api/v1/health", headers={"X-Request-Id": "forged\tone"})
    assert "forged" not in answer.headers["X-Request-Id"]


def test_health_is_not_counted(client: FlaskClient) -> None:
    left = [client.get("/api/v1/health").headers["X-RateLimit-Remaining"] for _ in range(3)]
    assert len(set(left)) == 1


class TestCors:
    origin = "https://app.example.org"

    def test_off_by_default(self, client: FlaskClient) -> None:
        answer = client.get("/api/v1/health", headers={"Origin": self.origin})
        assert "Access-Control-Allow-Origin" not in answer.headers

    @pytest.mark.parametrize(
        ("origin", "allowed"),
        [(origin, True), ("https://evil.example.org", False), ("null", False)],
    )
    def test_configured_origins_only(self, make_app: MakeApp, origin: str, allowed: bool) -> None:
        client = make_app({"CODEINTEL_CORS_ORIGINS": self.origin}).test_client()
        answer = client.get("/api/v1/health", headers={"Origin": origin})
        assert answer.headers.get("Access-Control-Allow-Origin") == (origin if allowed else None)
        assert "Access-Control-Allow-Credentials" not in answer.headers
        assert "Origin" in answer.headers["Vary"]
        exposed = answer.headers.get("Access-Control-Expose-Headers", "")
        assert ("X-RateLimit-Remaining" in exposed) is allowed

    def test_preflight(self, make_app: MakeApp) -> None:
        client = make_app({"CODEINTEL_CORS_ORIGINS": self.origin}).test_client()
        answer = client.options(
            "/api/v1/analyze/stream",
            headers={"Origin": self.origin, "Access-Control-Request-Method": "POST"},
        )
        assert answer.status_code == 200
        assert "POST" in answer.headers["Access-Control-Allow-Methods"]
        assert "Authorization" in answer.headers["Access-Control-Allow-Headers"]


@pytest.mark.parametrize(
    ("host", "status"),
    [
        ("code.example.org", 200),
        ("api.code.example.net", 200),
        ("localhost:8000", 200),
        ("127.0.0.1:8000", 200),
        ("evil.example.org", 400),
    ],
)
def test_hosts(make_app: MakeApp, host: str, status: int) -> None:
    app = make_app(
        {
            "CODEINTEL_PUBLIC_URL": "https://code.example.org",
            "CODEINTEL_ALLOWED_HOSTS": ".code.example.net",
        }
    )
    answer = app.test_client().get("/api/v1/health", headers={"Host": host})
    assert answer.status_code == status
