"""Admission, supervision and draining in the run service."""

from __future__ import annotations

import time
from dataclasses import replace

import gevent
import pytest
from run_helpers import refused, set_, until
from scripted_runs import (
    FULL,
    LEAST,
    SECONDS,
    START,
    TASK,
    Runs,
    Script,
    Scripted,
    result,
    says_and_stays,
    stays,
)
from sqlalchemy import func, select

from codeintel.base.errors import ErrorCode, ServiceError
from codeintel.identity.ledger import Balance
from codeintel.platform.db.models import Hold, RunRow
from codeintel.platform.plugins.registry import Registry
from codeintel.runs import run as run_module, service as service_module
from codeintel.runs.service import SHUTDOWN
from codeintel.runs.supervisor import WATCH_SECONDS

GRACE = 0.05


def test_a_plan_shows_neither_code_nor_who_asks(sqlite_runs: Runs) -> None:
    """Check its text, which may be in a log or a traceback."""
    plan = sqlite_runs.services.runs.plan_analysis(sqlite_runs.caller, TASK)
    assert TASK.code not in repr(plan)
    assert sqlite_runs.caller.account_id not in repr(plan)


@pytest.mark.parametrize(("script", "charged"), [(stays, 0), (says_and_stays, LEAST)])
def test_a_run_that_nobody_ever_reads_is_cancelled(
    runs: Runs, script: Script, charged: int
) -> None:
    set_(runs, run_resume_grace=GRACE)
    run = runs.start(script)
    until(lambda: run.log.ended)
    runs.settled(run, "cancelled", charged)
    assert runs.events(run)[-1]["reason"] == "client_disconnected"
    assert runs.balance() == Balance(START - charged, 0)


def test_a_run_goes_on_if_a_reader_comes_back_within_the_grace(sqlite_runs: Runs) -> None:
    grace = 8 * GRACE  # most of it is left to come back in, on a busy machine, too
    set_(sqlite_runs, run_resume_grace=grace)
    go_on = gevent.event.Event()
    run = sqlite_runs.start(lambda _task, _context: go_on.wait(SECONDS) and result())
    with run.log.reading():
        gevent.sleep(1.5 * grace)  # read from the start: not abandoned
    gevent.sleep(grace / 4)
    with run.log.reading():  # and again, in time
        gevent.sleep(1.5 * grace)
        go_on.set()
        sqlite_runs.settled(run, "completed", FULL)


def test_a_run_is_cancelled_when_its_reader_does_not_come_back(sqlite_runs: Runs) -> None:
    set_(sqlite_runs, run_resume_grace=GRACE)
    run = sqlite_runs.start(stays)
    with run.log.reading():
        gevent.sleep(2 * GRACE)
        assert not run.log.ended
    until(lambda: run.log.ended)
    sqlite_runs.settled(run, "cancelled", 0)


def test_without_a_grace_a_run_that_is_not_read_at_once_is_cancelled(sqlite_runs: Runs) -> None:
    set_(sqlite_runs, run_resume_grace=0)
    run = sqlite_runs.start(stays)
    until(lambda: run.log.ended)
    sqlite_runs.settled(run, "cancelled", 0)


def test_draining_refuses_new_runs_and_ends_the_running_ones(runs: Runs) -> None:
    service = runs.services.runs
    short = runs.start(lambda _task, _context: gevent.sleep(0.01) or result())
    gevent.idle()
    long = runs.start(says_and_stays)
    draining = gevent.spawn(service.drain, 0.1)
    gevent.idle()
    error = refused(lambda: service.admission().__enter__())
    assert (error.code, error.retry_after) == (ErrorCode.DRAINING, 5)
    draining.get(timeout=SECONDS)
    assert short.log.ended
    assert long.log.ended
    runs.settled(short, "completed", FULL)
    runs.settled(long, "incomplete", LEAST)
    assert runs.events(long)[-1]["reason"] == "shutdown"
    assert runs.balance() == Balance(START - FULL - LEAST, 0)


def test_draining_ends_a_run_that_has_not_begun_to_work(sqlite_runs: Runs) -> None:
    run = sqlite_runs.start(stays)
    sqlite_runs.services.runs.drain(0)
    assert run.log.ended
    sqlite_runs.settled(run, "incomplete", LEAST)
    assert sqlite_runs.events(run)[-1]["reason"] == "shutdown"


def test_a_run_can_be_stopped_before_its_work_begins(sqlite_runs: Runs) -> None:
    worked: list[object] = []
    run = sqlite_runs.start(lambda *given: worked.append(given) or result())
    run.stop(SHUTDOWN)
    sqlite_runs.settled(run, "incomplete", LEAST)
    assert worked == []


def test_draining_without_runs_takes_no_time(sqlite_runs: Runs) -> None:
    with gevent.Timeout(SECONDS / 2):
        sqlite_runs.services.runs.drain(SECONDS)


