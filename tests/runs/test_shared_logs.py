"""Runs of one process, read and cancelled at another: the logs in Redis."""

from __future__ import annotations

import gevent
import pytest
import redis as redis_client
from run_helpers import expire, set_, until
from scripted_runs import LEAST, decode, says_and_stays, stays
from servers import RedisServer
from shared_runs import SECONDS, Pair, read, words

from codeintel.base.errors import ErrorCode, ServiceError
from codeintel.platform import shared_redis as breaker
from codeintel.runs import queries as reading, supervisor as keeper
from codeintel.runs.events import sharing
from codeintel.runs.events.log import RunLog
from codeintel.runs.events.stream import Page, RunStreams


def test_a_run_is_read_elsewhere_byte_for_byte(pair: Pair) -> None:
    here, there = pair
    run = here.start(words(20))
    until(lambda: run.log.length >= 2)
    readers = [gevent.spawn(read, runs, run) for runs in (here, there, there)]
    gevent.joinall(readers, timeout=SECONDS, raise_error=True)
    whole = readers[0].value
    assert [job.value == whole for job in readers] == [True] * 3
    assert decode(whole)[-1]["type"] == "run.completed"
    assert read(there, run) == whole  # afterwards, too
    assert decode(read(there, run, after=7)) == decode(whole)[7:]
    shared = there.services.runs.shared
    assert shared is not None
    until(lambda: not shared._mirrors._mirrors)  # nothing is kept of it


def test_a_reader_goes_on_at_another_process(pair: Pair) -> None:
    here, there = pair
    run = here.start(words(15))
    with run.log.reading():
        until(lambda: run.log.length >= 6)
    begin = b"".join(run.log.frames(0, 10**6)[:5])
    assert begin + read(there, run, after=5) == read(here, run)


def test_cancelling_elsewhere(pair: Pair) -> None:
    here, there = pair
    run = here.start(says_and_stays)
    until(lambda: run.log.length >= 2)
    record = there.services.reader.find(there.caller, run.plan.id)
    with gevent.Timeout(5):
        record = there.services.reader.cancel(record)
    assert (record.state, record.reason, record.charged) == ("cancelled", "cancel_requested", LEAST)
    here.settled(run, "cancelled", LEAST)
    assert read(there, run) == read(here, run)


def test_a_reader_elsewhere_keeps_a_run_alive(pair: Pair, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sharing, "NOTE_SECONDS", 0.1)
    monkeypatch.setattr("codeintel.runs.events.stream.READING_SECONDS", 1)
    here, there = pair
    set_(here, run_resume_grace=0.5)
    run = here.start(says_and_stays)
    far = gevent.spawn(read, there, run)
    gevent.sleep(1.5)
    assert not run.log.ended
    far.kill()
    until(lambda: run.log.ended)
    here.settled(run, "cancelled", LEAST)


def unreachable(_run_id: str) -> None:
    raise OSError("away")


def test_readers_elsewhere_learn_that_a_process_is_gone(
    pair: Pair, monkeypatch: pytest.MonkeyPatch
) -> None:
    here, there = pair
    run = here.start(says_and_stays)
    until(lambda: run.log.length >= 2)
    far = gevent.spawn(read, there, run)
    gevent.sleep(0.3)
    expire(here, run)
    telling = there.services.runs._supervisor
    with monkeypatch.context() as patch, pytest.raises(OSError, match="away"):
        patch.setattr(telling._records, "find", unreachable)
        telling._renew_and_sweep()
        telling._tell_readers()
    telling._tell_readers()  # it still knows the reader
    far.join(SECONDS)
    last = decode(far.value)[-1]
    assert (last["type"], last["reason"], last["creditsCharged"]) == (
        "run.failed",
        "lease_expired",
        0,
    )
    assert last["usage"]["inputCharacters"] == len(run.plan.task.code)
    # Who had got more from that process than it had passed on learns of the end all the same.
    for ahead in (len(decode(far.value)), 50):
        (only,) = decode(read(there, run, after=ahead))
        assert (only["type"], only["sequence"]) == ("run.failed", ahead + 1)
    # The process was only slow. All of its later events stay with it.
    run.stop(keeper.CANCELLED)
    assert here.events(run)[-1]["reason"] == "lease_expired"
    gevent.sleep(0.2)
    assert read(there, run) == far.value


