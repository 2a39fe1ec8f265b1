"""Bodies that set what callers must not set, and bodies that mean to break who reads them."""

from __future__ import annotations

import pytest
from flask import Flask
from flask.testing import FlaskClient
from owned_addresses import OWNED, address
from signed_browser import OWN, SignedBrowser
from support import MakeApp, User, make_user

from codeintel.app import Services
from codeintel.base.entitlements import Tier
from codeintel.workspaces.requests import SyncBody

# Fields of things that callers must not set, in the spelling of JSON and of forms.
RICH = {
    **dict.fromkeys(("tier", "accountTier", "account_tier"), "TEAM"),
    **dict.fromkeys(("unlimited", "isAdmin", "admin", "is_unlimited"), True),
    **dict.fromkeys(("credits", "balance", "posted", "granted"), 10**6),
    **dict.fromkeys(("accountId", "account_id", "owner", "email"), "acc_evil"),
    **dict.fromkeys(("id", "sessionId", "keyId", "runId", "digest"), "chosen"),
    **dict.fromkeys(("status", "createdAt", "lastUsedAt", "expiresMs", "state"), "active"),
    "__proto__": {"tier": "TEAM"},
    "constructor": {"prototype": {"tier": "TEAM"}},
}


def test_no_more_is_taken_than_is_asked_for(app: Flask, services: Services, user: User) -> None:
    """Check for mass assignment: a body must not set other fields of the created object."""
    browser = SignedBrowser(app, services, user.account.id)
    made = browser.client.post(
        "/api/account/api-keys", json={**RICH, "name": "k", "scopes": ["search:read"]}, headers=OWN
    )
    assert made.status_code == 201
    assert "chosen" not in made.text
    browser.send("/account/keys", name="k2", scopes="search:read", **_texts())
    client = app.test_client()
    run = client.post("/api/v1/analyze/stream", headers=user.headers, json={**RICH, "code": "x"})
    assert "chosen" not in run.text
    pusher = make_user(services, "p@example.org", scopes=("workspace:write",))
    pushed = client.post(
        "/api/workspace/sync", headers=pusher.headers, json={**RICH, "files": {"/a.py": "x\n"}}
    )
    assert pushed.status_code == 201
    assert "chosen" not in str(pushed.json.get("sessionId"))
    account = services.accounts.get(user.account.id)
    assert (account.tier, account.unlimited, account.email) == (
        Tier.FREE,
        False,
        "user@example.org",
    )
    assert services.ledger.balance(user.account.id).posted <= 100
    keys = services.keys.list(user.account.id)
    assert {"chosen"}.isdisjoint(key.id for key in keys)
    assert all(set(key.scopes) <= {"api:v1", "search:read"} for key in keys)


def _texts() -> dict[str, str]:
    return {name: str(value) for name, value in RICH.items() if name != "scopes"}


HOSTILE_BODIES = [
    b"[" * 100_000,
    b'{"a":' * 50_000,
    b'{"code": ' + b"9" * 50_000 + b"}",
    b'{"code": "x", "maxFindings": 1e999, "baseRevision": 1e999, "revision": 99999999999999999999}',
    b'{"code": "x", "revision": -1, "baseRevision": 0.5, "files": {}, "changes": {}}',
    b'{"code": "\\ud800", "name": "\\ud800", "files": {"/\\ud800": "x"}}',
    b'{"code": "\\u0000", "name": "\\u0000", "scopes": ["\\u0000"], "files": {"/a": "\\u0000"}}',
    b'{"files": {"/\\u0000": "x"}, "changes": {"/\\u0000": null}, "baseRevision": 1}',
    b'{"code": "x", "code": "y", "files": {"/a": "1", "/a": "2"}}',
    b'{"code": "x", "language": "\xc4\xb0", "name": "\xef\xbf\xbe\xe2\x80\xae"}',
    '{"code": "x"}'.encode("utf-16"),
    b"\xff\xfe\x00",
    b"\x1f\x8b\x08\x00",
    b"NaN",
    b'{"code": NaN}',
    b"null",
    b"",
]


@pytest.mark.parametrize("number", range(len(HOSTILE_BODIES)))
def test_no_body_breaks_an_endpoint(make_app: MakeApp, number: int) -> None:
    app = make_app({"CODEINTEL_LIMIT_DEFAULT": "10000/minute"})
    services: Services = app.extensions["codeintel"]
    user = make_user(services, scopes=("api:v1", "workspace:write"))
    session = services.workspaces.sync(user.account.id, Tier.FREE, SyncBody(files={"/a": "x\n"}))
    browser = SignedBrowser(app, services, user.account.id)
    ids = dict.fromkeys(OWNED, "x") | {"workspace_id": session.session.id}
    for rule in app.url_map.iter_rules():
        if "POST" not in (rule.methods or ()) or not rule.rule.startswith("/api/"):
            continue
        is_session = rule.rule.startswith("/api/account/")
        client = browser.client if is_session else app.test_client()
        answer = client.post(
            address(rule.rule, ids),
            data=HOSTILE_BODIES[number],
            headers=OWN if is_session else user.headers,
            content_type="application/json",
        )
        assert answer.status_code < 500, rule.rule
        if answer.is_json and answer.status_code >= 400:
            assert len(answer.data) < 20_000, "a refusal repeats nothing"
        answer.get_data()
        answer.close()


def test_a_refusal_repeats_nothing_of_a_value(client: FlaskClient, user: User) -> None:
    """Check values that look like the text of a refusal."""
    for value in (" - at `$.secret", "x` - at `$.code`" * 1_000, "' - at `$"):
        answer = client.post(
            "/api/v1/analyze/stream", headers=user.headers, json={"code": "x", "model": value}
        )
        assert answer.status_code == 400
        assert answer.json["error"]["details"] == {"path": "model"}
        assert "secret" not in answer.text
        assert len(answer.data) < 1_000
