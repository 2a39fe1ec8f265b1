"""Jobs run by workers: to the end, again after a failure, from the cursor after a stop."""

from __future__ import annotations

from typing import Any

import gevent
import pytest
from job_helpers import STEPS, Gate, MakeParty, Party, effects, note

from codeintel.contracts.states import JobState
from codeintel.platform.db.models import now_ms
from codeintel.platform.jobs.kinds import (
    MAX_BACKOFF_SECONDS,
    JobContext,
    JobFailure,
    JobKind,
    JobStopped,
    by_name,
)
from codeintel.platform.jobs.store import Job


def test_a_job_is_done_by_a_consumer(party: MakeParty) -> None:
    ended: list[tuple[str, JobState]] = []
    times: list[float] = []

    def tell(job: Job, state: JobState, seconds: float) -> None:
        ended.append((job.key, state))
        times.append(seconds)
        raise RuntimeError  # it has no effect

    one = party()
    one.jobs.start(2, tell)
    one.jobs.start(2)
    ids = [one.jobs.enqueue("count", key) for key in "abc"]
    one.wait(*ids)
    for job_id in ids:
        job = one.job(job_id)
        assert (job.state, job.result, job.attempts) == (JobState.DONE, STEPS, 1)
        assert (job.progress_done, job.progress_total) == (STEPS, STEPS)
        assert job.progress_note == f"step {STEPS - 1}"
        assert effects(one.engine, job_id) == list(range(STEPS))
    one.jobs.stop(5)
    assert sorted(ended) == [(key, JobState.DONE) for key in "abc"]
    assert all(seconds > 0 for seconds in times)


def test_no_worker_takes_nothing(sqlite_party: MakeParty) -> None:
    one = sqlite_party()
    one.jobs.start(0)
    job_id = one.jobs.enqueue("count", "a")
    gevent.sleep()
    one.jobs.stop(0)
    assert one.job(job_id).state is JobState.QUEUED


def test_waiting_until_nothing_is_due(sqlite_party: MakeParty) -> None:
    one = sqlite_party(JobKind("broken", lambda _: 1 / 0))
    due = [one.jobs.enqueue("count", key) for key in "abc"]
    due.append(one.jobs.enqueue("broken", "b"))
    later = one.jobs.enqueue("count", "d", run_after=now_ms() / 1000 + 3600)
    one.jobs.start(1)
    one.jobs.wait_until_idle()
    states = [one.job(each).state for each in (*due, later)]
    assert states == [JobState.DONE] * 3 + [JobState.QUEUED] * 2


def test_a_failed_job_is_tried_again_later_and_at_last_fails(party: MakeParty) -> None:
    def fail(_: JobContext) -> None:
        raise ValueError("a secret")

    one = party(JobKind("failing", fail, max_attempts=3, backoff_seconds=100))
    job_id = one.jobs.enqueue("failing", "a")
    for pause in (100, 200):
        before = now_ms()
        one.work.do(job_id)
        job = one.job(job_id)
        assert job.state is JobState.QUEUED
        assert before + pause * 1000 <= job.run_after_ms <= now_ms() + pause * 1000
        one.work.do(job_id)  # a second message changes nothing
        assert one.job(job_id) == job
        one.change(job_id, run_after_ms=0)
    one.work.do(job_id)
    job = one.job(job_id)
    assert (job.state, job.attempts) == (JobState.FAILED, 3)
    assert job.error.startswith("ValueError at test_job_attempts.py:")
    assert "secret" not in job.error


def again(one: Party, job_id: str) -> Job:
    """Return the job after one more attempt."""
    one.change(job_id, run_after_ms=0)
    one.work.do(job_id)
    job: Job = one.job(job_id)
    return job


def test_a_job_that_goes_on_may_fail_as_often_as_it_likes(party: MakeParty) -> None:
    def stumble(context: JobContext) -> str:
        step = context.cursor or 0
        if step == 2 * STEPS:
            return "through"
        context.checkpoint(note(context.id, step), step + 1)
        raise JobFailure("The wire broke.")

    one = party(JobKind("long", stumble, max_attempts=2, backoff_seconds=100))
    job_id = one.jobs.enqueue("long", "a")
    for _ in range(2 * STEPS):
        before = now_ms()
        job = again(one, job_id)
        assert (job.state, job.attempts) == (JobState.QUEUED, 1)
        assert job.run_after_ms <= before + 150_000  # nor does the pause double
    job = again(one, job_id)
    assert (job.state, job.result) == (JobState.DONE, "through")
    assert effects(one.engine, job_id) == list(range(2 * STEPS))


