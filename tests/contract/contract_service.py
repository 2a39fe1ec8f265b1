"""The service as other people's tools meet it: a real server, with an account that nothing stops
and with no upstream within reach."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

import requests

from codeintel.base.entitlements import Scope
from codeintel.identity.auth.browsers import PLAIN
from codeintel.testing.server import LiveServer

SECONDS = 120
OWNER = "owner@example.org"
NOBODY_LISTENS = "http://127.0.0.1:9"
SETTINGS = {
    "CODEINTEL_TIER_LIMITS_TEAM": "1000000,1000000",
    "CODEINTEL_LIMIT_DEFAULT": "1000000/minute",
    "CODEINTEL_LIMIT_FAILED_AUTH": "1000000/minute",
    "CODEINTEL_TRUST_LOOKUPS": "1000000/hour",
    # The last run may be late in a chain of calls, and must not continue for long without readers.
    "CODEINTEL_RUN_RESUME_GRACE": "1",
}


class Service(NamedTuple):
    """A server, and how its owner proves who they are."""

    server: LiveServer
    key: str
    session: str

    @property
    def url(self) -> str:
        return self.server.url

    @property
    def environment(self) -> dict[str, str]:
        """For programs that ask it."""
        return {
            "CONTRACT_URL": self.url,
            "CONTRACT_KEY": self.key,
            "CONTRACT_SESSION": self.session,
        }


@contextmanager
def contract_service(instance: Path) -> Iterator[Service]:
    """Run the service within the block."""
    with LiveServer(instance, **SETTINGS, **_unreachable(instance)) as server:
        server.run("accounts", "create", OWNER, "--tier", "team", "--unlimited")
        scopes = [word for scope in Scope for word in ("--scope", scope)]
        key = server.run("keys", "create", OWNER, "--name", "contract", *scopes).stdout.strip()
        yield Service(server, key, _signed_in(server))


def _unreachable(instance: Path) -> dict[str, str]:
    """Return settings that move all upstreams to an address without a server."""
    told = json.loads(LiveServer(instance).run("config", "--json").stdout)["settings"]
    upstreams = (each["name"] for each in told if str(each["value"]).startswith("https://"))
    return dict.fromkeys(upstreams, NOBODY_LISTENS)


def _signed_in(server: LiveServer) -> str:
    """Return the token of a session, as a browser gets it by a link."""
    link = server.run("accounts", "invite", OWNER, "--url", server.url).stdout.strip()
    browser = requests.Session()
    browser.post(link, headers={"Origin": server.url}, timeout=SECONDS).raise_for_status()
    return browser.cookies[PLAIN]
