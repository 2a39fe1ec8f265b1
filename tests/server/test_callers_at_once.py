"""Limits on a caller at a real server leave room for others: forms, bodies, streams, pushes."""

from __future__ import annotations

import json
import socket
import statistics
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from threading import Event
from typing import Any

import pytest
import requests
from fake_models import FakeApi
from server_helpers import crowd, eventually, live, new_key, settings, start

from codeintel.testing.server import LiveServer

MIB = 1024 * 1024
SLOW, STREAMS, LARGE = 4, 3, 12
PUSHERS = 3
MEDIAN_SECONDS = 0.2
"""Of the health, on a machine whose processors these tests share. It was more than twice that."""


@pytest.fixture(scope="module")
def config(tmp_path_factory: pytest.TempPathFactory, fake_api: FakeApi) -> dict[str, str]:
    return settings(
        fake_api,
        tmp_path_factory.mktemp("callers"),
        CODEINTEL_MAX_SLOW_BODIES=str(SLOW),
        CODEINTEL_MAX_STREAMS_PER_ACCOUNT=str(STREAMS),
        CODEINTEL_LIMIT_DEFAULT="1200/minute",
    )


@pytest.fixture(scope="module")
def limited(config: dict[str, str]) -> Iterator[LiveServer]:
    with live(config) as running:
        yield running


def connect(server: LiveServer) -> socket.socket:
    host, _, port = server.url.removeprefix("http://").partition(":")
    return socket.create_connection((host, int(port)), timeout=20)


def head(path: str, length: int, **headers: str) -> bytes:
    told = {"Host": "x", "Content-Length": str(length), **headers}
    lines = "".join(f"{name}: {value}\r\n" for name, value in told.items())
    return f"POST {path} HTTP/1.1\r\n{lines}\r\n".encode()


def health(server: LiveServer) -> float:
    """Return seconds that it takes to answer."""
    began = time.monotonic()
    assert requests.get(f"{server.url}/api/v1/health", timeout=10).ok
    return time.monotonic() - began


def rss(server: LiveServer) -> int:
    """Return bytes that the worker has in memory."""
    (pid,) = server.worker_pids()
    return int(Path(f"/proc/{pid}/statm").read_text().split()[1]) * 4_096


def test_slow_forms_of_a_stranger(limited: LiveServer) -> None:
    """Check that connections over the limit end after a second, while others are served."""
    form = {"Content-Type": "application/x-www-form-urlencoded", "Sec-Fetch-Site": "same-origin"}
    with ExitStack() as stack:
        slow = [stack.enter_context(connect(limited)) for _ in range(3 * SLOW)]
        for each in slow:
            each.sendall(head("/theme", 1_000, **form) + b"theme=")
        assert (
            requests.post(
                f"{limited.url}/theme",
                data={"theme": "dark", "next": "/search"},
                headers=form,
                allow_redirects=False,
                timeout=10,
            ).status_code
            == 303
        )
        statuses: Counter[bytes] = Counter()
        deadline = time.monotonic() + 3
        for each in slow:
            each.settimeout(max(0.01, deadline - time.monotonic()))
            try:
                answer = each.recv(65_536)
            except TimeoutError:
                continue
            statuses[answer.split()[1]] += 1
            assert b"Retry-After: 5" in answer
        assert statuses == {b"429": 2 * SLOW}
        assert health(limited) < 5


def test_large_bodies_whose_last_byte_does_not_come(
    limited: LiveServer, config: dict[str, str]
) -> None:
    key = new_key(config, "large@example.org", scopes=("workspace:write",))
    health(limited)
    before = rss(limited)
    told = {"Content-Type": "application/json", "Authorization": f"Bearer {key}"}
    large = 20 * MIB
    with ExitStack() as stack:

        def send(_: int) -> None:
            connection = stack.enter_context(connect(limited))
            try:
                connection.sendall(head("/api/workspace/sync", large, **told))
                for _ in range(19):
                    connection.sendall(b" " * MIB)
            except OSError:
                return  # it has too many slow ones, so its body was read in vain

        crowd(LARGE, send)
        assert health(limited) < 5
        assert rss(limited) - before < 60 * MIB, "the bodies are in memory"


def test_streams_of_one_account(limited: LiveServer, config: dict[str, str]) -> None:
    """A stream too many starts no run; one that is closed makes room."""
    key = new_key(config, "streams@example.org")
    open_ = [start(limited, key, model="pro", code=f"x = {n}\n") for n in range(STREAMS)]
    assert [each.response.status_code for each in open_] == [200] * STREAMS
    held = limited.account(key)["credits"]["held"]
    refused = start(limited, key, model="pro", code="y = 1\n").response
    assert refused.status_code == 429 and refused.headers["Retry-After"] == "5"
    error = refused.json()["error"]
    assert error["code"] == "rate_limit_exceeded"
    assert error["details"] == {"policy": "streams", "limit": STREAMS}
    assert limited.account(key)["credits"]["held"] == held
    other = start(limited, new_key(config, "other@example.org"), code="z = 1\n")
    assert other.response.status_code == 200 and health(limited) < 5
    for each in (*open_, other):
        each.close()

    def is_free() -> bool:
        again = start(limited, key, model="pro", code="w = 1\n")
        again.close()
        return again.response.status_code == 200

    eventually(is_free, 15)


@pytest.mark.alone
def test_a_push_that_is_refused_again_and_again(
    limited: LiveServer, config: dict[str, str]
) -> None:
    """Each counts by its size, so there are a few in a minute; others are served meanwhile, and
    memory comes back."""
    key = new_key(config, "pushes@example.org", scopes=("workspace:write",))
    url, told = f"{limited.url}/api/workspace/sync", {"Authorization": f"Bearer {key}"}
    files = {"/a.py": "x = 1\n"}
    for number in range(2):
        pushed = requests.post(
            url, json={"files": {**files, "/n": f"{number}"}, "name": "w"}, headers=told, timeout=30
        )
        assert pushed.status_code == 201
    many = {f"/{n}.txt": "word " * 100_000 for n in range(16)}
    body = json.dumps({"files": many, "name": "w", "baseRevision": 1}).encode()
    told["Content-Type"] = "application/json"
    health(limited)
    before = rss(limited)
    times: list[float] = []
    is_over = Event()

    def push(at: int) -> list[Any]:
        if at == PUSHERS:  # another client repeats its requests meanwhile
            while not is_over.wait(0.01):
                times.append(health(limited))
            return []
        try:
            return [requests.post(url, data=body, headers=told, timeout=60) for _ in range(6)]
        finally:
            pushed.append(at)
            if len(pushed) == PUSHERS:
                is_over.set()

    pushed: list[int] = []
    answers = [each for several in crowd(PUSHERS + 1, push) for each in several]
    statuses = Counter(each.status_code for each in answers)
    assert set(statuses) == {409, 429}
    most = 1_200 // (len(body) // 65_536) + 3
    assert statuses[409] <= most, "refused pushes are counted by their size"
    assert statistics.median(times) < MEDIAN_SECONDS, times
    assert rss(limited) - before < 150 * MIB
