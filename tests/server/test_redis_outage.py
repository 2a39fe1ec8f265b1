"""Redis hangs or dies under load: no request waits for it, limits hold, streams continue."""

from __future__ import annotations

import threading
import time
from collections import Counter
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
import requests
from fake_models import FakeApi
from server_books import Books
from server_helpers import Stream, ask, crowd, eventually, has, live, new_key, settings, start
from servers import RedisServer

from codeintel.base.entitlements import Tier
from codeintel.testing.server import LiveServer

pytestmark = pytest.mark.alone

STREAMS = 10
LIMIT = 30
SECONDS = 1.0


How = tuple[Callable[[RedisServer], None], Callable[[RedisServer], None]]
HANGS: How = (RedisServer.hang, RedisServer.resume)
DIES: How = (RedisServer.kill, RedisServer.start)


class Load:
    """Continuous requests, and their results."""

    def __init__(self, server: LiveServer, key: str, limited: str, how: How) -> None:
        self.how = how
        self._server, self._key, self._limited = server, key, limited
        self._over = threading.Event()
        self.slowest = 0.0
        self.begun: Counter[int] = Counter()
        """Answers to analyses of the key that has a limit."""
        self.others: Counter[int] = Counter()

    def run(self, number: int) -> None:
        while not self._over.is_set():
            begin = time.monotonic()
            if number % 2:
                stream = start(self._server, self._limited)
                self.begun[stream.response.status_code] += 1
                took = time.monotonic() - begin
                stream.close()
            else:
                self.others[ask(self._server, self._key, "account").status_code] += 1
                took = time.monotonic() - begin
            self.slowest = max(self.slowest, took)
            time.sleep(0.1)

    def stop(self) -> None:
        self._over.set()


def status(server: LiveServer) -> tuple[int, str, str]:
    answer = requests.get(f"{server.url}/api/v1/health", timeout=5)
    data = answer.json()["data"]
    return answer.status_code, data["status"], data["checks"]["redis"]


def out(server: LiveServer, own_redis: RedisServer, load: Load, streams: list[Stream]) -> None:
    """Stop, remove and restart Redis under load."""
    time.sleep(0.5)
    assert status(server) == (200, "healthy", "ok")
    stop, go_on = load.how
    stop(own_redis)
    lengths = [len(stream.frames) for stream in streams]
    for _ in range(10):
        begin = time.monotonic()
        assert status(server) == (200, "degraded", "error")
        load.slowest = max(load.slowest, time.monotonic() - begin)
        time.sleep(0.25)
    for stream, length in zip(streams, lengths, strict=True):
        assert len(stream.frames) > length + 20  # of some fifty
    go_on(own_redis)
    eventually(lambda: status(server) == (200, "healthy", "ok"), 3)
    time.sleep(1.5)


def test_outages_under_load(
    tmp_path: Path, fake_api: FakeApi, postgres_url: str, own_redis: RedisServer
) -> None:
    shared = settings(
        fake_api,
        tmp_path,
        DATABASE_URL=postgres_url,
        REDIS_URL=own_redis.url,
        CODEINTEL_RUN_RESUME_GRACE="1",
    )
    with live(shared) as server, ThreadPoolExecutor(STREAMS + 4) as threads:
        key = new_key(shared)
        streams = crowd(STREAMS, lambda _: start(server, key, model="pro").read(has(2)))
        readers = [threads.submit(stream.read) for stream in streams]
        for how in (HANGS, DIES):
            limited = new_key(shared, f"{id(how)}@example.org", tier=Tier.FREE, unlimited=True)
            load = Load(server, key, limited, how)
            jobs = [threads.submit(load.run, number) for number in range(4)]
            try:
                out(server, own_redis, load, streams)
            finally:
                load.stop()
            for job in jobs:
                job.result()
            assert load.slowest < SECONDS
            assert load.others.keys() == {200}
            assert load.begun.keys() == {200, 429}
            assert load.begun[200] == LIMIT
        for stream in streams:
            assert ask(server, key, f"runs/{stream.run_id}/cancel", "POST").ok
        for reader in readers:
            reader.result()
        for stream in streams:
            numbers = [event["sequence"] for event in stream.events]
            assert numbers == list(range(1, len(numbers) + 1))
            assert stream.last["type"] == "run.cancelled"
        eventually(lambda: not Books(postgres_url).running, 6)
        Books(postgres_url).check()
