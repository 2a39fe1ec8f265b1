"""The things of one account, and a browser in which another account is signed in."""

from __future__ import annotations

import re

import pytest
from flask import Flask
from flask.testing import FlaskClient
from route_table import Things
from support import User

from codeintel.app import Services
from codeintel.base.entitlements import Tier
from codeintel.workspaces.requests import SyncBody


@pytest.fixture
def things(services: Services, client: FlaskClient, user: User) -> Things:
    """Return the things of `user`, who does not send the requests."""
    run = client.post("/api/v1/analyze/stream", headers=user.headers, json={"code": "x = 1"})
    run_id = re.search(rb'"runId":"(\w+)"', run.data)
    assert run_id is not None
    token = services.sessions.open(user.account.id, "link")
    session = services.sessions.find(token)
    assert session is not None
    pushed = services.workspaces.sync(
        user.account.id, Tier.FREE, SyncBody(files={"/main.py": "x = 1\n"})
    )
    return Things(
        key_id=services.keys.list(user.account.id)[0].id,
        run_id=run_id[1].decode(),
        session_id=session.session_id,
        workspace_id=pushed.session.id,
    )


@pytest.fixture
def browser(app: Flask, services: Services) -> FlaskClient:
    """Return a browser in which another account is signed in."""
    account = services.accounts.create("browser@example.org", Tier.FREE, 100, False)
    signed_in = app.test_client()
    signed_in.set_cookie("codeintel_session", services.sessions.open(account.id, "link"))
    return signed_in
