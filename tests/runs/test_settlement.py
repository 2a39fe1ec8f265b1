"""Settlement, leases and what is kept: nothing is lost, nothing is charged twice."""

from __future__ import annotations

from typing import Any

import gevent
import pytest
from run_helpers import complete, crash, cut_short, expire, set_, types, until
from scripted_runs import (
    FULL,
    LEAST,
    SECONDS,
    START,
    Runs,
    Script,
    result,
    stays,
)
from sqlalchemy import Connection, Engine as Database, select, update
from sqlalchemy.exc import OperationalError

from codeintel.app import Services
from codeintel.contracts import Incomplete
from codeintel.contracts.states import RunState
from codeintel.identity.ledger import Balance
from codeintel.platform.db.models import Hold, RunRow, now_ms
from codeintel.platform.db.writer import Writer
from codeintel.runs import run as run_module
from codeintel.runs.service import SHUTDOWN
from codeintel.runs.store import Ending, NewRun, RunStore

DATABASE_DOWN = OperationalError("COMMIT", None, Exception("down"))


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
    assert len(store.sweep()) == 0  # its lease has not run out
    expire(runs, run)
    assert len(store.sweep()) == 1
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


def test_settlements_and_a_grant_whose_commit_was_not_heard_of_are_done_once(
    runs: Runs, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(run_module, "SETTLE_PAUSE_SECONDS", 0.0001)
    begin, commit, lost = gevent.event.Event(), Connection.commit, [DATABASE_DOWN]

    def unheard(connection: Connection) -> None:
        commit(connection)
        if lost:
            raise lost.pop()

    started = [runs.start(lambda *_: begin.wait(SECONDS) and result()) for _ in range(2)]
    gevent.idle()
    monkeypatch.setattr(Connection, "commit", unheard)
    ledger, account = runs.services.ledger, runs.caller.account_id
    grant = gevent.spawn(ledger.grant, account, 5, "a gift")
    begin.set()
    for run in started:
        runs.settled(run, "completed", FULL)
    grant.join(SECONDS)
    assert lost == []
    assert isinstance(grant.exception, OperationalError)
    assert [entry.amount for entry in ledger.entries(account)].count(5) == 1
    assert runs.balance() == Balance(START + 5 - 2 * FULL, 0)


@pytest.mark.parametrize("is_whole", [True, False])
def test_work_left_behind_says_nothing_while_another_settles(
    runs: Runs, monkeypatch: pytest.MonkeyPatch, is_whole: bool
) -> None:
    monkeypatch.setattr(run_module, "STOP_SECONDS", 0.05)
    store, settling, ended = runs.services.runs.store, *(gevent.event.Event() for _ in range(2))
    settle = store.settle

    def slowly(*arguments: Any) -> bool:
        settling.set()
        assert ended.wait(SECONDS)
        gevent.idle()
        return settle(*arguments)

    def will_not_stop(*_: object) -> Any:
        try:
            gevent.sleep(SECONDS)
        except BaseException:  # noqa: BLE001
            settling.wait(SECONDS)
        ended.set()
        if is_whole:
            return result()
        raise Incomplete("too_long", "It is half done.", result()[0])

    monkeypatch.setattr(store, "settle", slowly)
    run = runs.start(will_not_stop)
    gevent.sleep(0.01)
    run.stop(SHUTDOWN)
    runs.settled(run, "incomplete", LEAST)
    assert types(runs.events(run)) == ["run.created", "run.incomplete"]


def test_a_row_that_cannot_be_settled_does_not_keep_others_from_being_swept(
    runs: Runs, database: Database
) -> None:
    store = runs.services.runs.store
    good, bad, last = (runs.start(stays) for _ in range(3))
    for run in (good, bad, last):
        expire(runs, run)
    with database.begin() as connection:  # its charge of zero cannot be deducted
        connection.execute(update(Hold).where(Hold.id == bad.plan.id).values(amount=START * FULL))
    assert set(store.sweep()) == {good.plan.id, last.plan.id}
    assert store.sweep() == []
    assert runs.row(good).state == runs.row(last).state == "failed"
    assert runs.row(bad).state == "running"
    assert runs.balance() == Balance(START, FULL)
    with database.begin() as connection:
        connection.execute(update(Hold).where(Hold.id == bad.plan.id).values(amount=FULL))
    assert store.sweep() == [bad.plan.id]
    runs.services.runs.drain(0)


def test_what_was_swept_is_told_of_though_the_rest_could_not_be(
    runs: Runs, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = runs.services.runs.store
    started = [runs.start(stays) for _ in range(2)]
    for run in started:
        expire(runs, run)
    write, away = store._writer.run, [DATABASE_DOWN]

    def once_away(*arguments: Any, **options: Any) -> Any:
        if away:
            raise away.pop()
        return write(*arguments, **options)

    monkeypatch.setattr(store._writer, "run", once_away)
    first, second = store.sweep(), store.sweep()
    assert len(first) == len(second) == 1
    assert {*first, *second} == {run.plan.id for run in started}
    assert runs.balance() == Balance(START, 0)
    runs.services.runs.drain(0)


def test_a_run_that_lost_its_lease_is_free_even_if_it_completes(runs: Runs) -> None:
    swept = gevent.event.Event()
    run = runs.start(lambda _task, _context: swept.wait(SECONDS) and result())
    gevent.idle()
    expire(runs, run)
    assert len(runs.services.runs.store.sweep()) == 1
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
        usage="{}",
    )
    assert dead.open(lost) is None
    run = runs.start(stays)
    expire(runs, run)
    until(lambda: store.state("run_lost") is RunState.FAILED)
    assert errors == []
    assert store.state(run.plan.id) is RunState.RUNNING
    assert runs.hold(run).expires_ms > now_ms()
    runs.services.runs.drain(0)


def test_a_start_fails_what_an_earlier_process_left_running(runs: Runs) -> None:
    run = runs.start(stays)
    other = runs.start(stays)
    ending = Ending(state=RunState.COMPLETED, charge=2, metered=2)
    assert runs.services.runs.store.settle(other.plan.id, runs.caller.account_id, ending)
    assert len(runs.services.runs.store.fail_orphans()) == 1
    assert len(runs.services.runs.store.fail_orphans()) == 0
    assert (runs.row(run).state, runs.row(run).reason) == ("failed", "service_restarted")
    assert runs.balance() == Balance(START - 2, 0)
    runs.services.runs.drain(0)


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
                update(Hold).where(Hold.id == run.plan.id).values(expires_ms=long_ago)
            )
        connection.execute(
            update(RunRow).where(RunRow.id == old.plan.id).values(finished_ms=long_ago)
        )
    runs.services.runs.store.forget(older_than=1_800)
    with runs.database.connect() as connection:
        kept = set(connection.scalars(select(RunRow.id)))
        held = set(connection.scalars(select(Hold.id)))
    assert kept == held == {recent.plan.id, running.plan.id}
    assert runs.balance() == balance
    entries = runs.services.ledger.entries(runs.caller.account_id)
    assert {old.plan.id, recent.plan.id} <= {entry.run_id for entry in entries}