@pytest.mark.parametrize("cursor", [1, None])
def test_a_step_that_always_fails_ends_the_job(party: MakeParty, cursor: int | None) -> None:
    """Check that a checkpoint without movement is not progress, because the same step is next."""

    def fail_at_one(context: JobContext) -> None:
        context.checkpoint(lambda _: None, cursor, note="again")
        raise JobFailure("This step fails.")

    one = party(JobKind("poison", fail_at_one, max_attempts=3))
    job_id = one.jobs.enqueue("poison", "a")
    found = [again(one, job_id) for _ in range(3)]
    assert [each.attempts for each in found] == [1, 2, 3]
    assert [each.state for each in found] == [JobState.QUEUED, JobState.QUEUED, JobState.FAILED]
    assert found[-1].error == "This step fails."
    assert found[-1].finished_ms is not None


def test_the_deaths_of_a_job_that_goes_on_do_not_add_up(party: MakeParty) -> None:
    """Check that only deaths at the same step add up."""
    one = party(JobKind("long", lambda _: None, max_attempts=2))
    job_id = one.jobs.enqueue("long", "a")
    for steps, attempts, state in (
        *((1, 1, JobState.QUEUED),) * 4,
        (0, 2, JobState.FAILED),
    ):
        one.change(job_id, run_after_ms=0)
        held = one.holder.take(job_id)
        assert held is not None
        for _ in range(steps):
            one.holder.advance(held, lambda _: None, held.epoch, None, None, None)
        one.change(job_id, lease_ms=now_ms() - 1)
        one.jobs.reconciler.release_expired()
        job = one.job(job_id)
        assert (job.attempts, job.state) == (attempts, state)


@pytest.mark.parametrize(
    ("error", "state", "text"),
    [
        (JobFailure("The disk is full."), JobState.QUEUED, "The disk is full."),
        (JobFailure("No such tree.", final=True), JobState.FAILED, "No such tree."),
        (SystemExit("secret"), JobState.QUEUED, "SystemExit at "),
        (gevent.Timeout(1), JobState.QUEUED, "Timeout at "),
        (JobStopped("unasked"), JobState.QUEUED, "JobStopped at "),
    ],
)
def test_what_a_job_may_raise(
    sqlite_party: MakeParty, error: BaseException, state: JobState, text: str
) -> None:
    def fail(_: JobContext) -> None:
        raise error

    one = sqlite_party(JobKind("failing", fail))
    job_id = one.jobs.enqueue("failing", "a")
    one.work.do(job_id)
    job = one.job(job_id)
    assert (job.state, job.attempts) == (state, 1)
    assert job.error.startswith(text)


def test_a_result_that_is_no_json_is_a_failure(sqlite_party: MakeParty) -> None:
    one = sqlite_party(JobKind("odd", lambda _: object()))
    job_id = one.jobs.enqueue("odd", "a")
    one.work.do(job_id)
    assert one.job(job_id).error.startswith("TypeError at ")


def test_a_job_that_takes_too_long_is_ended(sqlite_party: MakeParty, gate: Gate) -> None:
    one = sqlite_party(JobKind("slow", gate.run, timeout_seconds=0.05, max_attempts=1))
    job_id = one.jobs.enqueue("slow", "a")
    one.work.do(job_id)
    job = one.job(job_id)
    assert (job.state, job.error) == (JobState.FAILED, "It took longer than 0.05 s.")
    assert effects(one.engine, job_id) == [0, 1]


@pytest.mark.parametrize(("attempts", "seconds"), [(1, 10), (2, 20), (5, 160), (100, 3600)])
def test_pauses_double(attempts: int, seconds: int) -> None:
    assert JobKind("any", lambda _: None).pause_ms(attempts) == seconds * 1000
    assert seconds <= MAX_BACKOFF_SECONDS


@pytest.mark.parametrize(
    "values",
    [{"name": ""}, {"name": "k" * 65}, {"max_attempts": 0}, {"lease_seconds": 0}],
)
def test_bad_kinds_are_refused(values: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match="job kind"):
        JobKind(**{"name": "any", "run": lambda _: None, **values})


def test_two_kinds_of_one_name_are_refused() -> None:
    kind = JobKind("any", lambda _: None)
    with pytest.raises(ValueError, match="two job kinds have the name any"):
        by_name([kind, kind])
