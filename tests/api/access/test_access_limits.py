"""Limits of requests: by key, by address, and of failed authentication."""

from __future__ import annotations

from route_table import code_of
from support import MakeApp, make_user

from codeintel.base.key_format import make_token


def test_failed_authentication_is_limited_by_address_and_valid_keys_still_pass(
    make_app: MakeApp,
) -> None:
    app = make_app({"CODEINTEL_LIMIT_FAILED_AUTH": "3/minute"})
    user = make_user(app.extensions["codeintel"])
    client = app.test_client()
    bad = {"x-api-key": make_token()}
    codes = [code_of(client.get("/api/v1/account", headers=bad)) for _ in range(5)]
    assert codes == [(401, "unauthorized")] * 3 + [(429, "rate_limit_exceeded")] * 2
    assert client.get("/api/v1/account", headers=user.headers).status_code == 200


def test_the_default_limit(make_app: MakeApp) -> None:
    app = make_app({"CODEINTEL_LIMIT_DEFAULT": "3/minute"})
    user = make_user(app.extensions["codeintel"])
    client = app.test_client()
    codes = [code_of(client.get("/api/v1/account", headers=user.headers)) for _ in range(4)]
    assert codes == [(200, "")] * 3 + [(429, "rate_limit_exceeded")]
    assert client.get("/api/v1/health").status_code == 200


def test_pages_and_what_does_not_exist_are_limited_by_address(make_app: MakeApp) -> None:
    client = make_app({"CODEINTEL_LIMIT_DEFAULT": "3/minute"}).test_client()
    statuses = [client.get(path).status_code for path in ("/docs", "/", "/nothing", "/docs", "/")]
    assert statuses == [200, 200, 404, 429, 429]
    assert client.get("/api/v1/health").status_code == 200
