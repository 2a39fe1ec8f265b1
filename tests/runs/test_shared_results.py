"""Results that one process has made and another uses again."""

from __future__ import annotations

import signal
from typing import Any

import pytest
import redis
from msgspec import structs
from run_helpers import complete
from scripted_runs import Runs, decode, finding, result
from servers import RedisServer

from codeintel.contracts.events import FindingEvent, OutputDelta, Progress
from codeintel.platform.shared_redis import SharedRedis
from codeintel.runs import cache
from codeintel.runs.cache import Kept, SharedResults

DIGEST = b"\x01\x02"
MADE, USAGE = result()
SAID = (
    Progress(message="m", sequence=1),
    OutputDelta(text="t\ud7ff", sequence=2),
    FindingEvent(finding=finding(2), sequence=3),
)
KEPT = Kept(SAID, MADE, USAGE)
Pair = tuple[Runs, Runs]


def said(events: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return the events about the code."""
    kinds = ("progress", "output.delta", "finding", "result")
    return [{**event, "runId": "", "sequence": 0} for event in events if event["type"] in kinds]


@pytest.fixture
def shared(redis_server: RedisServer) -> SharedRedis:
    redis_server.flush()
    return SharedRedis(redis_server.url)


def test_another_process_answers_without_working(
    pair: Pair, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(type(pair[0].engine), "repeatable", True)
    here, there = pair
    calls = []

    def counted(task: Any, context: Any) -> Any:
        calls.append(task)
        return complete(task, context)

    first = here.events(here.start(counted))
    again = there.start(counted)
    second = there.events(again)
    assert len(calls) == 1
    assert said(first) == said(second)
    assert second[-1]["usage"]["cached"] is True
    there.settled(again, "completed", charged=3)
    assert said(decode(b"".join(again.log.frames(0, 10**6)))) == said(first)


def test_what_is_put_is_found_for_a_while(shared: SharedRedis) -> None:
    results = SharedResults(shared, 60)
    assert results.get(DIGEST) is None
    results.put(DIGEST, KEPT)
    assert results.get(DIGEST) == KEPT
    assert results.get(b"other") is None
    (key,) = shared.client.scan_iter("codeintel:result:*")
    assert 0 < shared.client.pttl(key) <= 60_000


@pytest.mark.parametrize("stored", [b"", b"\xc1", b"\x93\xa3abc", b"{}", b"\x81\xa1\xff\x00"])
def test_what_cannot_be_understood_is_not_there(shared: SharedRedis, stored: bytes) -> None:
    shared.client.set(f"codeintel:result:{DIGEST.hex()}", stored)
    assert SharedResults(shared, 60).get(DIGEST) is None


def test_it_keeps_nothing_large_and_nothing_for_no_time(
    shared: SharedRedis, monkeypatch: pytest.MonkeyPatch
) -> None:
    SharedResults(shared, 0).put(DIGEST, KEPT)
    odd = structs.replace(MADE, metrics={"lines": 2**70})
    SharedResults(shared, 60).put(DIGEST, Kept(SAID, odd, USAGE))
    monkeypatch.setattr(cache, "MAX_SHARED_BYTES", 10)
    SharedResults(shared, 60).put(DIGEST, KEPT)
    assert SharedResults(shared, 60).get(DIGEST) is None


def test_without_redis_there_is_nothing_and_nobody_waits(own_redis: RedisServer) -> None:
    shared = SharedRedis(own_redis.url)
    results = SharedResults(shared, 60)
    results.put(DIGEST, KEPT)
    own_redis.kill(signal.SIGKILL)
    assert results.get(DIGEST) is None
    assert (shared.breaker.errors, shared.breaker.is_open) == (1, True)
    results.put(DIGEST, KEPT)
    assert results.get(DIGEST) is None
    assert shared.breaker.errors == 1  # it is skipped
    with pytest.raises(redis.RedisError):
        shared.client.ping()
