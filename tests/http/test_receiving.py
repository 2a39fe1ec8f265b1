"""Bodies are received at a minimum rate, into a file if they are large, with a limit of slow
ones."""

from __future__ import annotations

import io
from typing import Any

import gevent
import gevent.event
import pytest
from flask import Flask, Request
from werkzeug.test import EnvironBuilder

from codeintel.base.errors import ErrorCode, ServiceError
from codeintel.contracts.workspaces.records import MAX_TOTAL_BYTES
from codeintel.http.requests import body
from codeintel.http.requests.body import SMALL_BYTES, Receiver
from codeintel.platform.config.settings import Settings
from codeintel.platform.limits.concurrency import Concurrency

LIMIT = 4 * SMALL_BYTES


class Dripping(io.RawIOBase):
    """A body whose bytes come one by one."""

    def read(self, size: int = -1) -> bytes:
        gevent.sleep(0.005 * size)
        return b" " * size


def request(stream: io.IOBase, length: int) -> Request:
    environ = EnvironBuilder(method="POST").get_environ()
    return Request({**environ, "wsgi.input": stream, "CONTENT_LENGTH": str(length)})


def receiver(
    gauges: Concurrency, seconds: float = 30, rate: int = 4_096, who: str = "who"
) -> Receiver:
    return Receiver(gauges, who, seconds, rate)


@pytest.fixture
def gauges() -> Concurrency:
    return Concurrency(Settings(max_slow_bodies=2))


def idle(gauges: Concurrency) -> bool:
    return not (gauges.slow_bodies.total or gauges.body_memory.total or gauges.body_files.total)


@pytest.mark.parametrize("size", [0, 100, SMALL_BYTES, SMALL_BYTES + 1, LIMIT])
def test_what_was_sent_is_received(gauges: Concurrency, size: int) -> None:
    sent = bytes(range(256)) * (size // 256) + b"x" * (size % 256)
    raw, hold = receiver(gauges).receive(request(io.BytesIO(sent), size), LIMIT)
    assert raw == sent and gauges.body_memory.total == size and not gauges.body_files.total
    if hold is not None:
        hold.release()
    assert idle(gauges)


def test_a_body_below_the_rate_is_ended(
    gauges: Concurrency, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(body, "GRACE_SECONDS", 0.02)
    with pytest.raises(ServiceError) as late:
        receiver(gauges, rate=100_000).receive(request(Dripping(), 10_000), LIMIT)
    assert late.value.code is ErrorCode.REQUEST_TIMEOUT
    assert idle(gauges)


def test_slow_bodies_are_few(gauges: Concurrency, monkeypatch: pytest.MonkeyPatch) -> None:
    """Check that a slow client gets an error, and that its connection is not held to the
    deadline."""
    monkeypatch.setattr(body, "SLOW_SECONDS", 0.01)

    def send() -> ErrorCode | None:
        try:
            receiver(gauges, 0.3).receive(request(Dripping(), 4_000), LIMIT)
        except ServiceError as error:
            return error.code
        return None

    jobs = [gevent.spawn(send) for _ in range(5)]
    gevent.sleep(0.1)
    assert gauges.slow_bodies.used("who") == 2
    gevent.joinall(jobs)
    codes = sorted(str(job.value) for job in jobs)
    assert codes == ["rate_limit_exceeded"] * 3 + ["request_timeout"] * 2
    assert idle(gauges)


def test_a_large_body_that_does_not_end_holds_no_memory(gauges: Concurrency) -> None:
    stalled = _Stalled(3 * SMALL_BYTES)
    job = gevent.spawn(receiver(gauges).receive, request(stalled, LIMIT), LIMIT)
    stalled.waits.wait(5)
    assert gauges.body_memory.total == 0
    assert 2 * SMALL_BYTES < gauges.body_files.total <= 3 * SMALL_BYTES
    job.kill()
    assert idle(gauges)


def test_memory_that_is_used_up_is_waited_for(
    gauges: Concurrency, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(body, "LOAD_SECONDS", 0.05)
    gauges.body_memory.in_all = LIMIT
    large = b"x" * LIMIT
    _, hold = receiver(gauges).receive(request(io.BytesIO(large), LIMIT), LIMIT)
    assert hold is not None
    with pytest.raises(ServiceError) as full:
        receiver(gauges).receive(request(io.BytesIO(large), LIMIT), LIMIT)
    assert full.value.code is ErrorCode.OVERLOADED and full.value.retry_after
    gevent.spawn_later(0.02, hold.release)
    raw, hold = receiver(gauges).receive(request(io.BytesIO(large), LIMIT), LIMIT)
    assert len(raw) == LIMIT


def test_one_sender_leaves_memory_to_others(
    gauges: Concurrency, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(body, "LOAD_SECONDS", 0.05)
    assert gauges.body_memory.each < gauges.body_memory.in_all
    gauges.body_memory.each = LIMIT
    holds = [receiver(gauges).receive(request(io.BytesIO(b"x" * LIMIT), LIMIT), LIMIT)[1]]
    with pytest.raises(ServiceError) as own:
        receiver(gauges).receive(request(io.BytesIO(b"x" * LIMIT), LIMIT), LIMIT)
    assert own.value.code is ErrorCode.RATE_LIMIT_EXCEEDED and own.value.retry_after
    other = receiver(gauges, who="other").receive(request(io.BytesIO(b"x" * LIMIT), LIMIT), LIMIT)
    holds.append(other[1])
    for hold in holds:
        assert hold is not None
        hold.release()
    assert idle(gauges)


def test_the_least_memory_has_room_for_the_largest_body() -> None:
    assert Concurrency(Settings(body_memory=32 * 1024**2)).body_memory.each >= MAX_TOTAL_BYTES


def test_files_have_a_limit_for_each_sender_and_in_all(gauges: Concurrency) -> None:
    gauges.body_files.each, gauges.body_files.in_all = LIMIT // 2, LIMIT
    with pytest.raises(ServiceError) as own:
        receiver(gauges).receive(request(io.BytesIO(b"x" * LIMIT), LIMIT), LIMIT)
    assert own.value.code is ErrorCode.RATE_LIMIT_EXCEEDED
    gauges.body_files.each = LIMIT
    gauges.body_files.in_all = LIMIT // 2
    with pytest.raises(ServiceError) as full:
        receiver(gauges).receive(request(io.BytesIO(b"x" * LIMIT), LIMIT), LIMIT)
    assert full.value.code is ErrorCode.OVERLOADED
    assert idle(gauges)


def test_an_answered_request_holds_no_memory(app: Flask, user: Any) -> None:
    gauges = app.extensions["codeintel"].concurrency
    for code in ("", "x = 1\n"):
        body = {"code": code, "language": "python"}
        app.test_client().post("/api/v1/analyze/stream", json=body, headers=user.headers).close()
    assert idle(gauges) and not gauges._account_streams.total


class _Stalled(io.RawIOBase):
    """A body that stops coming."""

    def __init__(self, size: int) -> None:
        self._left = size
        self.waits = gevent.event.Event()

    def read(self, size: int = -1) -> bytes:
        if size > self._left:
            self.waits.set()
            gevent.sleep(60)
        self._left -= size
        return b" " * size
