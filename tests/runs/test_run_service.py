"""Runs from start to settlement. Every terminal event says what the database says."""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import gevent
import pytest
from flask import Flask
from scripted_runs import (
    FULL,
    LEAST,
    SECONDS,
    START,
    TASK,
    Runs,
    Script,
    Scripted,
    finding,
    result,
    says_and_stays,
    stays,
)
from sqlalchemy import Engine as Database
from sqlalchemy import func, select, update
from sqlalchemy.exc import OperationalError

from codeintel.contracts import Incomplete
from codeintel.credits.ledger import Balance
from codeintel.db import db
from codeintel.db.models import Hold, RunRow, now_ms
from codeintel.db.writer import Writer
from codeintel.errors import ErrorCode, ServiceError
from codeintel.plugins.registry import Registry
from codeintel.runs import run as run_module
from codeintel.runs.run import Outcome, Run
from codeintel.runs.service import SHUTDOWN, RunService
from codeintel.runs.store import Ending, NewRun, RunState, RunStore
from codeintel.services import Services

GRACE = 0.05
DATABASE_DOWN = OperationalError("COMMIT", None, Exception("down"))


@pytest.fixture
def database(database_app: Flask) -> Database:
    with database_app.app_context():
        return db.engine


@pytest.fixture
def runs(database_services: Services, database: Database) -> Runs:
    """Runs on each kind of database."""
    return Runs(database_services, database)


@pytest.fixture
def sqlite_runs(app: Flask, services: Services) -> Runs:
    """Runs on SQLite, for what does not depend on the database."""
    with app.app_context():
        return Runs(services, db.engine)


def set_(runs: Runs, **settings: float) -> None:
    """Change settings of the run service; tests may go below what operators may."""
    service = runs.services.runs
    service.settings = replace(service.settings, **settings)  # type: ignore[arg-type]


def expire(runs: Runs, run: Run) -> None:
    with runs.database.connect().execution_options(write=True) as connection:
        connection.execute(update(Hold).where(Hold.id == run.facts.id).values(expires_ms=1))
        connection.commit()


def until(condition: Callable[[], bool]) -> None:
    with gevent.Timeout(SECONDS):
        while not condition():
            gevent.sleep(0.005)


def types(events: list[dict[str, Any]]) -> list[str]:
    return [event["type"] for event in events]


def refused(call: Callable[[], object]) -> ServiceError:
    with pytest.raises(ServiceError) as caught:
        call()
    return caught.value


def complete(_task: object, context: Any) -> Any:
    context.progress("looking", analyzer="ruff")
    context.finding(finding(2))
    context.output("")  # says nothing
    context.output("It is ")
    gevent.idle()
    context.output("fine.")
    return result("It is fine.")


def test_a_run_that_completes(runs: Runs) -> None:
    run = runs.start(complete)
    assert runs.balance() == Balance(START, FULL)
    assert runs.row(run).state == "running"
    runs.settled(run, "completed", FULL)
    assert runs.balance() == Balance(START - FULL, 0)
    events = runs.events(run)
    assert types(events) == [
        "run.created",
        "progress",
        "finding",
        "output.delta",
        "output.delta",
        "result",
        "usage",
        "run.completed",
    ]
    del events[0]["runId"], events[0]["sequence"]
    assert events[0] == {
        "type": "run.created",
        "kind": "analysis",
        "engine": "scripted",
        "model": "pro",
        "creditsReserved": FULL,
        "ignoredFields": [],
    }
    assert events[-1]["usage"] == {"inputCharacters": len(TASK.code), "outputTokens": 5}
    row = runs.row(run)
    assert (row.kind, row.engine, row.model, row.price) == ("analysis", "scripted", "pro", FULL)


def test_the_reservation_is_told_before_any_work(sqlite_runs: Runs) -> None:
    worked: list[object] = []
    run = sqlite_runs.start(lambda task, _: worked.append(task) or result())
    frames, after = run.log.wait(0, 0)
    assert (after, worked) == (1, [])
    assert b"run.created" in frames
    sqlite_runs.settled(run, "completed", FULL)
    assert worked == [TASK]


