"""Nodes share the database's clock, regardless of their local clocks."""

from __future__ import annotations

from functools import partial

import gevent
import pytest
from flask import Flask
from node_clock import AHEAD_MS, NodeClock
from scripted_runs import Runs, stays
from sqlalchemy import select
from support import make_user

from codeintel.app import Services
from codeintel.contracts.states import JobState
from codeintel.identity import ledger
from codeintel.platform.db import db
from codeintel.platform.db.models import Hold, now_ms
from codeintel.platform.db.statements import database_now_ms, measure_skew
from codeintel.platform.db.writer import Writer
from codeintel.platform.jobs.holding import Hold as JobHold, JobHolder
from codeintel.platform.jobs.kinds import JobKind
from codeintel.platform.jobs.messages import Messages
from codeintel.platform.jobs.service import Jobs
from codeintel.workspaces.proof import sweeping
from codeintel.workspaces.proof.sweeping import ProofSweeper

WRONG = pytest.mark.parametrize("ahead_ms", [AHEAD_MS, -AHEAD_MS])


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> NodeClock:
    return NodeClock(monkeypatch)


@pytest.fixture
def runs(database_app: Flask) -> Runs:
    with database_app.app_context():
        return Runs(database_app.extensions["codeintel"], db.engine)


def test_it_is_the_time_in_milliseconds(runs: Runs) -> None:
    before = now_ms()
    with runs.database.connect() as connection:
        told = connection.execute(select(database_now_ms())).scalar_one()
        gevent.sleep(0.02)
        later = connection.execute(select(database_now_ms())).scalar_one()
    assert before - 1 <= told <= later - 15  # it advances within a transaction
    assert later <= now_ms() + 1


@WRONG
def test_a_wrong_clock_of_a_node_fails_no_run_of_another(
    runs: Runs, clock: NodeClock, ahead_ms: int
) -> None:
    run = runs.start(stays)
    clock.ahead_ms = ahead_ms
    store = runs.services.runs.store
    assert store.sweep() == []
    store.renew([run.plan.id])  # by a node whose clock is wrong
    clock.ahead_ms = 0
    assert store.sweep() == []
    with runs.database.connect() as connection:
        left = connection.scalar(
            select(Hold.expires_ms - database_now_ms()).where(Hold.id == run.plan.id)
        )
    assert left is not None
    assert 0 < left <= runs.services.settings.hold_ttl * 1000


@WRONG
def test_jobs_stay_with_their_holder(runs: Runs, clock: NodeClock, ahead_ms: int) -> None:
    services, kind = runs.services, JobKind("count", lambda _: None, lease_seconds=30.0)
    writer = Writer(runs.database)
    messages = Messages(services.settings.instance, None)
    jobs = Jobs(runs.database, writer, messages, [kind], "here:1:x", retention=60)
    holder = JobHolder(runs.database, writer, "there:1:x", {kind.name: kind})
    clock.ahead_ms = ahead_ms
    job_id = jobs.enqueue("count", "a")
    clock.ahead_ms = -ahead_ms
    job = holder.take(job_id)  # it is due by the one clock
    assert job is not None
    clock.ahead_ms = ahead_ms
    jobs.reconciler.release_expired()
    assert holder.look(job) is JobHold.OURS
    assert holder.retry(job, "again") is JobState.QUEUED
    messages.close()


def test_credits_of_a_proof_under_way_stay_reserved(
    database_services: Services, runs: Runs, clock: NodeClock
) -> None:
    account = make_user(database_services, credits_=10).account.id
    writer = Writer(runs.database)
    work = partial(sweeping.reserve, account_id=account, price=3, ttl=60)
    assert writer.run(work) is not None
    clock.ahead_ms = AHEAD_MS
    ProofSweeper(runs.database, writer).sweep()
    with runs.database.connect() as connection:
        assert ledger.read_balance(connection, account).held == 3


@pytest.mark.parametrize(
    ("ahead_ms", "status"),
    [(0, "healthy"), (4_000, "healthy"), (AHEAD_MS, "degraded"), (-AHEAD_MS, "degraded")],
)
def test_health_says_how_wrong_the_clock_is(
    database_app: Flask, clock: NodeClock, ahead_ms: int, status: str
) -> None:
    clock.ahead_ms = ahead_ms
    answer = database_app.test_client().get("/api/v1/health")
    report = answer.json["data"]
    assert (answer.status_code, report["status"]) == (200, status)
    assert report["clockSkew"] == pytest.approx(ahead_ms / 1000, abs=1)


def test_the_time_that_the_answer_takes_is_allowed_for(runs: Runs, clock: NodeClock) -> None:
    clock.ahead_ms = AHEAD_MS
    with runs.database.connect() as connection:
        skew = measure_skew(connection)
    assert skew.ahead_ms == pytest.approx(AHEAD_MS, abs=skew.uncertainty_ms + 2)
