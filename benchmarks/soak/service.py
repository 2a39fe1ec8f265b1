"""Run the service for a soak test: with generous limits, a probe plugin and separate folders."""

from __future__ import annotations

import json
import os
import re
import secrets
import shutil
import signal
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import requests
from gateway_parts.cost import children
from server_books import Books, database_url
from servers import PostgresServer, RedisServer, running
from support import make_user

from codeintel import create_app
from codeintel.base.entitlements import Scope, Tier
from codeintel.platform.db import db
from codeintel.testing.server import LiveServer

PLENTY = "100000000"
CREDITS = 100_000_000
PROBE = Path(__file__).with_name("probe_plugin.py")
PROBE_SECONDS = 20.0
SETTINGS = {
    "CODEINTEL_TIER_LIMITS_TEAM": f"{PLENTY},{PLENTY}",
    "CODEINTEL_LIMIT_DEFAULT": f"{PLENTY}/minute",
    "CODEINTEL_LIMIT_FAILED_AUTH": f"{PLENTY}/minute",
    "CODEINTEL_TRUST_LOOKUPS": f"{PLENTY}/hour",
    "CODEINTEL_TRUST_REQUESTS_PER_HOUR": PLENTY,
    "CODEINTEL_TRUST_LOOKUPS_ANONYMOUS": f"{PLENTY}/hour",
    "CODEINTEL_SEARCH_CALLS": f"{PLENTY}/minute",
    "CODEINTEL_SEARCH_CALLS_ANONYMOUS": f"{PLENTY}/minute",
    "CODEINTEL_MAX_STREAMS_PER_ACCOUNT": "0",
    "CODEINTEL_MAX_STREAMS_PER_ADDRESS": "0",
    "CODEINTEL_PROOF_INTERVAL": "0",
}


@dataclass(frozen=True)
class Account:
    """An account with a key for everything; a browser of it is signed in."""

    email: str
    id: str
    key: str
    browser: requests.Session


class Service:
    """A running server, with the state that is visible to other processes."""

    def __init__(self, server: LiveServer, config: dict[str, str], temporary: Path) -> None:
        self.server, self.temporary = server, temporary
        self._config = config

    @property
    def url(self) -> str:
        return self.server.url

    @property
    def root(self) -> int:
        """The master's process id."""
        return self.server.process.pid

    @property
    def workers(self) -> list[int]:
        """Process ids of the workers."""
        return self.server.worker_pids()

    @property
    def zygotes(self) -> list[int]:
        """Process ids of the workers' zygotes."""
        return [
            pid
            for worker in self.workers
            for pid in children(worker)
            if b"codeintel.platform.workers.zygote" in Path(f"/proc/{pid}/cmdline").read_bytes()
        ]

    def complaints(self, *levels: str) -> list[str]:
        """Return the lines in the server's log at the given levels, without repetition but with
        counts."""
        lines = [
            line.split(maxsplit=2)[2]
            for line in self.server.output.splitlines()
            if re.match(rf"\S+ \S+ ({'|'.join(levels)}) ", line)
        ]
        kinds = Counter(re.sub(r"\b[0-9a-f]{8,}\b|\d+", "N", line) for line in lines)
        return [f"{line} ({count} times)" for line, count in kinds.most_common()]

    def database(self) -> str:
        """Return the URL of the database."""
        found = self._config.get("DATABASE_URL")
        return found or database_url(self.server.instance)

    def books(self) -> Books:
        """Return the ledger and the runs in the database."""
        return Books(self.database())

    def account(self, email: str) -> Account:
        """A new account, made past the server: the commands take seconds."""
        app = create_app({**self._config, "CODEINTEL_INSTANCE": str(self.server.instance)})
        services = app.extensions["codeintel"]
        scopes = tuple(scope.value for scope in Scope)
        user = make_user(services, email, tier=Tier.TEAM, credits_=CREDITS, scopes=scopes)
        link = services.links.make(user.account.id)
        with app.app_context():
            db.engine.dispose()
        browser = requests.Session()
        # Use a new connection each time. After the server's idle timeout, it could close an open
        # connection while a form is sent.
        browser.headers.update({"Origin": self.url, "Connection": "close"})
        browser.post(f"{self.url}/signin/{link}", timeout=30).raise_for_status()
        return Account(email, user.account.id, user.token, browser)

    def probe(self, worker: int) -> dict[str, Any]:
        """Return the report of the probe within a worker. See `probe_plugin.py`."""
        answer = self.server.instance / f"probe-{worker}.json"
        answer.unlink(missing_ok=True)
        os.kill(worker, signal.SIGRTMIN)
        deadline = time.monotonic() + PROBE_SECONDS
        while not answer.exists():
            if time.monotonic() > deadline:
                raise TimeoutError("the probe does not answer")
            time.sleep(0.05)
        found: dict[str, Any] = json.loads(answer.read_text())
        return found


@contextmanager
def running_service(
    folder: Path, *, shared: bool = False, workers: int = 1, **more: str
) -> Iterator[Service]:
    """Run the service within the block, in a new folder below the given one.

    :param shared: start PostgreSQL and Redis for it, instead of SQLite.
    """
    with ExitStack() as stack:
        config = {**SETTINGS, **more, "CODEINTEL_KEY_PEPPER": secrets.token_hex(32)}
        if shared:
            postgres, redis = PostgresServer(), RedisServer()
            stack.enter_context(running(postgres))
            stack.enter_context(running(redis))
            config |= {"DATABASE_URL": postgres.url, "REDIS_URL": redis.url}
        instance, temporary = folder / "instance", folder / "temporary"
        (instance / "plugins").mkdir(parents=True)
        temporary.mkdir()
        shutil.copy(PROBE, instance / "plugins")
        server = LiveServer(instance, workers=workers, TMPDIR=str(temporary), **config)
        stack.enter_context(server)
        yield Service(server, config, temporary)
