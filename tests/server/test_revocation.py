"""Two servers over one PostgreSQL and one Redis: what is ended at one is soon over at the other."""

from __future__ import annotations

import time
from collections.abc import Iterator
from typing import NamedTuple

import pytest
import requests
from fake_models import FakeApi
from server_helpers import ask, crowd, eventually, has, live, settings, start
from servers import PostgresServer, RedisServer
from support import User, make_user

from codeintel import create_app
from codeintel.app import Services
from codeintel.base.entitlements import Tier
from codeintel.identity.audit import OPERATOR
from codeintel.identity.auth.browsers import PLAIN
from codeintel.identity.sessions import LINK
from codeintel.platform.db import db
from codeintel.testing.server import LiveServer

SOON = 5.0
KEYS = "/api/account/api-keys"


class Pair(NamedTuple):
    """Both servers, and what they share."""

    one: LiveServer
    two: LiveServer
    services: Services

    def user(self, email: str) -> User:
        """Return an account with a key."""
        return make_user(self.services, email, tier=Tier.TEAM, credits_=1000)

    def browser(self, user: User) -> requests.Session:
        """Return a session signed in to the account: a browser's cookie, and its headers about
        the origin."""
        session = requests.Session()
        token = self.services.sessions.open(user.account.id, LINK)
        session.headers["Cookie"] = f"{PLAIN}={token}"
        session.headers["Sec-Fetch-Site"] = "same-origin"
        return session


@pytest.fixture(scope="module")
def pair(
    tmp_path_factory: pytest.TempPathFactory,
    postgres_server: PostgresServer,
    redis_server: RedisServer,
    fake_api: FakeApi,
) -> Iterator[Pair]:
    redis_server.flush()
    shared = {"DATABASE_URL": postgres_server.empty(), "REDIS_URL": redis_server.url}
    here, there = (
        settings(fake_api, tmp_path_factory.mktemp(name), **shared) for name in ("one", "two")
    )
    with live(here) as one, live(there) as two:
        app = create_app(here)
        try:
            yield Pair(one, two, app.extensions["codeintel"])
        finally:
            with app.app_context():
                db.engine.dispose()


def listed(server: LiveServer, browser: requests.Session) -> requests.Response:
    return browser.get(f"{server.url}{KEYS}", timeout=SOON)


def test_a_key_revoked_at_one_is_refused_at_the_other_and_its_streams_end(pair: Pair) -> None:
    user = pair.user("revoker@example.org")
    other = pair.services.keys.create(user.account.id, "other", ["api:v1"])[1]
    with pair.browser(user) as browser:
        streams = [start(server, user.token, model="pro") for server in (pair.one, pair.two)]
        kept = start(pair.two, other, model="pro").read(has(3))
        for stream in streams:
            stream.read(has(3))
        assert ask(pair.two, user.token, "account").status_code == 200
        (key_id,) = [
            each["id"]
            for each in listed(pair.two, browser).json()["keys"]
            if each["name"] == "test"
        ]
        answer = browser.delete(f"{pair.one.url}{KEYS}/{key_id}", timeout=SOON)
        revoked = time.monotonic()
        assert (answer.status_code, answer.json()["key"]["status"]) == (200, "revoked")
        assert ask(pair.one, user.token, "account").status_code == 401, "at once where it was done"
    eventually(lambda: ask(pair.two, user.token, "account").status_code == 401, SOON)
    crowd(len(streams), lambda number: streams[number].read())
    assert time.monotonic() - revoked < SOON
    for stream in streams:
        refused = ask(pair.two, user.token, f"runs/{stream.run_id}")
        assert (refused.status_code, refused.json()["error"]["code"]) == (401, "unauthorized")
    assert ask(pair.two, other, "account").status_code == 200, "the other key is untouched"
    count = len(kept.frames)
    kept.read(has(count + 3)).close()
    assert len(kept.frames) >= count + 3, "and its stream goes on"


def test_a_deleted_account_is_refused_everywhere_within_seconds(pair: Pair) -> None:
    """Check its keys, tokens and other sessions, even if they were accepted just before."""
    user = pair.user("leaver@example.org")
    token, _ = pair.services.issuer.sign(user.account.id, 600)
    with pair.browser(user) as browser:
        for server in (pair.one, pair.two):
            assert ask(server, user.token, "account").status_code == 200
            assert ask(server, token, "account").status_code == 200
            assert listed(server, browser).status_code == 200
        stream = start(pair.two, user.token, model="pro")
        stream.read(has(3))
        pair.services.personal_data.delete(user.account.id, OPERATOR)
        deleted = time.monotonic()
        for server in (pair.one, pair.two):
            for credential in (user.token, token):
                eventually(
                    lambda server=server, credential=credential: (  # type: ignore[misc]
                        ask(server, credential, "account").status_code == 401
                    ),
                    SOON,
                )
            eventually(
                lambda server=server: listed(server, browser).status_code == 401,  # type: ignore[misc]
                SOON,
            )
        stream.read()
        assert time.monotonic() - deleted < SOON


def form_token(server: LiveServer, browser: requests.Session) -> str:
    """Return the token that forms of the browser's session must send."""
    page = browser.get(f"{server.url}/account/keys", timeout=SOON)
    assert page.status_code == 200, page.text
    found: str = page.text.partition('name="csrf" value="')[2].partition('"')[0]
    return found


def sign_out_everywhere(server: LiveServer, browser: requests.Session) -> None:
    answer = browser.post(
        f"{server.url}/signout/everywhere",
        data={"csrf": form_token(server, browser)},
        timeout=SOON,
        allow_redirects=False,
    )
    assert answer.status_code == 303, answer.text


def test_a_session_ended_at_one_is_over_at_the_other(pair: Pair) -> None:
    user = pair.user("leaver@example.org")
    with pair.browser(user) as leaving, pair.browser(user) as lost:
        for server in (pair.one, pair.two):
            assert listed(server, leaving).status_code == 200
            assert listed(server, lost).status_code == 200
        sign_out_everywhere(pair.one, leaving)
        for server in (pair.one, pair.two):
            eventually(lambda server=server: listed(server, lost).status_code == 401, SOON)


def test_what_a_session_opened_ends_with_it_at_the_other(pair: Pair) -> None:
    user = pair.user("player@example.org")
    with pair.browser(user) as browser:
        answer = browser.post(
            f"{pair.one.url}/playground/token",
            headers={"X-CSRF-Token": form_token(pair.one, browser)},
            timeout=SOON,
        )
        assert answer.status_code == 200, answer.text
        token = answer.json()["token"]
        stream = start(pair.two, token, model="pro").read(has(3))
        assert ask(pair.two, token, "account").status_code == 200
        sign_out_everywhere(pair.one, browser)
        ended = time.monotonic()
    eventually(lambda: ask(pair.two, token, "account").status_code == 401, SOON)
    stream.read()
    assert time.monotonic() - ended < SOON
    assert ask(pair.two, user.token, "account").status_code == 200, "keys go on"
