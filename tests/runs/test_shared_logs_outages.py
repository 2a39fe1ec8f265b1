"""Redis forgets, refuses or is away: readers at other processes notice as little as can be."""

from __future__ import annotations

import signal
from typing import Any

import gevent
import pytest
import redis as redis_client
from run_helpers import until
from scripted_runs import decode
from servers import RedisServer
from shared_runs import SECONDS, Pair, read, words

from codeintel.base.errors import ErrorCode, ServiceError
from codeintel.platform import shared_redis as breaker
from codeintel.runs.events import sharing
from codeintel.runs.events.log import RunLog
from codeintel.runs.events.stream import RunStreams


def test_redis_loses_everything_and_no_reader_notices(
    pair: Pair, own_redis: RedisServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(breaker, "RETRY_SECONDS", 0.1)
    here, there = pair
    run = here.start(words(60))
    near, far = (gevent.spawn(read, runs, run) for runs in pair)
    until(lambda: run.log.length >= 10)
    own_redis.kill(signal.SIGKILL)
    until(lambda: run.log.length >= 25)
    own_redis.start()
    gevent.joinall([near, far], timeout=SECONDS, raise_error=True)
    assert near.value == far.value
    assert read(there, run) == near.value  # all of it is in the new Redis
    shared = here.services.runs.shared
    assert shared is not None
    assert shared._breaker.errors > 0


def test_while_redis_is_away(pair: Pair, own_redis: RedisServer) -> None:
    here, there = pair
    run = here.start(words(5))
    own_redis.kill(signal.SIGKILL)
    assert decode(read(here, run))[-1]["type"] == "run.completed"
    for _ in range(2):  # queried, and not queried again immediately
        with pytest.raises(ServiceError) as refused, gevent.Timeout(0.5):
            read(there, run)
        assert refused.value.code is ErrorCode.EVENTS_UNAVAILABLE
        assert refused.value.retry_after
    record = there.services.reader.find(there.caller, run.plan.id, with_result=True)
    assert record.result is not None


def test_a_copy_that_cannot_be_filled_is_not_left_behind(
    pair: Pair, monkeypatch: pytest.MonkeyPatch
) -> None:
    here, there = pair
    run = here.start(words(3))
    here.events(run)
    shared = there.services.runs.shared
    assert shared is not None
    with monkeypatch.context() as broken:
        broken.setattr(shared._streams, "read", _fails)
        with pytest.raises(ServiceError):
            read(there, run)
    assert shared._mirrors._mirrors == {}
    gevent.sleep(breaker.RETRY_SECONDS)
    assert read(there, run) == read(here, run)


def _fails(_: object) -> Any:
    raise redis_client.ConnectionError


def test_a_process_that_could_not_reach_redis_still_tells_the_whole(
    pair: Pair, monkeypatch: pytest.MonkeyPatch
) -> None:
    here, there = pair
    run = here.start(words(20))
    until(lambda: run.log.length >= 5)
    gevent.sleep(0.1)
    mine = here.services.runs.shared
    assert mine is not None
    monkeypatch.setattr(mine._publisher._streams, "add", _fails)
    whole = read(here, run)
    with pytest.raises(ServiceError) as refused:
        read(there, run)
    assert refused.value.code is ErrorCode.EVENTS_UNAVAILABLE
    monkeypatch.undo()
    until(lambda: not mine._publisher._behind)
    assert read(there, run) == whole


def test_ended_runs_do_not_wait_for_redis_without_a_bound(
    redis_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sharing, "ENDED_BYTES", 10_000)
    monkeypatch.setattr(sharing, "LET_GO_EVERY", 1)
    away = breaker.Breaker("Redis")
    waiting = sharing.Publisher(RunStreams(redis_client.Redis.from_url(redis_url), 60, 60), away)
    for number in range(20):
        away.failed(redis_client.ConnectionError())
        log = RunLog(f"run_{number}")
        log.feed(1, b"x" * 2_000, is_last=True)
        waiting.publish(log)
    kept = sorted(waiting._behind, key=lambda run_id: int(run_id[4:]))
    assert kept == [f"run_{number}" for number in range(16, 20)]
    gevent.kill(waiting._greenlet)
