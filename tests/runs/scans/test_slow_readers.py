"""Readers that are slower than a scan: they miss no result, and a stuck one does not stop it."""

from __future__ import annotations

import time
from collections.abc import Iterator
from typing import Any, cast

import gevent
import pytest
from scan_accounts import Scanning
from scan_helpers import found_file

from codeintel.contracts import Usage
from codeintel.contracts.events import ResultEvent, RunCompleted, RunEvent
from codeintel.contracts.scans.records import CrossFileResult, FileResult
from codeintel.runs.events.log import RunLog, tail
from codeintel.runs.scans.plan import ScanContext
from codeintel.runs.scans.results import ContentResult, file_result

FILES = 400


@pytest.fixture
def log(monkeypatch: pytest.MonkeyPatch) -> RunLog:
    """Return a log that has room for about 60 files."""
    monkeypatch.setattr("codeintel.runs.events.log.MAX_BYTES", 20_000)
    monkeypatch.setattr("codeintel.runs.events.log.JOINED_BYTES", 1_000)
    monkeypatch.setattr("codeintel.runs.scans.plan.SENT_FILES", 2)
    return RunLog("run")


def context_of(log: RunLog, **more: Any) -> ScanContext:
    """Return the context of a scan, which uses neither processes nor analyzers."""
    return ScanContext(log, FILES, "account", "", None, (), (), (), **more)


def result(number: int) -> FileResult:
    """Return the result of a file."""
    return file_result(found_file(f"{number}.py", "x"), ContentResult(lines=1), None, cached=False)


def scan(log: RunLog) -> None:
    """Send the results of all files, and the end."""
    context = context_of(log)
    for number in range(FILES):
        context.file(result(number))
    context.flush()
    log.append(end())


def end() -> RunCompleted:
    """Return the last event."""
    return RunCompleted(usage=Usage(input_characters=1), credits_charged=1, credits_refunded=0)


def read(log: RunLog, pause: float, after: int = 0) -> Iterator[bytes]:
    """Yield what a reader gets that pauses between two parts."""
    for part in tail(log, lambda: False, after=after):
        yield part
        gevent.sleep(pause)


def test_a_slow_reader_gets_all_results(log: RunLog) -> None:
    reader = gevent.spawn(lambda: b"".join(read(log, 0.005)))
    gevent.idle()
    scan(log)
    got = cast("bytes", reader.get(timeout=30))
    assert got.count(b'"path":') == FILES
    assert b"run.completed" in got
    assert log.dropped > 0


def test_a_reader_that_returns_gets_the_rest(log: RunLog) -> None:
    first = read(log, 0)
    worker = gevent.spawn(scan, log)
    begun = next(first) + next(first)
    first.close()
    gevent.sleep(0.2)
    after = begun.count(b"\nevent: ") - 1  # the last part may not have arrived
    rest = b"".join(read(log, 0, after=after))
    worker.get(timeout=30)
    assert rest.startswith(b"id: %d\n" % (after + 1))
    assert b"run.completed" in rest


def test_a_stuck_reader_is_given_up_once(log: RunLog, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("codeintel.runs.scans.plan.READER_SECONDS", 0.3)
    stuck = read(log, 0)
    worker = gevent.spawn(scan, log)
    next(stuck)
    begin = time.monotonic()
    worker.get(timeout=30)
    assert 0.3 <= time.monotonic() - begin < 5
    assert b"run.completed" not in b"".join(stuck)  # it learns that events are gone


def test_without_a_full_log_nobody_waits(log: RunLog) -> None:
    context = context_of(log)
    for number in range(20):
        context.file(result(number))
    assert not log.is_held_up(0, 30)


def test_a_stuck_reader_does_not_take_events_from_others(
    log: RunLog, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("codeintel.runs.scans.plan.READER_SECONDS", 0.3)
    stuck = read(log, 0)
    reader = gevent.spawn(lambda: b"".join(read(log, 0.01)))
    worker = gevent.spawn(scan, log)
    next(stuck)
    worker.get(timeout=30)
    got = cast("bytes", reader.get(timeout=30))
    assert got.count(b'"path":') == FILES
    assert b"run.completed" in got
    assert b"run.completed" not in b"".join(stuck)


def test_readers_that_trickle_delay_a_scan_once(
    log: RunLog, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("codeintel.runs.scans.plan.READERS_SECONDS", 0.6)
    reader = gevent.spawn(lambda: b"".join(read(log, 0.2)))
    gevent.idle()
    begin = time.monotonic()
    scan(log)
    assert 0.6 <= time.monotonic() - begin < 3
    assert b"run.completed" not in cast("bytes", reader.get(timeout=30))


def test_a_scan_does_not_wait_for_readers_at_other_processes(log: RunLog) -> None:
    context = context_of(log, is_read_elsewhere=lambda: True)
    with gevent.Timeout(5):
        for number in range(FILES):
            context.file(result(number))


def test_large_events_wait_for_readers(log: RunLog) -> None:
    context = context_of(log)
    for number in range(40):
        context.file(result(number))
    assert 5_000 < log.size < 15_000
    reader = gevent.spawn(lambda: b"".join(read(log, 0.02)))
    note = "x" * (20_000 - log.size)
    context.cross_file(CrossFileResult(findings=(), notes=(note,)))
    context.make_room(
        RunCompleted(usage=Usage(input_characters=1), credits_charged=1, credits_refunded=0)
    )
    log.append(RunCompleted(usage=Usage(input_characters=1), credits_charged=1, credits_refunded=0))
    got = cast("bytes", reader.get(timeout=30))
    assert log.dropped > 0
    assert got.count(b'"path":') == 40
    assert b"run.completed" in got


def test_a_scan_waits_before_its_result(
    scanning: Scanning, monkeypatch: pytest.MonkeyPatch
) -> None:
    events: list[RunEvent] = []
    monkeypatch.setattr(ScanContext, "make_room", lambda _, event, *__: events.append(event))
    scanning.scanned({"a.py": "x = 1\n"})
    assert isinstance(events[-1], ResultEvent)


def test_a_scan_asks_whether_other_processes_have_readers(
    scanning: Scanning, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[str] = []

    class Shared:
        """The logs of other processes, which have a reader of every run."""

        def is_read_elsewhere(self, run_id: str) -> bool:
            asked.append(run_id)
            return True

    contexts: list[ScanContext] = []
    monkeypatch.setattr(ScanContext, "make_room", lambda self, *_: contexts.append(self))
    run_id = scanning.ready({"a.py": "x = 1\n"})
    scanning.stream(run_id)
    assert not contexts[0]._is_read_elsewhere()
    monkeypatch.setattr(scanning.services.runs, "shared", Shared())
    assert contexts[0]._is_read_elsewhere()
    assert asked == [run_id]
