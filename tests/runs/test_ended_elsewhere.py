"""Runs whose rows have ended while their process still works on them."""

from __future__ import annotations

import gevent
from run_helpers import expire, until
from scripted_runs import FULL, SECONDS, Runs, says_and_stays
from sqlalchemy import delete

from codeintel.identity.audit import OPERATOR
from codeintel.platform.db.models import RunRow
from codeintel.runs.supervisor import ASK_SECONDS


def test_a_deletion_stops_the_work(runs: Runs) -> None:
    """Check that its rows may already be gone when the process looks. This test has no Redis."""
    run = runs.start(says_and_stays)
    runs.services.personal_data.delete(runs.caller.account_id, OPERATOR)
    until(lambda: runs.services.runs.active(run.plan.id) is None)
    last = runs.events(run)[-1]
    assert (last["type"], last["creditsCharged"]) == ("run.failed", 0)
    assert runs.balance().posted == 0


def test_a_run_that_was_swept_elsewhere_stops(runs: Runs) -> None:
    run = runs.start(says_and_stays)
    expire(runs, run)
    assert runs.services.runs.store.sweep() == [run.plan.id]
    until(lambda: runs.services.runs.active(run.plan.id) is None)
    assert runs.events(run)[-1]["reason"] == "lease_expired"


def test_others_go_on(runs: Runs) -> None:
    ended, going = runs.start(says_and_stays), runs.start(says_and_stays)
    with runs.database.connect().execution_options(write=True) as connection:
        connection.execute(delete(RunRow).where(RunRow.id == ended.plan.id))
        connection.commit()
    until(lambda: runs.services.runs.active(ended.plan.id) is None)
    gevent.sleep(2 * ASK_SECONDS)
    assert runs.services.runs.active(going.plan.id) is going
    assert not going.log.ended


def test_the_work_of_one_that_settles_by_itself_is_not_stopped(runs: Runs) -> None:
    """Check that the ended row, which precedes the process's own settlement, is ignored."""
    store, settled = runs.services.runs.store, gevent.event.Event()
    settle = store.settle

    def slowly(*arguments: object) -> bool:
        ours = settle(*arguments)  # type: ignore[arg-type]
        settled.set()
        gevent.sleep(2 * ASK_SECONDS)
        return ours

    store.settle = slowly  # type: ignore[method-assign,assignment]
    run = runs.start()
    assert settled.wait(SECONDS)
    runs.settled(run, "completed", FULL)
