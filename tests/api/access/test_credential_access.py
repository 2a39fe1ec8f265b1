"""Keys and tokens: the right scope and no other, and what is no credential."""

from __future__ import annotations

import pytest
from flask.testing import FlaskClient
from route_table import BODY, SCOPED, code_of
from support import User, make_user

from codeintel.app import Services
from codeintel.base.key_format import make_token

EMAIL = "user@example.org"
"""Of the fixture `user`."""


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


@pytest.mark.parametrize(("method", "path", "scope"), SCOPED)
def test_a_token_has_all_rights_of_its_account(
    client: FlaskClient, services: Services, user: User, method: str, path: str, scope: str
) -> None:
    jwt, _ = services.issuer.sign(user.account.id, 60)
    headers = {"Authorization": f"Bearer {jwt}"}
    answer = client.open(path, method=method, headers=headers, **BODY)
    assert answer.status_code == 200, scope
    assert (EMAIL if method == "GET" else '"type":"run.completed"') in answer.text


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


def test_both_headers_may_agree_but_not_differ(client: FlaskClient, user: User) -> None:
    same = {**user.headers, "x-api-key": user.token}
    answer = client.get("/api/v1/account", headers=same)
    assert answer.status_code == 200
    assert answer.json["data"]["email"] == EMAIL
    differing = {**user.headers, "x-api-key": make_token()}
    answer = client.get("/api/v1/account", headers=differing)
    assert code_of(answer) == (400, "conflicting_credentials")


def test_a_revoked_key_is_refused_at_once(
    client: FlaskClient, user: User, services: Services
) -> None:
    (record,) = services.keys.list(user.account.id)
    assert client.get("/api/v1/account", headers=user.headers).status_code == 200
    services.keys.revoke(user.account.id, record.id)
    answer = client.get("/api/v1/account", headers=user.headers)
    assert code_of(answer) == (401, "unauthorized")
