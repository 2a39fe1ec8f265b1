"""A process that hangs within a transaction locks nobody else out for long."""

from __future__ import annotations

import time
from contextlib import closing
from pathlib import Path

import psycopg
import pytest
from fake_models import FakeApi
from server_helpers import ask, has, live, new_key, settings, start
from servers import PostgresServer

from codeintel.db import IDLE_SECONDS, session_options

pytestmark = pytest.mark.alone

ONCE_SECONDS = 10.0
NORMAL_SECONDS = 1.0


def test_who_waits_for_its_locks_waits_once(
    tmp_path: Path, fake_api: FakeApi, postgres_server: PostgresServer
) -> None:
    """Its transaction has the row that each run of the account changes, and stands still."""
    url = postgres_server.empty()
    shared = settings(fake_api, tmp_path, DATABASE_URL=url)
    with live(shared) as server:
        key = new_key(shared)

        def run() -> float:
            """Seconds until a run has begun, which is when its credits are reserved."""
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