def test_a_reader_learns_the_end_of_a_run_that_redis_never_had(
    pair: Pair, own_redis: RedisServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Check a process that is killed between the first events to its reader and the first write."""
    monkeypatch.setattr(reading, "BEGIN_SECONDS", 0.1)
    here, there = pair
    run = here.start(says_and_stays)
    until(lambda: run.log.length >= 2)
    gevent.sleep(0.1)
    own_redis.flush()
    with pytest.raises(ServiceError) as refused:
        read(there, run, after=2)
    assert refused.value.code is ErrorCode.EVENTS_UNAVAILABLE, "its process may still run"
    expire(here, run)
    there.services.runs._supervisor._renew_and_sweep()
    (only,) = decode(read(there, run, after=2))
    assert (only["type"], only["reason"], only["sequence"]) == ("run.failed", "lease_expired", 3)
    with pytest.raises(ServiceError) as refused:
        read(there, run)
    assert refused.value.code is ErrorCode.EVENTS_GONE, "a reader from the start would miss some"


def test_events_that_redis_does_not_have_are_gone(
    pair: Pair, own_redis: RedisServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    here, there = pair
    run = here.start(words(3))
    here.events(run)
    gevent.sleep(0.1)
    own_redis.flush()
    with pytest.raises(ServiceError) as refused:
        read(there, run)
    assert refused.value.code is ErrorCode.EVENTS_UNAVAILABLE  # its process may be behind
    monkeypatch.setattr(reading, "BEHIND_SECONDS", 0)
    with pytest.raises(ServiceError) as refused:
        read(there, run)
    assert refused.value.code is ErrorCode.EVENTS_GONE
    assert read(here, run)


def test_a_stream_takes_pages_in_order_once_and_from_one_holder(redis_url: str) -> None:
    streams = RunStreams(redis_client.Redis.from_url(redis_url), retention=60, kept=60)

    def add(first: int, *frames: bytes, epoch: int = 1, earliest: int = 1) -> int:
        page = Page("run_1", epoch, first, earliest, frames, ends=False)
        return streams.add([page])[0]

    assert add(1, b"1", b"2") == 2
    assert add(1, b"1", b"2", b"3") == 3  # an answer was lost: the page came again
    assert add(6, b"6") == 3  # a gap that the writer can fill
    assert add(6, b"6", earliest=6) == 6  # one that it cannot: what was before is gone
    assert add(7, b"end", epoch=2) == 7
    assert add(8, b"late", epoch=1) == -1
    entries = streams.read({"run_1": 0})["run_1"]
    assert [(each.number, each.frame) for each in entries] == [
        (6, b"6"),
        (7, b"end"),
    ]
    assert [each.number for each in streams.read({"run_1": 3})["run_1"]] == [6, 7]


def test_the_events_of_an_ended_run_leave_redis_soon(redis_url: str) -> None:
    client = redis_client.Redis.from_url(redis_url)
    streams = RunStreams(client, retention=86_400, kept=600)

    def left() -> int:
        return client.ttl("codeintel:run:run_1:events")

    streams.add([Page("run_1", 1, 1, 1, [b"1", b"2"], ends=False)])
    assert 86_000 < left() <= 86_400
    streams.add([Page("run_1", 1, 3, 1, [b"3", b"end"], ends=True)])
    assert 590 < left() <= 600
    streams.add([Page("run_1", 1, 3, 1, [b"3", b"end"], ends=True)])  # an answer was lost
    assert 590 < left() <= 600
    client.close()


def test_the_result_stays_when_the_events_are_gone(pair: Pair, own_redis: RedisServer) -> None:
    here, there = pair
    run = here.start(words(2))
    assert read(there, run) == b"".join(run.log.frames(0, 10**9))
    own_redis.flush()  # as time would
    run_log = here.services.runs.logs
    run_log._ended.clear()
    record = here.services.reader.find(here.caller, run.plan.id, with_result=True)
    assert record.result is not None
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(reading, "BEHIND_SECONDS", 0)
        patched.setattr(reading, "BEGIN_SECONDS", 0.1)
        with pytest.raises(ServiceError) as refused:
            read(here, run)
    assert refused.value.code is ErrorCode.EVENTS_GONE
    assert refused.value.details == {"run": f"/api/v1/runs/{run.plan.id}"}


def test_a_stream_is_bounded_as_the_log_is(redis_url: str) -> None:
    streams = RunStreams(redis_client.Redis.from_url(redis_url), retention=60, kept=60)

    def numbers() -> list[int]:
        return [each.number for each in streams.read({"run_1": 0})["run_1"]]

    streams.add([Page("run_1", 1, 1, 1, [b"x"] * 10, ends=False)])
    streams.add([Page("run_1", 1, 11, 5, [b"x"], ends=False)])
    assert numbers() == [5, 6, 7, 8, 9, 10, 11]
    streams.add([Page("run_1", 2, 12, 12, [b"end"], ends=True)])  # who ended it has no others
    assert numbers() == [5, 6, 7, 8, 9, 10, 11, 12]


def test_many_runs_are_written_in_turn(pair: Pair) -> None:
    here, there = pair
    account = here.services.accounts.create("rich@example.org", "TEAM", 1_000, True)
    here.caller = there.caller = type(here.caller)(
        proof=here.caller.proof, account_id=account.id, unlimited=True
    )
    started = [here.start(words(10)) for _ in range(80)]
    far = [gevent.spawn(read, there, run) for run in started[-5:]]
    gevent.joinall(far, timeout=SECONDS, raise_error=True)
    for run, job in zip(started[-5:], far, strict=True):
        assert job.value == b"".join(run.log.frames(0, 10**7))


def test_a_log_with_nothing_new_is_not_written(redis_url: str) -> None:
    from codeintel.runs.events.sharing import Publisher

    publisher = Publisher(
        RunStreams(redis_client.Redis.from_url(redis_url), 60, 60), breaker.Breaker("Redis")
    )
    publisher.publish(RunLog("run_1"))
    publisher.flush(2)
    assert not redis_client.Redis.from_url(redis_url).keys("*")


def test_a_run_that_settles_after_the_stop_starts_no_writer(pair: Pair) -> None:
    shared = pair[0].services.runs.shared
    assert shared is not None
    shared.stop()
    shared.publish(RunLog("run_late"))
    assert shared._publisher._greenlet is None


def test_nobody_reads_anywhere(pair: Pair) -> None:
    here, _ = pair
    set_(here, run_resume_grace=0.2)
    run = here.start(stays)
    until(lambda: run.log.ended)
    here.settled(run, "cancelled", 0)


def test_readers_that_come_at_once_follow_one_copy(
    pair: Pair, monkeypatch: pytest.MonkeyPatch
) -> None:
    here, there = pair
    run = here.start(words(10))
    until(lambda: run.log.length >= 3)
    shared = there.services.runs.shared
    assert shared is not None
    really_exists = shared._streams.exists

    def slow(run_id: str) -> bool:
        gevent.sleep(0.05)
        return really_exists(run_id)

    monkeypatch.setattr(shared._streams, "exists", slow)
    readers = [gevent.spawn(read, there, run) for _ in range(3)]
    gevent.joinall(readers, timeout=SECONDS, raise_error=True)
    assert {job.value for job in readers} == {read(here, run)}
