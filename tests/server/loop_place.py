"""A server whose loop is watched while hostile texts go to its routes."""

from __future__ import annotations

import json
import os
import signal
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

import requests
from server_helpers import PEPPER, live
from signed_browser import COOKIE
from support import User, make_user

from codeintel import create_app
from codeintel.app import Services
from codeintel.base.entitlements import Tier
from codeintel.contracts.states import OPEN
from codeintel.identity.sessions import LINK
from codeintel.platform.db import db
from codeintel.testing.server import LiveServer

MOST_SECONDS = 0.1
"""Between two turns of the loop."""
PATIENCE = 90
"""For an answer."""
SETTLED_SECONDS = 300
"""For the jobs that follow a push: they read megabytes of hostile texts in worker processes, and
the machine may be busy with other tests."""
KIB, MIB = 1024, 1024 * 1024
PROBE = Path(__file__).with_name("loop_probe_plugin.py")


Route = Callable[["Place"], None]


class Gap(NamedTuple):
    """A period in which no other greenlet ran. `cpu` is the CPU time of the loop's thread. On a
    busy machine, or during a disk write, it is less than the wall time."""

    at: float
    clock: float
    cpu: float
    where: str


class Place:
    """A server with a workspace, an account, and the gaps of its loop."""

    def __init__(self, server: LiveServer, services: Services, user: User, cookie: str) -> None:
        self.server = server
        self.services = services
        self.user = user
        self._cookie = cookie
        self._tries = 0
        self._path = Path(server.instance) / f"gaps-{server.worker_pids()[0]}.jsonl"
        os.kill(server.worker_pids()[0], signal.SIGRTMIN)
        until = time.monotonic() + PATIENCE
        while not self._path.exists():
            assert time.monotonic() < until
            time.sleep(0.01)

    def api(self, method: str, path: str, **more: Any) -> requests.Response:
        headers = {**self.user.headers, **more.pop("headers", {})}
        url = f"{self.server.url}{path}"
        return requests.request(method, url, headers=headers, timeout=PATIENCE, **more)

    def page(self, path: str) -> requests.Response:
        url = f"{self.server.url}{path}"
        return requests.get(url, cookies={COOKIE: self._cookie}, timeout=PATIENCE)

    def push(self, name: str, files: dict[str, str], **more: Any) -> requests.Response:
        named = {"name": f"{name} {self._tries}", "files": files}
        return self.api("POST", "/api/workspace/sync", json={**named, **more})

    def workspace(self, name: str, *pushes: dict[str, str]) -> str:
        """Return the id of a workspace with these revisions."""
        for files in pushes:
            answer = self.push(name, files)
            assert answer.status_code in {200, 201}, answer.text[:500]
        found: str = answer.json()["sessionId"]
        return found

    def settle(self) -> None:
        """Wait until no job is in progress."""
        until = time.monotonic() + SETTLED_SECONDS
        while any(self.services.jobs.list(state=each) for each in OPEN):
            assert time.monotonic() < until
            time.sleep(0.05)

    def late(self, route: Route) -> list[Gap]:
        """Return gaps that are too long while hostile texts go to a route. It counts what the
        loop's own thread computed: what other processes take away from it is not the texts'
        fault."""
        self._tries += 1
        self.settle()
        began = time.time()
        route(self)
        self.settle()
        return [gap for gap in self.gaps(began) if gap.cpu > MOST_SECONDS]

    def gaps(self, since: float) -> list[Gap]:
        time.sleep(0.1)  # the last one is noted when the loop comes back
        lines = [json.loads(line) for line in self._path.read_text().splitlines()]
        return [Gap(**line) for line in lines if line and line["at"] >= since]


@contextmanager
def watching(instance: Path) -> Iterator[Place]:
    """Run a server within the block."""
    (instance / "plugins").mkdir()
    (instance / "plugins" / "loop_probe.py").symlink_to(PROBE)
    config = {
        "CODEINTEL_INSTANCE": str(instance),
        "CODEINTEL_KEY_PEPPER": PEPPER,
        "CODEINTEL_PROOF_INTERVAL": "0",
        "CODEINTEL_TIER_LIMITS_TEAM": "100000,100000",
    }
    app = create_app(config)
    services = app.extensions["codeintel"]
    with live(config) as server:
        user = make_user(
            services, tier=Tier.TEAM, credits_=100_000, scopes=("api:v1", "workspace:write")
        )
        cookie = services.sessions.open(user.account.id, LINK, agent="tests", address="192.0.2.7")
        yield Place(server, services, user, cookie)
    with app.app_context():
        db.engine.dispose()


def filled(head: str, piece: str, size: int) -> str:
    return head + piece * (size // len(piece.encode()))


def assert_no_gap(place: Place, route: Route) -> None:
    """Check that hostile texts to a route do not block the loop."""
    late = place.late(route) and place.late(route)  # a second try: the machine may have been busy
    told = "\n".join(f"{gap.cpu:.3f} of {gap.clock:.3f} s\n{gap.where}" for gap in late)
    assert not late, told