def cut_short(_task: object, _context: object) -> Any:
    raise Incomplete("length", "The answer would have been too long.")


def crash(_task: object, _context: object) -> Any:
    raise ZeroDivisionError("secret 1234")


def crash_late(_task: object, context: Any) -> Any:
    context.output("half a")
    raise ZeroDivisionError


def leave(_task: object, _context: object) -> Any:
    sys.exit(3)


def point_outside(task: Any, context: Any) -> Any:
    context.finding(finding(task.code.count("\n") + 2))
    return result()


def end_the_greenlet(_task: object, _context: object) -> Any:
    raise gevent.GreenletExit


def interrupt(_task: object, _context: object) -> Any:
    raise KeyboardInterrupt


def say_nonsense(_task: object, context: Any) -> Any:
    context.output("\ud800")
    return result()


@pytest.mark.parametrize(
    ("script", "state", "reason", "charged"),
    [
        (cut_short, "incomplete", "length", LEAST),
        (crash, "failed", "internal_error", 0),
        (crash_late, "failed", "internal_error", 0),
        (leave, "failed", "internal_error", 0),
        (end_the_greenlet, "failed", "internal_error", 0),
        (interrupt, "failed", "internal_error", 0),
        (point_outside, "failed", "internal_error", 0),
        (say_nonsense, "failed", "internal_error", 0),
        (lambda _task, _context: None, "failed", "internal_error", 0),
        (lambda _task, _context: (1, 2), "failed", "internal_error", 0),
        (lambda _task, _context: result("\ud800"), "failed", "internal_error", 0),
    ],
    ids=[
        "incomplete",
        "crash",
        "late",
        "exit",
        "greenlet",
        "interrupt",
        "outside",
        "nonsense",
        "none",
        "other",
        "unencodable",
    ],
)
def test_a_run_that_does_not_complete(
    runs: Runs, script: Script, state: str, reason: str, charged: int
) -> None:
    run = runs.start(script)
    runs.settled(run, state, charged)
    assert runs.balance() == Balance(START - charged, 0)
    events = runs.events(run)
    assert events[-1]["reason"] == reason
    assert "finding" not in types(events)
    assert "result" not in types(events)
    assert "1234" not in str(events)


def test_a_run_may_not_take_too_long(runs: Runs) -> None:
    set_(runs, run_timeout=0.05)
    run = runs.start(stays)
    runs.settled(run, "incomplete", LEAST)
    assert runs.events(run)[-1]["reason"] == "time_limit"


