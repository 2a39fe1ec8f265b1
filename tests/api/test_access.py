"""Who may call what: 401 and 403 alike in shape, on every route."""

from __future__ import annotations

import pytest
from flask import Flask
from flask.testing import FlaskClient
from support import MakeApp, User, make_user

from codeintel.keys.tokens import make_token
from codeintel.services import Services

BODY = {"json": {"code": "x = 1", "transformation": "refactor", "language": "python"}}

# (method, path): what it takes; a new route without a row fails the test below.
ROUTES: dict[tuple[str, str], str] = {
    ("GET", "/"): "page",
    ("GET", "/docs"): "page",
    ("GET", "/docs/rules"): "page",
    ("GET", "/docs/rules/<analyzer>/<path:rule_id>"): "page",
    ("GET", "/search"): "page",
    ("GET", "/trust"): "page",
    ("GET", "/static/web/<path:filename>"): "page",
    ("GET", "/api/v1/health"): "exempt",
    ("GET", "/api/v1/openapi.json"): "public",
    ("GET", "/api/v1/capabilities"): "public",
    ("GET", "/api/v1/search"): "public",
    ("GET", "/api/trust/network"): "public",
    ("GET", "/api/v1/account"): "account:read",
    ("POST", "/api/v1/analyze/stream"): "analysis:write",
    ("POST", "/api/v1/transform/stream"): "transform:write",
    ("GET", "/api/v1/runs/<run_id>"): "that of the run's kind",
    ("GET", "/api/v1/runs/<run_id>/events"): "that of the run's kind",
    ("POST", "/api/v1/runs/<run_id>/cancel"): "that of the run's kind",
}
SCOPED = [(*route, scope) for route, scope in ROUTES.items() if ":" in scope]


def test_every_route_has_a_row(app: Flask) -> None:
    found = {
        (method, rule.rule)
        for rule in app.url_map.iter_rules()
        for method in (rule.methods or set()) - {"HEAD", "OPTIONS"}
    }
    assert found == set(ROUTES)


@pytest.mark.parametrize(("method", "path", "scope"), SCOPED)
def test_the_right_scope_and_no_other(
    client: FlaskClient, services: Services, method: str, path: str, scope: str
) -> None:
    for number, granted in enumerate((scope, "api:v1", "workspace:write", "search:read")):
        user = make_user(services, f"{number}@example.org", scopes=(granted,))
        answer = client.open(path, method=method, headers=user.headers, **BODY)
        if granted in {scope, "api:v1"}:
            assert answer.status_code == 200
        else:
            assert (answer.status_code, answer.json["error"]["code"]) == (403, "insufficient_scope")
            assert answer.json["error"]["details"] == {"required": scope, "granted": [granted]}


@pytest.mark.parametrize(
    "headers",
    [
        {},
        {"Authorization": "Bearer "},
        {"Authorization": "Bearer nonsense"},
        {"Authorization": "Basic dXNlcjpwYXNz"},
        {"Authorization": f"Bearer {make_token()}"},
        {"Authorization": f"Bearer {make_token()[:-1]}~"},
        {"x-api-key": ""},
        {"x-api-key": make_token()},
        {"Authorization": "Bearer " + "x" * 8_000},
        {"Authorization": "Bearer eyJhbGciOiJub25lIn0.eyJzdWIiOiIxIn0."},
    ],
)
@pytest.mark.parametrize(("method", "path", "scope"), SCOPED)
def test_missing_and_bad_credentials(
    client: FlaskClient, headers: dict[str, str], method: str, path: str, scope: str
) -> None:
    answer = client.open(path, method=method, headers=headers, **BODY)
    assert answer.status_code == 401, scope
    assert set(answer.json) == {"error", "meta"}
    assert set(answer.json["error"]) == {"code", "message", "details"}
    assert answer.json["error"]["code"] == "unauthorized"
    assert answer.headers["WWW-Authenticate"].startswith("Bearer")
    assert "x" * 100 not in answer.text


def test_a_bad_credential_is_refused_where_none_is_needed(client: FlaskClient) -> None:
    path = "/api/v1/openapi.json"
    assert client.get(path).status_code == 200
    assert client.get(path, headers={"x-api-key": make_token()}).status_code == 401


def test_both_headers_may_agree_but_not_differ(client: FlaskClient, user: User) -> None:
    same = {**user.headers, "x-api-key": user.token}
    assert client.get("/api/v1/account", headers=same).status_code == 200
    differing = {**user.headers, "x-api-key": make_token()}
    answer = client.get("/api/v1/account", headers=differing)
    assert (answer.status_code, answer.json["error"]["code"]) == (400, "conflicting_credentials")


def test_a_revoked_key_is_refused_at_once(
    client: FlaskClient, user: User, services: Services
) -> None:
    (record,) = services.keys.list(user.account.id)
    services.keys.revoke(user.account.id, record.id)
    assert client.get("/api/v1/account", headers=user.headers).status_code == 401


def test_failed_authentication_is_limited_by_address_and_valid_keys_still_pass(
    make_app: MakeApp,
) -> None:
    app = make_app({"CODEINTEL_LIMIT_FAILED_AUTH": "3/minute"})
    user = make_user(app.extensions["codeintel"])
    client = app.test_client()
    bad = {"x-api-key": make_token()}
    statuses = [client.get("/api/v1/account", headers=bad).status_code for _ in range(5)]
    assert statuses == [401, 401, 401, 429, 429]
    assert client.get("/api/v1/account", headers=user.headers).status_code == 200


def test_the_default_limit(make_app: MakeApp) -> None:
    app = make_app({"CODEINTEL_LIMIT_DEFAULT": "3/minute"})
    user = make_user(app.extensions["codeintel"])
    client = app.test_client()
    statuses = [client.get("/api/v1/account", headers=user.headers).status_code for _ in range(4)]
    assert statuses == [200, 200, 200, 429]
    assert client.get("/api/v1/health").status_code == 200


def test_pages_and_what_does_not_exist_are_limited_by_address(make_app: MakeApp) -> None:
    client = make_app({"CODEINTEL_LIMIT_DEFAULT": "3/minute"}).test_client()
    statuses = [client.get(path).status_code for path in ("/docs", "/", "/nothing", "/docs", "/")]
    assert statuses == [200, 302, 404, 429, 429]
    assert client.get("/api/v1/health").status_code == 200
