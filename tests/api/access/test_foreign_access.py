"""Things of another account are answered like missing ones."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest
from flask import Flask
from flask.testing import FlaskClient
from route_table import OWN_ORIGIN, RUN, SESSION, SIGNED_IN, WORKSPACE, Things, code_of, of_kind
from sqlalchemy import update
from support import User, make_user

from codeintel.app import Services
from codeintel.platform.db import db
from codeintel.platform.db.models import ApiKey


@pytest.mark.parametrize(
    ("method", "path"), [route for route in of_kind(SIGNED_IN, SESSION) if "_id>" in route[1]]
)
def test_what_another_account_has_is_not_there(
    browser: FlaskClient,
    services: Services,
    user: User,
    things: Things,
    method: str,
    path: str,
) -> None:
    csrf = re.search(r'name="csrf" value="(\w+)"', browser.get("/account/keys").text)
    assert csrf is not None
    sent = {"data": {"csrf": csrf[1]}} if not path.startswith("/api/") else {}
    nobodys = Things("key_nobodys", "run_nobodys", "ses_nobodys", "wsp_nobodys")
    answers = [
        browser.open(each.address(path), method=method, headers=OWN_ORIGIN, **sent)
        for each in (things, nobodys)
    ]
    assert [each.status_code for each in answers] == [404, 404]
    assert [key.status for key in services.keys.list(user.account.id)] == ["active"]
    assert services.sessions.is_active(things.session_id)


def test_nothing_has_a_name_with_nul(database_app: Flask) -> None:
    """Check a text with U+0000, which PostgreSQL rejects."""
    services = database_app.extensions["codeintel"]
    user = make_user(services)
    client = database_app.test_client()
    client.set_cookie("codeintel_session", services.sessions.open(user.account.id, "link"))
    for path in ("/api/account/api-keys/a%00/rotate", "/account/keys/%00/revoke", "/signin/a%00b"):
        assert client.post(path, headers=OWN_ORIGIN).status_code == 404
    answer = client.get("/api/v1/runs/run_%00", headers=user.headers)
    assert code_of(answer) == (404, "not_found")


@pytest.mark.parametrize(("method", "path"), of_kind(RUN))
def test_the_run_of_another_account_is_not_there(
    client: FlaskClient, services: Services, things: Things, method: str, path: str
) -> None:
    other = make_user(services, "other@example.org")
    answer = client.open(things.address(path), method=method, headers=other.headers)
    assert code_of(answer) == (404, "not_found")


# Good for every route of workspaces: each reads its own part of it.
WORKSPACE_BODY = {
    "json": {
        "files": {"/main.py": "y = 2\n"},
        "changes": {"/main.py": "y = 2\n"},
        "baseRevision": 1,
        "revision": 1,
    },
    "query_string": {"since": "1"},
}


@pytest.mark.parametrize(("method", "path"), of_kind(WORKSPACE))
def test_workspaces_are_their_accounts_alone(
    app: Flask,
    client: FlaskClient,
    services: Services,
    user: User,
    things: Things,
    method: str,
    path: str,
) -> None:
    """Check that another account, another scope, an expired key and anonymous callers change
    nothing.
    """
    other = make_user(services, "other@example.org", scopes=("workspace:write",))
    everything = make_user(services, "v1@example.org", scopes=("api:v1", "search:read"))
    expired = make_user(services, "expired@example.org", scopes=("workspace:write",))
    with app.app_context(), db.engine.begin() as connection:
        is_expired = ApiKey.account_id == expired.account.id
        connection.execute(update(ApiKey).where(is_expired).values(expires_ms=1))

    def ask(headers: dict[str, str], workspace_id: str = things.workspace_id) -> tuple[int, str]:
        address = replace(things, workspace_id=workspace_id).address(path)
        return code_of(client.open(address, method=method, headers=headers, **WORKSPACE_BODY))

    assert ask(everything.headers) == (403, "insufficient_scope")
    assert ask(expired.headers) == ask({}) == (401, "unauthorized")
    if "<workspace_id>" in path:
        foreign, unknown = (
            client.open(
                replace(things, workspace_id=each).address(path),
                method=method,
                headers=other.headers,
                **WORKSPACE_BODY,
            )
            for each in (things.workspace_id, "wsp_nobodys")
        )
        assert code_of(foreign) == (404, "not_found")
        assert foreign.json["error"] == unknown.json["error"]
        assert ask(other.headers, "\0") == (404, "not_found")
    [session] = services.workspaces.sessions(user.account.id).sessions
    assert (session.id, session.revision) == (things.workspace_id, 1)
