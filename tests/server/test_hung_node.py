"""A process that hangs within a transaction does not block others for long."""

from __future__ import annotations

import os
import signal
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path

import psycopg
import pytest
import requests
from fake_models import FakeApi
from server_helpers import ask, has, live, new_key, settings, start
from servers import PostgresServer

from codeintel.platform.db import APPLICATION_NAME, IDLE_SECONDS, session_options
from codeintel.testing.server import LiveServer

pytestmark = pytest.mark.alone

ONCE_SECONDS = 10.0
NORMAL_SECONDS = 1.0
STOPPED_SECONDS = 30.0
LOAD = 6
TRIES = 400
IN_TRANSACTION = (
    "SELECT count(*) FROM pg_locks JOIN pg_stat_activity USING (pid) "
    f"WHERE application_name = '{APPLICATION_NAME}' AND state LIKE 'idle in transaction%' "
    "AND locktype = 'relation' AND mode = 'RowExclusiveLock' "
    "AND relation = 'balances'::regclass"
)
"""Sessions that have changed a balance, and whose process says nothing more."""


def test_who_waits_for_its_locks_waits_once(
    tmp_path: Path, fake_api: FakeApi, postgres_server: PostgresServer
) -> None:
    """Check that a request waits only once for the locks of a hung process.

    The hung transaction has locked the row that each run of the account changes.
    """
    url = postgres_server.empty()
    shared = settings(fake_api, tmp_path, DATABASE_URL=url)
    with live(shared) as server:
        key = new_key(shared)

        def run() -> float:
            """Return seconds until a run has begun, which is when its credits are reserved."""
            began = time.monotonic()
            stream = start(server, key).read(has(1))
            took = time.monotonic() - began
            assert stream.read().last["type"] == "run.completed"
            return took

        usual = run()
        with closing(psycopg.connect(url, options=session_options())) as hung:
            hung.execute("UPDATE balances SET posted = posted")
            assert run() < ONCE_SECONDS
            assert run() < usual + NORMAL_SECONDS
            with pytest.raises(psycopg.Error):
                hung.execute("SELECT 1")  # what it had changed is rolled back
        assert ask(server, key, "account").status_code == 200
    assert IDLE_SECONDS < ONCE_SECONDS


@contextmanager
def busy(work: Callable[[], object]) -> Iterator[None]:
    """Repeat the work in some threads within the block."""
    over = threading.Event()

    def go_on() -> None:
        while not over.is_set():
            with suppress(requests.RequestException, AssertionError, KeyError):
                work()

    threads = [threading.Thread(target=go_on, daemon=True) for _ in range(LOAD)]
    for each in threads:
        each.start()
    try:
        yield
    finally:
        over.set()
        for each in threads:
            each.join(20)


def send(node: LiveServer, number: int) -> None:
    """Send a signal to all processes of a node."""
    for pid in (node.process.pid, *node.worker_pids()):
        os.kill(pid, number)


def stop_within_a_transaction(node: LiveServer, url: str) -> None:
    """Stop a busy node while it has changed a balance and not committed yet."""
    with closing(psycopg.connect(url, autocommit=True)) as watching:
        for _ in range(TRIES):
            send(node, signal.SIGSTOP)
            time.sleep(0.03)  # what it had sent before is answered
            found = watching.execute(IN_TRANSACTION).fetchone()
            if found is not None and found[0]:
                return
            send(node, signal.SIGCONT)
            time.sleep(0.017)
    raise AssertionError("the node was never stopped within a transaction")


def test_a_stopped_node_costs_the_others_one_wait(
    tmp_path: Path, fake_api: FakeApi, postgres_server: PostgresServer, redis_url: str
) -> None:
    url = postgres_server.empty()
    configs = [
        settings(fake_api, tmp_path / name, DATABASE_URL=url, REDIS_URL=redis_url)
        for name in ("stopped", "other")
    ]
    with live(configs[0]) as stopped, live(configs[1]) as other:
        key = new_key(configs[0], credits_=1_000_000)

        def begin(node: LiveServer) -> float:
            """Return seconds until a run has begun."""
            began = time.monotonic()
            stream = start(node, key).read(has(1))
            took = time.monotonic() - began
            assert stream.last["type"] == "run.created"
            stream.close()
            return took

        usual = max(begin(other) for _ in range(5))
        with busy(lambda: begin(stopped)):
            stop_within_a_transaction(stopped, url)
            until = time.monotonic() + STOPPED_SECONDS
            try:
                waits = [begin(other)]
                while time.monotonic() < until:
                    waits.append(begin(other))
                    assert ask(other, key, "account").status_code == 200
                    time.sleep(0.2)
            finally:
                send(stopped, signal.SIGCONT)
            assert waits[0] < ONCE_SECONDS
            assert max(waits[1:]) < usual + NORMAL_SECONDS
        assert begin(stopped) < usual + NORMAL_SECONDS + ONCE_SECONDS
        assert begin(stopped) < usual + NORMAL_SECONDS
