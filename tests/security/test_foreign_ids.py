"""Objects of another account are answered as missing: with the same status and the same text, by
key, token and session, on every route with an id in the application's URL map.

`tests/api/access` tests permissions, and that nothing is changed.
"""

from __future__ import annotations

import re
from itertools import product
from typing import Any

from flask import Flask
from flask.testing import FlaskClient
from owned_addresses import OWNED, address
from signed_browser import OWN, SignedBrowser
from support import make_user

from codeintel.app import Services
from codeintel.base.entitlements import Tier
from codeintel.workspaces.requests import SyncBody

PUBLIC = {"analyzer", "rule_id", "filename", "name", "provider", "slug", "token"}
"""Public parameters, and parameters that are themselves the credential."""
WITHIN = {"revision", "form", "path"}
"""Parameters that follow the id of an owned object in the path."""
METHODS = ("GET", "HEAD", "POST", "DELETE", "PUT", "PATCH", "OPTIONS")
BODY: dict[str, Any] = {
    "baseRevision": 1,
    "revision": 1,
    "changes": {"/main.py": "y = 2\n"},
    "contents": ["x = 1\n"],
}


class Owner:
    """A user who owns one object of each kind."""

    def __init__(self, app: Flask, services: Services) -> None:
        user = make_user(services, "owner@example.org", scopes=("api:v1", "workspace:write"))
        account = user.account.id
        found = services.sessions.find(services.sessions.open(account, "link"))
        assert found is not None
        body = SyncBody(files={"/main.py": "x = 1\n"})
        stream = app.test_client().post(
            "/api/v1/analyze/stream", headers=user.headers, json={"code": "x = 1"}
        )
        run = re.search(rb'"runId":"(\w+)"', stream.data)
        assert run is not None
        self.ids = {
            "key_id": services.keys.list(account)[0].id,
            "run_id": run[1].decode(),
            "session_id": found.session_id,
            "workspace_id": services.workspaces.sync(account, Tier.FREE, body).session.id,
        }
        assert self.ids.keys() == OWNED


def test_every_name_in_an_address_is_known(app: Flask) -> None:
    for rule in app.url_map.iter_rules():
        assert rule.arguments <= OWNED | PUBLIC | WITHIN, f"whose is what {rule.rule} names?"
        if rule.arguments & WITHIN:
            assert rule.arguments & OWNED, rule.rule


def told(client: FlaskClient, path: str, method: str, own: dict[str, str], **sent: Any) -> Any:
    """Return status and words, without the id that was sent and what differs between any two
    answers."""
    answer = client.open(path, method=method, headers=own, **sent)
    body = answer.text
    for each in [*own.values(), *path.partition("?")[0].split("/")[2:]]:
        body = body.replace(each, "…")
    body = re.sub(r'"(?:timestamp|requestId)":"[^"]*"|nonce="[^"]*"|value="\w{64}"', "", body)
    answer.close()
    return answer.status_code, body


def test_another_s_is_as_unknown_as_none(app: Flask, services: Services) -> None:
    owner = Owner(app, services)
    nobodys = {name: f"{value[:4]}{'x' * len(value[4:])}" for name, value in owner.ids.items()}
    other = make_user(services, "other@example.org", scopes=("api:v1", "workspace:write"))
    browser = SignedBrowser(app, services, other.account.id)
    csrf = browser.csrf()
    jwt, _ = services.issuer.sign(other.account.id, 600)
    token = {"Authorization": f"Bearer {jwt}"}
    count = 0
    owned = [rule for rule in app.url_map.iter_rules() if rule.arguments & OWNED]
    for rule, by_token in product(owned, (False, True)):
        is_api = rule.rule.startswith("/api/") and not rule.rule.startswith("/api/account/")
        if by_token and not is_api:
            continue
        own = (token if by_token else other.headers) if is_api else OWN
        client = app.test_client() if is_api else browser.client
        is_page = not rule.rule.startswith("/api/")
        sent: dict[str, Any] = {"data": {"csrf": csrf}} if is_page else {"json": BODY}
        for method in METHODS:
            query = "" if is_api else "?path=/main.py&revision=1"
            query = "?since=1" if rule.rule.endswith("/changes") else query
            foreign, unknown = (
                told(client, address(rule.rule, ids) + query, method, own, **sent)
                for ids in (owner.ids, nobodys)
            )
            assert foreign == unknown, (rule.rule, method, by_token)
            assert foreign[0] in {404, 405} or method == "OPTIONS", (rule.rule, method, foreign)
            count += foreign[0] == 404
    assert count > 60, "they were reached"
    assert services.workspaces.find(*_of(services, owner)).revision == 1
    assert services.sessions.is_active(owner.ids["session_id"])


def _of(services: Services, owner: Owner) -> tuple[str, str]:
    account = services.accounts.find("owner@example.org")
    return account.id, owner.ids["workspace_id"]
