"""PostgreSQL hangs or dies: requests are refused as they should be, streams get their end."""

from __future__ import annotations

import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
import requests
from fake_models import FakeApi
from server_books import Books
from server_helpers import ask, crowd, eventually, has, live, new_key, settings, start
from servers import PostgresServer

from codeintel.testing.server import LiveServer

pytestmark = pytest.mark.alone

STREAMS = 10
SECONDS = 3.0
"""The longest that anybody waits: for an answer or for a turn, not for both."""


def answers(server: LiveServer, key: str, run_id: str, seconds: float) -> Counter[tuple[int, str]]:
    """Return status and code of each kind of request that needs the database, all sent in
    parallel."""

    def one(number: int) -> tuple[int, str]:
        begin = time.monotonic()
        if number % 4 == 0:
            answer = start(server, key).response
        else:
            path = ("account", f"runs/{run_id}", f"runs/{run_id}/events")[number % 4 - 1]
            answer = ask(server, key, path)
        assert time.monotonic() - begin < seconds, (number, answer.status_code)
        assert answer.status_code != 503 or int(answer.headers["Retry-After"]) > 0
        return answer.status_code, answer.json().get("error", {}).get("code", "")

    return Counter(crowd(12, one))


def searched(server: LiveServer) -> dict[str, Any]:
    """Return the results of a search without a credential, which needs no database."""
    begin = time.monotonic()
    answer = requests.get(f"{server.url}/api/v1/search", params={"q": "kit"}, timeout=20)
    assert answer.status_code == 200, answer.text
    assert time.monotonic() - begin < 4 + SECONDS, "its own upstreams may take 4 s"
    found: dict[str, Any] = answer.json()["data"]
    return found


def test_one_that_hangs(tmp_path: Path, fake_api: FakeApi, own_postgres: PostgresServer) -> None:
    """Check that the runs in progress complete when the database continues."""
    shared = settings(fake_api, tmp_path, DATABASE_URL=own_postgres.url, CODEINTEL_HOLD_TTL="30")
    with (
        live(shared) as server,
        ThreadPoolExecutor(STREAMS * 2) as threads,
    ):
        key = new_key(shared)
        ended = start(server, key).read()
        streams = crowd(STREAMS, lambda _: start(server, key).read(has(3)))
        readers = [threads.submit(stream.read) for stream in streams]
        own_postgres.hang()
        for _ in range(2):
            refused = answers(server, key, ended.run_id, SECONDS)
            assert refused == {(503, "database_unavailable"): 12}, refused
            assert not ask(server, key, "health").ok
            found = searched(server)
            assert found["results"].keys() >= {"github", "npm", "docker"}
        own_postgres.resume()
        eventually(lambda: server.account(key)["credits"]["balance"] <= 999, 10)
        assert start(server, key).read().last["type"] == "run.completed"
        for reader in readers:
            reader.result()
        assert Counter(stream.last["type"] for stream in streams) == {"run.completed": STREAMS}
        eventually(lambda: not Books(own_postgres.url).running, 5)
        books = Books(own_postgres.url)
        books.check()
        for stream in streams:
            books.agree(stream)


def test_one_that_is_away_for_long(
    tmp_path: Path, fake_api: FakeApi, own_postgres: PostgresServer
) -> None:
    """Check that the runs in progress fail and cost nothing, because their leases expire."""
    shared = settings(fake_api, tmp_path, DATABASE_URL=own_postgres.url, CODEINTEL_HOLD_TTL="3")
    with live(shared) as server:
        key = new_key(shared)
        streams = crowd(STREAMS, lambda _: start(server, key).read(has(10)))
        own_postgres.kill()
        refused = answers(server, key, streams[0].run_id, SECONDS)
        assert refused == {(503, "database_unavailable"): 12}, refused
        assert not ask(server, key, "health").ok
        crowd(STREAMS, lambda at: streams[at].read())
        for stream in streams:
            assert (stream.last["type"], stream.last["reason"]) == (
                "run.failed",
                "database_unavailable",
            )
            assert (stream.last["creditsCharged"], stream.last["creditsRefunded"]) == (0, 1)
        own_postgres.start()
        eventually(lambda: not Books(own_postgres.url).running, 10)
        books = Books(own_postgres.url)
        books.check()
        for stream in streams:
            books.agree(stream)
        assert server.account(key)["credits"] == {"balance": 1000, "held": 0, "available": 1000}
