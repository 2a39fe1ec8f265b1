"""The event log of a run, and reading it down a connection."""

from __future__ import annotations

import time

import gevent
import pytest

from codeintel.contracts import Usage
from codeintel.contracts.events import OutputDelta, Progress, RunCompleted
from codeintel.runs.events import log as log_module, log as pulse, log as reader
from codeintel.runs.events.log import EventsGoneError, RunLog, tail

LONG = 20.0
ONE = b'id: 1\nevent: output.delta\ndata: {"type":"output.delta","text":"'
END = RunCompleted(usage=Usage(input_characters=1), credits_charged=0, credits_refunded=0)


@pytest.fixture
def log() -> RunLog:
    return RunLog("run_1")


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


def test_readers_see_everything_whenever_they_come(log: RunLog) -> None:
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
    assert (log.readers, log.ended) == (0, True)


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
    monkeypatch.setattr(pulse, "BEAT_SECONDS", 0.005)
    frames = tail(log, lambda: False)
    assert [next(frames), next(frames)] == [b": ping\n\n"] * 2
    end(log)
    assert next(frames).startswith(b"id: 1\n")
    assert list(frames) == []


def test_an_event_puts_the_heartbeat_off(log: RunLog, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reader, "HEARTBEAT_SECONDS", 0.1)
    monkeypatch.setattr(pulse, "BEAT_SECONDS", 0.005)
    frames = tail(log, lambda: False)
    gevent.spawn_later(0.07, log.append, OutputDelta(text="x"))
    assert next(frames).startswith(b"id: 1\n")
    begin = time.monotonic()
    assert next(frames) == b": ping\n\n"
    assert time.monotonic() - begin >= 0.09
    frames.close()


def test_a_client_that_has_gone_is_noticed_between_events(
    log: RunLog, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pulse, "BEAT_SECONDS", 0.005)
    asked: list[None] = []

    def is_gone() -> bool:
        asked.append(None)
        return len(asked) == 3

    assert list(tail(log, is_gone)) == []
    assert (len(asked), log.readers) == (3, 0)


def test_it_is_unread_from_when_the_last_reader_leaves(log: RunLog) -> None:
    begin = log.unread_since
    with log.reading():
        with log.reading():
            assert log.readers == 2
        first_left = log.unread_since
    assert begin <= first_left < log.unread_since
    assert log.readers == 0


def test_the_oldest_events_go_when_there_are_too_many(
    log: RunLog, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(log_module, "MAX_EVENTS", 8)
    for number in range(9):
        log.append(Progress(message=str(number)))
    assert (log.dropped, log.length) == (2, 9)
    frames, after = log.wait(2, LONG)
    assert (count(frames), after, frames[:6]) == (7, 9, b"id: 3\n")
    with pytest.raises(EventsGoneError) as gone:
        log.wait(1, LONG)
    assert gone.value.first == 3
    assert list(tail(log, lambda: False, after=1)) == []  # the stream ends, without a gap


def test_a_log_is_bounded_in_bytes(log: RunLog, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(log_module, "MAX_BYTES", 10_000)
    for _ in range(100):
        log.append(OutputDelta(text="x" * 1_000))
        assert log.size <= 10_000
    end(log)
    assert (log.length, log.ended) == (101, True)
    assert log.size == sum(
        len(frame) + log_module.OVERHEAD_BYTES for frame in log.frames(log.dropped, 10**9)
    )


def test_frames_of_another_process_are_fed_in_order_and_once(log: RunLog) -> None:
    log.feed(5, b"five", is_last=False)
    log.feed(5, b"five again", is_last=False)
    log.feed(6, b"six", is_last=True)
    log.feed(7, b"after the end", is_last=False)
    assert (log.dropped, log.length, log.ended) == (4, 6, True)
    assert log.wait(4, LONG) == (b"fivesix", 6)


def test_a_gap_is_refused(log: RunLog) -> None:
    log.feed(1, b"one", is_last=False)
    with pytest.raises(ValueError, match="event 3 follows 1"):
        log.feed(3, b"three", is_last=False)


def test_readers_of_a_log_that_is_given_up_are_let_go(log: RunLog) -> None:
    log.append(Progress(message="all there is"))
    gevent.spawn_later(0.01, log.give_up)
    with gevent.Timeout(2):
        assert count(b"".join(tail(log, lambda: False))) == 1


def test_a_late_reader_gets_a_long_log_in_pieces(log: RunLog) -> None:
    """Check that the buffer for a reader that does not read stays small."""
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


def test_the_end_that_comes_while_the_credential_is_looked_up_is_sent(
    log: RunLog, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Check a look-up in the database, during which the run continues."""
    monkeypatch.setattr(reader, "CREDENTIAL_SECONDS", 0.0)
    monkeypatch.setattr(pulse, "BEAT_SECONDS", 0.005)
    looked_up: list[None] = []

    def may_read() -> bool:
        looked_up.append(None)
        if not log.ended:
            log.append(OutputDelta(text="the last words"))
            end(log)
        return True

    sent = b"".join(tail(log, lambda: False, may_read))
    assert looked_up
    assert (count(sent), sent.count(b"event: run.completed")) == (2, 1)


def test_no_stream_of_thousands_lacks_its_end(monkeypatch: pytest.MonkeyPatch) -> None:
    """Many runs end while the credentials of their readers are looked up."""
    monkeypatch.setattr(reader, "CREDENTIAL_SECONDS", 0.0)
    monkeypatch.setattr(pulse, "BEAT_SECONDS", 0.001)
    logs = [RunLog(f"run_{number}") for number in range(250)]

    def may_read() -> bool:
        gevent.sleep(0.001)
        return True

    def work(log: RunLog, number: int) -> None:
        for _ in range(number % 5):
            gevent.sleep(0.0005 * (number % 7))
            log.append(OutputDelta(text="x"))
        end(log)

    readers = [
        gevent.spawn(lambda log=log: b"".join(tail(log, lambda: False, may_read)))
        for log in logs
        for _ in range(20)
    ]
    for number, log in enumerate(logs):
        gevent.spawn(work, log, number)
    gevent.joinall(readers, timeout=30, raise_error=True)
    endless = [job for job in readers if b"event: run.completed" not in job.get(block=False)]
    assert (len(readers), len(endless)) == (5_000, 0)