def test_the_time_limit_is_over_with_the_work(
    sqlite_runs: Runs, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A settlement that takes long is not the run's fault."""
    set_(sqlite_runs, run_timeout=0.05)
    settle = sqlite_runs.services.runs.store.settle

    def slowly(*arguments: Any) -> bool:
        gevent.sleep(0.1)
        return settle(*arguments)

    monkeypatch.setattr(sqlite_runs.services.runs.store, "settle", slowly)
    sqlite_runs.settled(sqlite_runs.start(), "completed", FULL)


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
    set_(sqlite_runs, run_resume_grace=GRACE)
    go_on = gevent.event.Event()
    run = sqlite_runs.start(lambda _task, _context: go_on.wait(SECONDS) and result())
    with run.log.reading():
        gevent.sleep(2 * GRACE)  # read from the start: not abandoned
    gevent.sleep(GRACE / 4)
    with run.log.reading():  # and again, in time
        gevent.sleep(2 * GRACE)
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


@pytest.mark.parametrize("stop", [lambda stop: stop(), gevent.spawn], ids=["at-once", "spawned"])
def test_a_run_can_be_stopped_before_its_work_begins(
    sqlite_runs: Runs, stop: Callable[[Callable[[], None]], object]
) -> None:
    worked: list[object] = []
    run = sqlite_runs.start(lambda *given: worked.append(given) or result())
    stop(lambda: run.stop(SHUTDOWN))
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


@pytest.mark.parametrize(("script", "metered"), [(complete, FULL), (cut_short, LEAST), (crash, 0)])
def test_unlimited_accounts_are_metered_and_not_charged(
    database_services: Services, database: Database, script: Script, metered: int
) -> None:
    runs = Runs(database_services, database, unlimited=True)
    run = runs.start(script)
    events = runs.events(run)
    assert events[0]["creditsReserved"] == 0
    runs.settled(run, events[-1]["type"].removeprefix("run."), 0, metered)
    assert runs.balance() == Balance(START, 0)


def test_a_settlement_that_is_impossible_fails_the_run_and_its_hold_is_swept(
    runs: Runs, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(run_module, "SETTLE_PAUSE_SECONDS", 0.0001)
    store = runs.services.runs.store
    tries: list[object] = []

    def settle(*arguments: object) -> bool:
        tries.append(arguments)
        raise DATABASE_DOWN

    monkeypatch.setattr(store, "settle", settle)
    run = runs.start(complete)
    last = runs.events(run)[-1]
    assert len(tries) == run_module.SETTLE_TRIES
    assert (last["type"], last["reason"]) == ("run.failed", "database_unavailable")
    assert (last["creditsCharged"], last["creditsRefunded"]) == (0, FULL)
    assert runs.row(run).state == "running"
    assert runs.balance() == Balance(START, FULL)
    assert store.sweep() == 0  # its lease has not run out
    expire(runs, run)
    assert store.sweep() == 1
    row = runs.row(run)
    assert (row.state, row.charged, row.reason) == ("failed", 0, "lease_expired")
    assert runs.balance() == Balance(START, 0)


def test_a_settlement_is_tried_again(runs: Runs, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(run_module, "SETTLE_PAUSE_SECONDS", 0.0001)
    store, errors = runs.services.runs.store, [DATABASE_DOWN] * 3
    settle = store.settle

    def sometimes(*arguments: Any) -> bool:
        if errors:
            raise errors.pop()
        return settle(*arguments)

    monkeypatch.setattr(store, "settle", sometimes)
    runs.settled(runs.start(complete), "completed", FULL)


def test_a_settlement_whose_answer_was_lost_is_not_taken_for_somebody_elses(
    runs: Runs, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The connection may break between the commit and its answer."""
    monkeypatch.setattr(run_module, "SETTLE_PAUSE_SECONDS", 0.0001)
    store, errors = runs.services.runs.store, [DATABASE_DOWN]
    settle = store.settle

    def unheard(*arguments: Any) -> bool:
        ours = settle(*arguments)
        if errors:
            raise errors.pop()
        return ours

    monkeypatch.setattr(store, "settle", unheard)
    runs.settled(runs.start(complete), "completed", FULL)
    assert runs.balance() == Balance(START - FULL, 0)


def test_a_run_that_lost_its_lease_is_free_even_if_it_completes(runs: Runs) -> None:
    swept = gevent.event.Event()
    run = runs.start(lambda _task, _context: swept.wait(SECONDS) and result())
    gevent.idle()
    expire(runs, run)
    assert runs.services.runs.store.sweep() == 1
    swept.set()
    last, row = runs.events(run)[-1], runs.row(run)
    assert (last["type"], last["reason"]) == ("run.failed", "lease_expired")
    assert (last["creditsCharged"], last["creditsRefunded"]) == (0, FULL)
    assert (row.state, row.charged, row.reason, row.result) == ("failed", 0, "lease_expired", None)
    assert runs.balance() == Balance(START, 0)


def test_the_keeper_renews_what_runs_here_and_sweeps_what_others_left(
    runs: Runs, database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    set_(runs, hold_ttl=0.06)
    store = runs.services.runs.store
    renew, errors = store.renew, [DATABASE_DOWN]

    def fail_once(run_ids: list[str]) -> None:
        if errors:
            raise errors.pop()
        renew(run_ids)

    monkeypatch.setattr(store, "renew", fail_once)
    dead = RunStore(database, Writer(database), "a dead process", hold_ttl=-1)
    lost = NewRun(
        id="run_lost",
        account_id=runs.caller.account_id,
        kind="analysis",
        engine="scripted",
        model="pro",
        price=1,
        hold=1,
    )
    assert dead.open(lost) is None
    run = runs.start(stays)
    expire(runs, run)
    until(lambda: store.state("run_lost") is RunState.FAILED)
    assert errors == []
    assert store.state(run.facts.id) is RunState.RUNNING
    assert runs.hold(run).expires_ms > now_ms()
    runs.services.runs.drain(0)


def test_a_start_fails_what_an_earlier_process_left_running(runs: Runs) -> None:
    run = runs.start(stays)
    other = runs.start(stays)
    ending = Ending(state=RunState.COMPLETED, charge=2, metered=2)
    assert runs.services.runs.store.settle(other.facts.id, runs.caller.account_id, ending)
    assert runs.services.runs.store.fail_orphans() == 1
    assert runs.services.runs.store.fail_orphans() == 0
    assert (runs.row(run).state, runs.row(run).reason) == ("failed", "service_restarted")
    assert runs.balance() == Balance(START - 2, 0)
    runs.services.runs.drain(0)


class Low(Scripted):
    name = "low"
    preference = 1


def test_the_preferred_engine_that_is_available_is_taken(sqlite_runs: Runs) -> None:
    services = sqlite_runs.services
    registry = Registry()
    high, low = Scripted(lambda *_: result()), Low(lambda *_: result())
    for engine in (low, high):
        registry.engines.registrar("tests")(engine)
    service = RunService(services.settings, registry, services.runs.store, services.pool)
    taken = []
    for high.is_available in (True, False):
        run = service.start_analysis(sqlite_runs.caller, TASK)
        taken.append(sqlite_runs.events(run)[0]["engine"])
    low.is_available = False
    error = refused(lambda: service.start_analysis(sqlite_runs.caller, TASK))
    assert taken == ["scripted", "low"]
    assert error.code is ErrorCode.OVERLOADED
    assert sqlite_runs.balance() == Balance(START - 2 * FULL, 0)
    assert service._keeper is not None
    service._keeper.kill()


def test_the_words_of_a_run_cut_short_are_made_sendable(runs: Runs) -> None:
    def cut_short_badly(_task: object, _context: object) -> Any:
        raise Incomplete("r" * 2_000, "bad \ud800")

    run = runs.start(cut_short_badly)
    runs.settled(run, "incomplete", LEAST)
    assert runs.events(run)[-1]["message"] == "bad ?"


@pytest.mark.parametrize("outcome", [None, SHUTDOWN])
def test_an_engine_that_does_not_stop_is_left_behind(
    runs: Runs, monkeypatch: pytest.MonkeyPatch, outcome: Outcome | None
) -> None:
    monkeypatch.setattr("codeintel.runs.run.STOP_SECONDS", 0.1)
    said_later: list[str] = []

    def will_not_stop(_task: object, context: Any) -> Any:
        for _ in range(2):
            try:
                gevent.sleep(30)
            except BaseException:  # noqa: BLE001
                said_later.append("still here")
        context.output("too late")

    run = runs.start(will_not_stop)
    if outcome is None:
        run._timeout = 0.05
    gevent.sleep(0.01)
    if outcome is not None:
        run.stop(outcome)
    runs.settled(run, "incomplete", LEAST)
    assert "too late" not in str(runs.events(run))
    assert said_later


def test_what_ended_long_ago_is_forgotten_and_the_ledger_remembers(runs: Runs) -> None:
    old, recent = runs.start(), runs.start()
    runs.settled(old, "completed", FULL)
    runs.settled(recent, "completed", FULL)
    running = runs.start(stays)
    balance = runs.balance()
    long_ago = now_ms() - 3_600_000
    with runs.database.begin() as connection:
        for run in (old, running):
            connection.execute(
                update(Hold).where(Hold.id == run.facts.id).values(expires_ms=long_ago)
            )
        connection.execute(
            update(RunRow).where(RunRow.id == old.facts.id).values(finished_ms=long_ago)
        )
    runs.services.runs.store.forget(older_than=1_800)
    with runs.database.connect() as connection:
        kept = set(connection.scalars(select(RunRow.id)))
        held = set(connection.scalars(select(Hold.id)))
    assert kept == held == {recent.facts.id, running.facts.id}
    assert runs.balance() == balance
    entries = runs.services.ledger.entries(runs.caller.account_id)
    assert {old.facts.id, recent.facts.id} <= {entry.run_id for entry in entries}
