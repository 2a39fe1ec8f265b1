"""Jobs whose holder is gone, or no longer current."""

from __future__ import annotations

from pathlib import Path

import pytest
from job_helpers import MakeParty, Party, effects, note
from sqlalchemy import create_engine

from codeintel.contracts.states import JobState
from codeintel.platform.db.models import now_ms
from codeintel.platform.jobs.holding import Hold
from codeintel.platform.jobs.kinds import JobKind, LostJob

CLAIMANTS = 8


def test_a_job_without_a_renewed_lease_goes_to_another(party: MakeParty) -> None:
    old, new = party(), party()
    job_id = old.jobs.enqueue("count", "a")
    held = old.holder.take(job_id)
    assert held is not None
    old.holder.advance(held, note(job_id, 0), {"next": 1}, 1, 5, "first")
    new.jobs.reconciler.release_expired()
    assert new.holder.take(job_id) is None
    old.change(job_id, lease_ms=now_ms() - 1)
    new.jobs.reconciler.release_expired()
    assert new.job(job_id).run_after_ms > now_ms()
    old.change(job_id, run_after_ms=0)
    taken = new.holder.take(job_id)
    assert taken is not None
    assert taken.cursor == {"next": 1}
    assert taken.epoch > held.epoch
    assert taken.attempts == 2
    assert (taken.progress_done, taken.progress_total, taken.progress_note) == (1, 5, "first")
    with pytest.raises(LostJob):
        old.holder.advance(held, note(job_id, 1), {"next": 2}, 2, None, None)
    assert old.holder.renew(held) is Hold.LOST
    assert old.holder.look(held) is Hold.LOST
    assert old.holder.end(held, JobState.DONE) is False
    assert old.holder.give_back(held) is None
    assert old.holder.retry(held, "late") is None
    assert effects(old.engine, job_id) == [0]
    assert new.job(job_id) == taken
    assert new.holder.look(taken) is Hold.OURS


def test_a_renewed_lease_is_kept(party: MakeParty) -> None:
    one = party()
    job_id = one.jobs.enqueue("count", "a")
    held = one.holder.take(job_id)
    assert held is not None
    one.change(job_id, lease_ms=now_ms() - 1)
    assert one.holder.renew(held) is Hold.OURS
    one.jobs.reconciler.release_expired()
    assert one.job(job_id).state is JobState.RUNNING


@pytest.mark.parametrize("way", ["give back", "retry", "process lost"])
def test_what_runs_and_was_cancelled_is_not_queued_again(party: MakeParty, way: str) -> None:
    one = party()
    job_id = one.jobs.enqueue("count", "a")
    held = one.holder.take(job_id)
    assert held is not None
    assert one.jobs.cancel(job_id)
    assert one.holder.look(held) is Hold.CANCELLED
    if way == "give back":
        assert one.holder.give_back(held) is JobState.CANCELLED
    elif way == "retry":
        assert one.holder.retry(held, "no") is JobState.CANCELLED
    else:
        one.change(job_id, lease_ms=now_ms() - 1)
        one.jobs.reconciler.release_expired()
    assert one.job(job_id).state is JobState.CANCELLED
    assert one.job(job_id).finished_ms is not None


def lose(one: Party, job_id: str) -> None:
    """Take a job, and lose its process."""
    one.change(job_id, run_after_ms=0)
    assert one.holder.take(job_id) is not None
    one.change(job_id, lease_ms=now_ms() - 1)
    one.jobs.reconciler.round()


def test_a_job_that_killed_its_process_twice_fails(party: MakeParty) -> None:
    one = party(JobKind("poison", lambda _: None, max_attempts=9))
    job_id = one.jobs.enqueue("poison", "a")
    lose(one, job_id)
    waiting = one.job(job_id)
    assert (waiting.state, waiting.deaths) == (JobState.QUEUED, 1)
    assert waiting.error == f"The process that worked on it ({one.owner}) died or froze."
    lose(one, job_id)
    job = one.job(job_id)
    assert (job.state, job.deaths, job.attempts) == (JobState.FAILED, 2, 2)
    assert job.error == (
        f"The process that worked on it ({one.owner}) died or froze. This has happened 2 times at "
        "this point, so the job is not retried."
    )


def test_a_failure_between_two_deaths_does_not_hide_them(party: MakeParty) -> None:
    one = party(JobKind("poison", lambda _: None, max_attempts=9))
    job_id = one.jobs.enqueue("poison", "a")
    lose(one, job_id)
    one.change(job_id, run_after_ms=0)
    held = one.holder.take(job_id)
    assert held is not None
    assert one.holder.retry(held, "It failed.") is JobState.QUEUED
    assert one.job(job_id).deaths == 1
    lose(one, job_id)
    assert one.job(job_id).state is JobState.FAILED


def test_deaths_are_forgotten_where_a_job_goes_on(party: MakeParty) -> None:
    one = party()
    job_id = one.jobs.enqueue("count", "a")
    for step in range(4):
        one.change(job_id, run_after_ms=0)
        held = one.holder.take(job_id)
        assert held is not None
        one.holder.advance(held, note(job_id, step), step, None, None, None)
        one.change(job_id, lease_ms=now_ms() - 1)
        one.jobs.reconciler.release_expired()
        assert (one.job(job_id).state, one.job(job_id).deaths) == (JobState.QUEUED, 1)


def test_jobs_of_dead_processes_need_not_wait_for_their_lease(
    party: MakeParty, monkeypatch: pytest.MonkeyPatch
) -> None:
    one, dead = party(), party(owner="dead")
    jobs = [each.jobs.enqueue("count", each.owner) for each in (one, dead)]
    assert all(each.holder.take(job) for each, job in zip((one, dead), jobs, strict=True))
    monkeypatch.setattr("codeintel.platform.db.leases.is_gone", lambda owner: owner == "dead")
    one.jobs.reconciler.release_gone()
    assert [one.job(each).state for each in jobs] == [JobState.RUNNING, JobState.QUEUED]


def test_jobs_of_an_unknown_kind_wait_for_a_version_that_knows_them(
    party: MakeParty, caplog: pytest.LogCaptureFixture
) -> None:
    newer, older = party(JobKind("newer", lambda _: "done")), party()
    job_id = newer.jobs.enqueue("newer", "a")
    assert older.holder.take(job_id) is None
    waiting = older.job(job_id)
    assert waiting.state is JobState.QUEUED
    assert "does not know jobs of the kind newer" in waiting.error
    assert older.store.next_due(older.kinds) is None
    assert older.store.unsent(older.kinds, now_ms() + 1, 10) == []
    held = newer.holder.take(job_id)
    assert held is not None
    newer.change(job_id, lease_ms=0)
    older.jobs.reconciler.round()
    assert caplog.records == []
    assert older.job(job_id).state is JobState.RUNNING
    assert newer.holder.end(held, JobState.DONE)
    assert newer.job(job_id).error is None


def test_a_database_out_of_reach_is_one_line_a_round(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    nowhere = Party(create_engine(f"sqlite:///{tmp_path / 'missing' / 'file'}"), tmp_path)
    nowhere.jobs.reconciler.round()
    lines = [record.getMessage() for record in caplog.records]
    assert lines == [
        "jobs could not be reconciled: the database does not answer (OperationalError)"
    ]