def test_a_full_queue_refuses_until_a_run_ends(sqlite_runs: Runs) -> None:
    set_(sqlite_runs, analysis_queue=2)
    service = sqlite_runs.services.runs
    done = gevent.event.Event()
    first, second = (
        sqlite_runs.start(lambda _task, _context: done.wait(SECONDS) and result()) for _ in range(2)
    )
    error = refused(lambda: service.admission().__enter__())
    assert (error.code, error.retry_after) == (ErrorCode.OVERLOADED, 5)
    done.set()
    sqlite_runs.settled(first, "completed", FULL)
    sqlite_runs.settled(second, "completed", FULL)
    until(lambda: not service._active)
    with service.admission():
        pass


def test_who_cannot_pay_is_refused_and_nothing_is_done(runs: Runs) -> None:
    for _ in range(START // FULL):
        runs.start(stays)
    error = refused(runs.start)
    assert error.code is ErrorCode.INSUFFICIENT_CREDITS
    held = START // FULL * FULL
    assert error.details == {
        "price": FULL,
        "available": START - held,
        "balance": START,
        "held": held,
    }
    assert runs.balance() == Balance(START, held)
    with runs.database.connect() as connection:
        for table in (RunRow, Hold):
            assert connection.scalar(select(func.count(table.id))) == START // FULL
    assert len(runs.services.runs._active) == START // FULL
    runs.services.runs.drain(0)


def test_many_starts_at_once_spend_no_more_than_there_is(runs: Runs) -> None:
    def start() -> bool:
        try:
            runs.start()
        except ServiceError as error:
            assert error.code is ErrorCode.INSUFFICIENT_CREDITS
            return False
        return True

    runs.engine.script = stays
    jobs = [gevent.spawn(start) for _ in range(12)]
    gevent.joinall(jobs, timeout=SECONDS, raise_error=True)
    assert sum(job.get(block=False) for job in jobs) == START // FULL
    assert runs.services.runs._starting == 0
    runs.services.runs.drain(0)
    assert runs.balance() == Balance(START - START // FULL * LEAST, 0)


class Low(Scripted):
    name = "low"
    preference = 1


def test_the_preferred_engine_that_is_available_is_taken(sqlite_runs: Runs) -> None:
    services = sqlite_runs.services
    registry = Registry()
    high, low = Scripted(lambda *_: result()), Low(lambda *_: result())
    for engine in (low, high):
        registry.engines.registrar("tests")(engine)
    service = replace(services.runs, registry=registry)
    taken = []
    for high.is_available in (True, False):
        run = service.start(service.plan_analysis(sqlite_runs.caller, TASK))
        taken.append(sqlite_runs.events(run)[0]["engine"])
    low.is_available = False
    error = refused(lambda: service.start(service.plan_analysis(sqlite_runs.caller, TASK)))
    assert taken == ["scripted", "low"]
    assert error.code is ErrorCode.OVERLOADED
    assert sqlite_runs.balance() == Balance(START - 2 * FULL, 0)
    service.stop()


def test_what_a_plugin_makes_fail_fails_before_anything_is_reserved(
    runs: Runs, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_: object) -> object:
        raise ZeroDivisionError

    monkeypatch.setattr(runs.services.runs._planner._cache, "key", broken)
    with pytest.raises(ZeroDivisionError):
        runs.start()
    assert runs.services.runs._active == {}
    assert runs.balance() == Balance(START, 0)
    with runs.database.connect() as connection:
        assert connection.scalar(select(func.count(RunRow.id))) == 0


def test_a_run_that_cannot_be_started_gives_its_credits_and_its_place_back(
    runs: Runs, monkeypatch: pytest.MonkeyPatch
) -> None:
    service = runs.services.runs

    def broken() -> None:
        raise ZeroDivisionError

    monkeypatch.setattr(service, "keep", broken)
    with pytest.raises(ZeroDivisionError):
        runs.start()
    until(lambda: not service._active)
    assert runs.balance() == Balance(START, 0)
    with runs.database.connect() as connection:
        row = connection.execute(select(RunRow.state, RunRow.reason, RunRow.charged)).one()
    assert tuple(row) == ("failed", "internal_error", 0)


def test_draining_waits_for_the_settlement_of_work_that_does_not_stop(
    sqlite_runs: Runs, monkeypatch: pytest.MonkeyPatch
) -> None:
    for module in (run_module, service_module):
        monkeypatch.setattr(module, "STOP_SECONDS", 0.2)
    free = gevent.event.Event()

    def will_not_stop(*_: object) -> None:
        try:
            gevent.sleep(10 * SECONDS)
        except BaseException:  # noqa: BLE001
            free.wait(SECONDS)

    run = sqlite_runs.start(will_not_stop)
    gevent.idle()
    begin = time.monotonic()
    sqlite_runs.services.runs.drain(0)
    assert run.log.ended
    assert time.monotonic() - begin < service_module.SETTLE_SECONDS
    sqlite_runs.settled(run, "incomplete", LEAST)
    assert service_module.SETTLE_SECONDS > 2 * WATCH_SECONDS
    free.set()
