"""A real server over SQLite for browsers, and the people who use it."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import count
from pathlib import Path
from typing import NamedTuple

import requests
from flask import Flask
from made_up_registry import running_registry
from playwright.sync_api import BrowserContext, Page
from trust_upstreams import fake_upstreams

from codeintel import create_app
from codeintel.app import Services
from codeintel.base.entitlements import Tier
from codeintel.client.sse import SseParser
from codeintel.identity.auth.browsers import PLAIN
from codeintel.identity.sessions import LINK
from codeintel.platform.db import db
from codeintel.testing.server import LiveServer

SECONDS = 60
CREDITS = 500
FLAW = "CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H"
ANALYZE, TRANSFORM = "/api/v1/analyze/stream", "/api/v1/transform/stream"
PLUGINS = Path(__file__).with_name("plugins")
SETTINGS = {
    "CODEINTEL_SOURCES": "-docker",
    "CODEINTEL_GITHUB_URL": "http://127.0.0.1:9",  # the port is closed, to show an outage
    "CODEINTEL_RESULT_CACHE": "0",
    "CODEINTEL_TIER_LIMITS_PRO": "10000,10000",
}

Browse = Callable[..., Page]
"""Of the fixture `browse`."""


class Person(NamedTuple):
    """A user with an account."""

    email: str
    account_id: str


class Site:
    """The server. What its commands would do is done within this process, in milliseconds where a
    command takes seconds."""

    def __init__(self, server: LiveServer, app: Flask) -> None:
        self.server = server
        self.url = server.url
        self._services: Services = app.extensions["codeintel"]
        self._numbers = count(1)
        with app.app_context():
            self.engine = db.engine

    @property
    def services(self) -> Services:
        """Those of an application over the server's database, for what has no command."""
        return self._services

    def person(self, name: str = "ada") -> Person:
        """Return a new account, with credits."""
        email = f"{name}.{next(self._numbers)}@example.org"
        made = self._services.accounts.create(email, Tier.PRO, CREDITS, False)
        return Person(email, made.id)

    def link(self, person: Person) -> str:
        """Return a sign-in link, as `codeintel accounts invite` makes them."""
        return f"{self.url}/signin/{self._services.links.make(person.account_id)}"

    def sign_in(self, context: BrowserContext, person: Person) -> None:
        """Give a browser a separate session."""
        token = self._services.sessions.open(person.account_id, LINK, agent="Chromium, of a test")
        context.add_cookies([{"name": PLAIN, "value": token, "url": self.url}])

    def key(self, person: Person, name: str = "test", *scopes: str) -> str:
        """Return the token of a new key."""
        made = self._services.keys.create(person.account_id, name, list(scopes or ("api:v1",)))
        return made[1]

    def keys_of_all_kinds(self, person: Person) -> None:
        """Create keys that are new, used, about to expire, rotated and revoked."""
        keys, account = self._services.keys, person.account_id
        keys.create(account, "laptop", ["account:read", "search:read"], 365)
        keys.create(account, "release check", ["analysis:write"], 3)
        rotated, _ = keys.create(account, "CI of the shop", ["api:v1"])
        keys.rotate(account, rotated.id)
        revoked, _ = keys.create(account, "lost on a train", ["api:v1", "workspace:write"])
        keys.revoke(account, revoked.id)
        self.stream(self.key(person, "editor"), ANALYZE, code="x = 1\n").raise_for_status()

    def run(self, person: Person, path: str, **body: str) -> str:
        """Return the id of a completed run."""
        answer = self.stream(self.key(person, "runs"), path, **body)
        answer.raise_for_status()
        (first, *_) = SseParser().feed(answer.content)
        found: str = json.loads(first.data)["runId"]
        return found

    def stream(self, key: str, path: str, **body: str) -> requests.Response:
        """Return the whole stream of a run over Python code."""
        return requests.post(
            f"{self.url}{path}",
            headers={"Authorization": f"Bearer {key}"},
            json={"language": "python", **body},
            timeout=SECONDS,
        )


@contextmanager
def running_site(instance: Path) -> Iterator[Site]:
    """Run a site within the block."""
    folder = instance / "plugins"
    folder.mkdir()
    for plugin in PLUGINS.glob("*.py"):
        (folder / plugin.name).write_text(plugin.read_text())
    with running_registry() as registry, fake_upstreams() as upstreams:
        upstreams.add("kit", advisories=(("GHSA-1", FLAW),))
        upstreams.add("left", days_since=900, maintainers=("ada",))
        settings = upstreams.settings() | {"CODEINTEL_NPM_REGISTRY": registry} | SETTINGS
        with LiveServer(instance, **settings) as server, made_app(instance, settings) as app:
            yield Site(server, app)


@contextmanager
def made_app(instance: Path, settings: dict[str, str]) -> Iterator[Flask]:
    """Run an application over a server's database within the block."""
    app = create_app({"CODEINTEL_INSTANCE": instance, **settings})
    services: Services = app.extensions["codeintel"]
    try:
        yield app
    finally:
        services.pool.stop()
        services.runs.stop()
        services.jobs.stop(0)
        with app.app_context():
            db.engine.dispose()
