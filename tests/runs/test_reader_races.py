"""Readers during other requests, while other greenlets run."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, cast

import gevent
import msgspec
import pytest
from run_helpers import set_, until
from scripted_runs import Runs, stays
from support import MakeApp

from codeintel.contracts.events import Progress
from codeintel.contracts.states import RunState
from codeintel.platform.db import db
from codeintel.platform.db.models import now_ms
from codeintel.platform.shared_redis import Breaker, SharedRedis
from codeintel.runs.events import sharing as mirrors_module
from codeintel.runs.events.log import encode_frame, tail
from codeintel.runs.events.sharing import Mirrors, SharedLogs
from codeintel.runs.events.stream import Entry, Page, RunStreams
from codeintel.runs.store import RunRecord


def frame(number: int) -> bytes:
    event = Progress(message=str(number))
    event.sequence, event.run_id = number, "run_1"
    return encode_frame(event)


class FakeStreams:
    """One run's events, in memory."""

    def __init__(self, entries: Sequence[Entry]) -> None:
        self.entries = list(entries)

    def exists(self, _run_id: str) -> bool:
        return True

    def read(self, positions: Mapping[str, int]) -> dict[str, list[Entry]]:
        found = {
            run_id: [each for each in self.entries if each.number > after]
            for run_id, after in positions.items()
        }
        return {run_id: entries for run_id, entries in found.items() if entries}

    def note_readers(self, _run_ids: Iterable[str]) -> None:
        """Do nothing, because nothing reads it."""


def entries(*numbers: int) -> list[Entry]:
    return [Entry(number, frame(number), is_last=False, epoch=1) for number in numbers]


@pytest.fixture
def streams() -> FakeStreams:
    return FakeStreams(entries(1))


@pytest.fixture
def mirrors(streams: FakeStreams) -> Any:
    made = Mirrors(cast(RunStreams, streams), Breaker("test"), lambda run_ids: run_ids)
    yield made
    made.stop()


def test_an_idle_copy_that_is_asked_for_again_is_kept(
    mirrors: Mirrors, streams: FakeStreams, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Check a copy that was released between the request and the first read, so that its reader
    waited without end."""
    log = mirrors.open("run_1")
    assert log is not None
    log.unread_since -= mirrors_module.IDLE_SECONDS - 0.01
    monkeypatch.setattr(mirrors_module, "POLL_SECONDS", 0.02)
    assert mirrors.open("run_1") is log
    gevent.sleep(0.1)  # the reader's response is made meanwhile
    streams.entries += entries(2)
    until(lambda: log.length == 2)


def test_a_copy_that_was_given_up_is_not_given_to_another_reader(
    mirrors: Mirrors, streams: FakeStreams
) -> None:
    log = mirrors.open("run_1")
    assert log is not None
    log.give_up()
    streams.entries += entries(2)
    again = mirrors.open("run_1")
    assert again is not None
    assert (again.broken, again.length) == (False, 2)


def test_a_reader_that_comes_while_redis_is_asked_keeps_the_run(make_app: MakeApp) -> None:
    app = make_app()
    with app.app_context():
        runs = Runs(app.extensions["codeintel"], db.engine)
    set_(runs, run_resume_grace=0.0)
    run = runs.start(stays)
    keeper = runs.services.runs._supervisor

    class Asked:
        """Redis, which a reader comes before the answer of."""

        def is_read_elsewhere(self, _run_id: str) -> bool:
            run.log.readers += 1
            return False

    keeper._shared = cast(SharedLogs, Asked())
    run.log.unread_since -= 1
    keeper._end_unread()
    assert run._stopped is None
    run.log.readers -= 1
    keeper._shared = None
    keeper.stop()


def test_the_end_is_written_behind_what_a_lost_process_still_says(redis_url: str) -> None:
    """Check that its event gets the number that the terminal event was to have."""
    shared = SharedLogs(SharedRedis(redis_url), 60.0, 60.0, lambda run_ids: run_ids)
    streams = shared._streams
    streams.add([Page("run_1", 1, 1, 1, [frame(1)], ends=False)])
    really_last = streams.last
    late = [Page("run_1", 1, 2, 1, [frame(2)], ends=False)]

    def last(run_id: str) -> Entry | None:
        newest = really_last(run_id)
        if late:
            streams.add([late.pop()])
        return newest

    streams.last = last  # type: ignore[method-assign]
    shared.close(_record())
    shared.stop()
    newest = really_last("run_1")
    assert newest is not None
    assert (newest.number, newest.is_last, newest.epoch) == (3, True, 2)


def test_a_run_that_is_lost_before_redis_has_an_event_still_ends(redis_url: str) -> None:
    """Check a process that is killed between the first event to its own reader and the first write
    to Redis.

    The reader returns to another process, after the event that only the reader has seen.
    """
    shared = SharedLogs(SharedRedis(redis_url), 60.0, 60.0, lambda run_ids: run_ids)
    lost = msgspec.structs.replace(_record(), finished_ms=now_ms())
    shared.close(lost)
    assert shared.open(lost.id) is None
    log = shared.end_of(lost)
    assert log is not None
    told = b"".join(tail(log, lambda: False, after=2)).decode()
    assert told.startswith("id: 3\nevent: run.failed\n")
    assert shared.end_of(_record()) is None, "Redis may have had its events, and let go of them"
    shared.stop()


def _record() -> RunRecord:
    return RunRecord(
        id="run_1",
        account_id="acc_1",
        kind="analysis",
        state=RunState.FAILED,
        engine="static",
        model="flash",
        epoch=2,
        price=1,
        hold=1,
        charged=0,
        reason="lease_expired",
        usage=None,
        created_ms=1,
        finished_ms=2,
    )
