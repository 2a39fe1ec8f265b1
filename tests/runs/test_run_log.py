"""The event log of a run, and reading it down a connection."""

from __future__ import annotations

import time

import gevent
import pytest

from codeintel.contracts import Usage
from codeintel.contracts.events import OutputDelta, Progress, RunCompleted
from codeintel.runs import reader
from codeintel.runs.log import RunLog
from codeintel.runs.reader import tail

LONG = 20.0
ONE = b'id: 1\nevent: output.delta\ndata: {"type":"output.delta","text":"'
END = RunCompleted(usage=Usage(input_characters=1), credits_charged=0, credits_refunded=0)


class Abandoned:
    """Counts how often the last reader left."""

    def __init__(self) -> None:
        self.times = 0

    def __call__(self) -> None:
        self.times += 1


@pytest.fixture
def abandoned() -> Abandoned:
    return Abandoned()


@pytest.fixture
def log(abandoned: Abandoned) -> RunLog:
    return RunLog("run_1", abandoned)


def end(log: RunLog) -> None:
    log.append(RunCompleted(usage=END.usage, credits_charged=0, credits_refunded=0))


def count(frames: bytes) -> int:
    return frames.count(b"\n\n")


def test_a_frame(log: RunLog) -> None:
    log.append(OutputDelta(text="a\nb\N{LINE SEPARATOR}"))
    frame, after = log.wait(0, LONG)
    assert frame == ONE + 'a\\nb\u2028","sequence":1,"runId":"run_1"}\n\n'.encode()
    assert after == 1


def test_frames_are_numbered_and_joined_from_any_point(log: RunLog) -> None:
    for number in range(5):
        log.append(Progress(message=str(number)))
    frames, after = log.wait(2, LONG)
    assert after == 5
    assert [line for line in frames.split(b"\n") if line.startswith(b"id")] == [
        b"id: 3",
        b"id: 4",
        b"id: 5",
    ]


def test_waiting_ends_with_the_timeout(log: RunLog) -> None:
    begin = time.monotonic()
    assert log.wait(0, 0.02) == (b"", 0)
    assert time.monotonic() - begin >= 0.01


def test_an_event_wakes_all_readers_at_once(log: RunLog) -> None:
    jobs = [gevent.spawn(log.wait, 0, LONG) for _ in range(20)]
    gevent.idle()
    log.append(OutputDelta(text="x"))
    gevent.joinall(jobs, timeout=1, raise_error=True)
    assert {job.get(block=False)[1] for job in jobs} == {1}


def test_readers_see_everything_whenever_they_come(log: RunLog, abandoned: Abandoned) -> None:
    def read() -> bytes:
        return b"".join(tail(log, lambda: False))

    jobs = [gevent.spawn(read)]
    for _ in range(3):
        gevent.idle()
        log.append(OutputDelta(text="x"))
        jobs.append(gevent.spawn(read))
    gevent.idle()
    assert log.readers == 4
    end(log)
    gevent.joinall(jobs, timeout=1, raise_error=True)
    everything = read()  # comes after the end
    assert count(everything) == 4
    assert {job.get(block=False) for job in jobs} == {everything}
    assert (log.readers, log.ended, abandoned.times) == (0, True, 0)


def test_reading_goes_on_behind_an_event(log: RunLog) -> None:
    log.append(OutputDelta(text="x"))
    end(log)
    assert count(b"".join(tail(log, lambda: False, after=1))) == 1
    assert b"".join(tail(log, lambda: False, after=2)) == b""


def test_an_event_that_cannot_be_sent_leaves_no_gap(log: RunLog) -> None:
    with pytest.raises(UnicodeEncodeError):
        log.append(OutputDelta(text="\ud800"))
    log.append(OutputDelta(text="x"))
    assert log.wait(0, LONG)[0].startswith(ONE)
    assert not log.ended


def test_a_silent_run_sends_heartbeats_until_an_event(
    log: RunLog, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(reader, "HEARTBEAT_SECONDS", 0.02)
    monkeypatch.setattr(reader, "PROBE_SECONDS", 0.005)
    frames = tail(log, lambda: False)
    assert [next(frames), next(frames)] == [b": ping\n\n"] * 2
    end(log)
    assert next(frames).startswith(b"id: 1\n")
    assert list(frames) == []


def test_an_event_puts_the_heartbeat_off(log: RunLog, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reader, "HEARTBEAT_SECONDS", 0.1)
    monkeypatch.setattr(reader, "PROBE_SECONDS", 0.005)
    frames = tail(log, lambda: False)
    gevent.spawn_later(0.07, log.append, OutputDelta(text="x"))
    assert next(frames).startswith(b"id: 1\n")
    begin = time.monotonic()
    assert next(frames) == b": ping\n\n"
    assert time.monotonic() - begin >= 0.09
    frames.close()


def test_a_client_that_has_gone_is_noticed_between_events(
    log: RunLog, abandoned: Abandoned, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(reader, "PROBE_SECONDS", 0.005)
    asked: list[None] = []

    def is_gone() -> bool:
        asked.append(None)
        return len(asked) == 3

    assert list(tail(log, is_gone)) == []
    assert (len(asked), log.readers, abandoned.times) == (3, 0, 1)


def test_the_run_is_abandoned_when_the_last_reader_leaves(
    log: RunLog, abandoned: Abandoned
) -> None:
    log.append(OutputDelta(text="x"))
    first, second = (tail(log, lambda: False) for _ in range(2))
    next(first), next(second)
    first.close()
    assert abandoned.times == 0
    second.close()
    assert abandoned.times == 1


def test_a_late_reader_gets_a_long_log_in_pieces(log: RunLog) -> None:
    """What waits for a reader that takes nothing must stay small."""
    for _ in range(40):
        log.append(OutputDelta(text="x" * 10_000))
    log.append(RunCompleted(usage=Usage(input_characters=1), credits_charged=0, credits_refunded=0))
    pieces = list(tail(log, lambda: False))
    assert len(pieces) > 4
    assert all(len(piece) < 80_000 for piece in pieces)
    assert b"".join(pieces).count(b"event: output.delta") == 40
    assert pieces[-1].endswith(b"\n\n")


def test_a_reader_that_may_read_no_longer_is_sent_nothing_more(
    log: RunLog, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(reader, "CREDENTIAL_SECONDS", 0.0)
    log.append(Progress(message="one"))
    assert list(tail(log, lambda: False, may_read=lambda: False)) == []
