"""Jobs that must stop: the process ends, a user cancels, another process holds them."""

from __future__ import annotations

from typing import Any

import gevent
import pytest
from gevent.event import Event
from job_helpers import STEPS, Gate, MakeParty, effects

from codeintel.contracts.states import JobState
from codeintel.platform.db.models import now_ms
from codeintel.platform.jobs import running
from codeintel.platform.jobs.kinds import JobContext, JobKind, JobStopped, LostJob
from codeintel.platform.jobs.store import Job


def test_a_process_that_stops_takes_no_more_and_says_so(sqlite_party: MakeParty) -> None:
    one = sqlite_party()
    job_id = one.jobs.enqueue("count", "a")
    one.work.stop()
    one.work.do(job_id)
    assert one.job(job_id).state is JobState.QUEUED
    assert one.store.unsent(["count"], 0, 10) == [job_id]
    assert one.work.is_idle


def test_a_stopped_job_goes_on_from_its_cursor_elsewhere(party: MakeParty, gate: Gate) -> None:
    kind = JobKind("gate", gate.run)
    one, other = party(kind), party(kind)
    job_id = one.jobs.enqueue("gate", "a")
    one.jobs.start(1)
    gate.wait()
    stopping = gevent.spawn(one.jobs.stop, 20)
    gevent.sleep()
    gate.open.set()
    stopping.join(20)
    job = one.job(job_id)
    assert (job.state, job.attempts, job.cursor) == (JobState.QUEUED, 0, 3)
    assert (job.owner, job.run_after_ms <= now_ms()) == (None, True)
    assert [type(error) for error in gate.errors] == [JobStopped]
    other.jobs.start(1)
    other.wait(job_id)
    job = one.job(job_id)
    assert (job.state, job.attempts, job.result) == (JobState.DONE, 1, "through")
    assert effects(one.engine, job_id) == list(range(STEPS))


def test_a_job_that_computes_lets_others_run_where_it_asks(sqlite_party: MakeParty) -> None:
    began = Event()

    def compute(context: JobContext) -> str:
        began.set()
        for _ in range(100_000):
            context.stop_if_asked()
        return "through"

    one = sqlite_party(JobKind("busy", compute))
    job_id = one.jobs.enqueue("busy", "a")
    one.jobs.start(1)
    with gevent.Timeout(30):
        began.wait()
    one.jobs.stop(20)
    assert one.job(job_id).state is JobState.QUEUED


def test_a_job_that_does_not_stop_in_time_is_queued_all_the_same(
    sqlite_party: MakeParty, gate: Gate
) -> None:
    one = sqlite_party(JobKind("gate", gate.run))
    job_id = one.jobs.enqueue("gate", "a")
    one.jobs.start(1)
    gate.wait()
    one.jobs.stop(0.01)
    job = one.job(job_id)
    assert (job.state, job.attempts, job.cursor) == (JobState.QUEUED, 0, 2)
    assert [type(error) for error in gate.errors] == [gevent.GreenletExit]
    assert one.store.unsent(["gate"], 0, 10) == [job_id]


def test_a_running_job_is_cancelled_by_another_process(party: MakeParty, gate: Gate) -> None:
    one, other = party(JobKind("gate", gate.run)), party()
    job_id = one.jobs.enqueue("gate", "a")
    one.jobs.start(1)
    gate.wait()
    assert other.jobs.cancel(job_id)
    while not one.asked_to_stop():
        gevent.sleep(0.005)
    gate.open.set()
    one.wait(job_id)
    assert one.job(job_id).state is JobState.CANCELLED
    assert effects(one.engine, job_id) == [0, 1, 2]


def test_a_cancelled_job_that_does_not_stop_is_ended(
    sqlite_party: MakeParty, gate: Gate, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(running, "CANCEL_SECONDS", 0.02)
    one = sqlite_party(JobKind("gate", gate.run))
    job_id = one.jobs.enqueue("gate", "a")
    one.jobs.start(1)
    gate.wait()
    assert one.jobs.cancel(job_id)
    one.wait(job_id)
    assert one.job(job_id).state is JobState.CANCELLED
    assert [type(error) for error in gate.errors] == [gevent.GreenletExit]


def test_a_lost_job_is_left_to_its_new_holder(party: MakeParty, gate: Gate) -> None:
    kind = JobKind("gate", gate.run)
    old, new = party(kind), party(JobKind("gate", lambda _: "new"))
    job_id = old.jobs.enqueue("gate", "a")
    working = gevent.spawn(old.work.do, job_id)
    gate.wait()
    old.change(job_id, lease_ms=now_ms() - 1)
    new.jobs.reconciler.release_expired()
    new.change(job_id, run_after_ms=0)
    new.work.do(job_id)
    working.join(20)
    assert isinstance(gate.errors[0], gevent.GreenletExit | LostJob)
    job = new.job(job_id)
    assert (job.state, job.result, job.owner) == (JobState.DONE, "new", new.owner)
    assert effects(old.engine, job_id) == [0, 1]


def test_a_lease_is_renewed_while_the_job_goes_on(sqlite_party: MakeParty, gate: Gate) -> None:
    one = sqlite_party(JobKind("gate", gate.run, lease_seconds=0.3))
    job_id = one.jobs.enqueue("gate", "a")
    renewed: list[Any] = []
    renew = one.work._holder.renew

    def watch(job: Job) -> Any:
        renewed.append(renew(job))
        if len(renewed) == 3:
            gate.open.set()
        return renewed[-1]

    one.work._holder.renew = watch  # type: ignore[method-assign]
    one.work.do(job_id)
    assert one.job(job_id).state is JobState.DONE
    assert len(renewed) >= 3


@pytest.mark.parametrize(("is_further", "attempts"), [(True, 0), (False, 1)])
def test_a_stop_takes_back_its_own_attempt_alone(
    sqlite_party: MakeParty, is_further: bool, attempts: int
) -> None:
    one = sqlite_party(JobKind("any", lambda _: None, backoff_seconds=0))
    job_id = one.jobs.enqueue("any", "a")
    first = one.holder.take(job_id)
    assert first is not None and one.holder.retry(first, "no") is JobState.QUEUED
    second = one.holder.take(job_id)
    assert second is not None and second.attempts == 2
    if is_further:
        one.holder.advance(second, lambda _: None, 1, None, None, None)
    assert one.holder.give_back(second) is JobState.QUEUED
    assert one.job(job_id).attempts == attempts
