"""A name that a stranger has put into `Host` is on no page, in no link and in no redirect."""

from __future__ import annotations

import re

from flask import Flask
from owned_addresses import OWNED, VALUES, address
from signed_browser import COOKIE
from support import make_user

from codeintel.app import Services
from codeintel.base.entitlements import Tier
from codeintel.identity.sessions import LINK
from codeintel.workspaces.requests import SyncBody

EVIL = "evil.example.org"


def test_no_page_of_an_account_shows_a_foreign_host(app: Flask, services: Services) -> None:
    """Check all pages in the application's URL map, with data on each."""
    user = make_user(services, scopes=("api:v1", "workspace:write"))
    account = user.account.id
    body = SyncBody(files={"/main.py": "x = 1\n"}, remote_url="https://h.example/a/b.git")
    stream = app.test_client().post(
        "/api/v1/analyze/stream", headers=user.headers, json={"code": "eval(input())"}
    )
    run = re.search(r'"runId":"(\w+)"', stream.text)
    assert run is not None
    token = services.sessions.open(account, LINK)
    found = services.sessions.find(token)
    assert found is not None
    ids = {
        "key_id": services.keys.list(account)[0].id,
        "run_id": run[1],
        "session_id": found.session_id,
        "workspace_id": services.workspaces.sync(account, Tier.FREE, body).session.id,
    }
    client = app.test_client()
    client.set_cookie(COOKIE, token, domain=EVIL)
    seen = 0
    for rule in app.url_map.iter_rules():
        if "GET" not in (rule.methods or ()) or rule.rule.startswith(("/api/", "/auth/")):
            continue
        if not rule.arguments <= OWNED | VALUES.keys():
            continue
        for path in (address(rule.rule, ids), f"{address(rule.rule, ids)}/?a=b"):
            answer = client.get(path, base_url=f"http://{EVIL}:8000")
            assert EVIL.encode() not in answer.data, path
            assert EVIL not in str(answer.headers), path
            seen += answer.status_code == 200
            answer.close()
    assert seen > 20
