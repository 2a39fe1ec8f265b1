"""The table of jobs: one open job for a key, one holder at a time, nothing for a former one."""

from __future__ import annotations

import threading
from typing import Any

import pytest
from job_helpers import MakeParty, effects, note
from sqlalchemy import Connection, Engine

from codeintel.contracts.states import JobState
from codeintel.platform.db.models import now_ms
from codeintel.platform.db.writer import Writer
from codeintel.platform.jobs.holding import JobHolder
from codeintel.platform.jobs.kinds import JobKind

CLAIMANTS = 8


def test_a_job_is_kept_as_it_was_given(party: MakeParty) -> None:
    jobs = party().jobs
    job_id = jobs.enqueue("count", "a", {"path": "ä/b", "list": [1, None]})
    job = jobs.find(job_id)
    assert job is not None
    assert (job.kind, job.key, job.state) == ("count", "a", JobState.QUEUED)
    assert job.arguments == {"path": "ä/b", "list": [1, None]}
    assert (job.cursor, job.result, job.attempts, job.owner) == (None, None, 0, None)
    assert jobs.find("job_other") is None


def test_an_open_job_is_not_added_twice(party: MakeParty) -> None:
    one = party(JobKind("other", lambda _: None))
    first = one.jobs.enqueue("count", "a", 1)
    assert one.jobs.enqueue("count", "a", 2) == first
    assert one.jobs.enqueue("count", "b", 3) != first
    assert one.jobs.enqueue("other", "a", 4) != first
    taken = one.holder.take(first)
    assert taken is not None
    assert taken.arguments == 1
    assert one.jobs.enqueue("count", "a", 2) == first
    assert one.holder.end(taken, JobState.DONE)
    second = one.jobs.enqueue("count", "a", 5)
    assert second != first
    assert one.job(second).arguments == 5


@pytest.mark.parametrize(
    ("kind", "key", "arguments", "error"),
    [
        ("unheard", "a", None, "unknown job kind 'unheard'"),
        ("count", "", None, "1 to 255 characters, not 0"),
        ("count", "k" * 256, None, "1 to 255 characters, not 256"),
        ("count", "a", object(), "object"),
    ],
)
def test_bad_orders_are_refused(
    sqlite_party: MakeParty, kind: str, key: str, arguments: Any, error: str
) -> None:
    jobs = sqlite_party().jobs
    with pytest.raises((ValueError, TypeError), match=error):
        jobs.enqueue(kind, key, arguments)
    assert jobs.list() == []


def test_a_job_can_be_part_of_a_transaction(party: MakeParty) -> None:
    one = party()
    writer = Writer(one.engine)

    def undone(connection: Connection) -> None:
        one.jobs.enqueue_with(connection, "count", "a")
        raise RuntimeError

    with pytest.raises(RuntimeError):
        writer.run(undone)
    assert one.jobs.list() == []
    job_id = writer.run(lambda connection: one.jobs.enqueue_with(connection, "count", "a"))
    assert one.store.unsent(["count"], 0, 10) == [job_id]


def test_one_of_many_claimants_wins(database: Engine, party: MakeParty) -> None:
    """Check it in threads, because greenlets take turns if the standard library is not patched."""
    one = party()
    for number in range(5):
        job_id = one.jobs.enqueue("count", f"key {number}")
        gate = threading.Barrier(CLAIMANTS)
        won: list[Any] = []

        def claim(
            job_id: str = job_id, gate: threading.Barrier = gate, won: list[Any] = won
        ) -> None:
            holder = JobHolder(
                database, Writer(database), threading.current_thread().name, one.kinds
            )
            gate.wait()
            won.append(holder.take(job_id))

        threads = [threading.Thread(target=claim) for _ in range(CLAIMANTS)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        winners = [job for job in won if job is not None]
        assert len(won) == CLAIMANTS
        assert len(winners) == 1
        row = one.job(job_id)
        assert (row.owner, row.epoch, row.attempts) == (winners[0].owner, 1, 1)


def test_a_job_waits_for_its_time(party: MakeParty) -> None:
    one = party()
    job_id = one.jobs.enqueue("count", "a", run_after=now_ms() / 1000 + 3600)
    assert one.holder.take(job_id) is None
    assert one.store.next_due(["count"]) is None
    one.change(job_id, run_after_ms=now_ms())
    assert one.store.next_due(["count"]) == job_id
    assert one.store.unsent(["count"], 0, 10) == [job_id]
    assert one.holder.take(job_id) is not None


def test_work_that_fails_moves_no_cursor(party: MakeParty) -> None:
    one = party()
    job_id = one.jobs.enqueue("count", "a")
    held = one.holder.take(job_id)
    assert held is not None

    def broken(connection: Connection) -> None:
        note(job_id, 1)(connection)
        raise RuntimeError

    with pytest.raises(RuntimeError):
        one.holder.advance(held, broken, 7, 7, 7, "seven")
    assert one.job(job_id) == held
    assert effects(one.engine, job_id) == []


def test_what_waits_is_cancelled_at_once(party: MakeParty) -> None:
    one = party()
    job_id = one.jobs.enqueue("count", "a")
    assert one.jobs.cancel(job_id)
    assert not one.jobs.cancel(job_id)
    assert not one.jobs.cancel("job_other")
    assert one.job(job_id).state is JobState.CANCELLED
    assert one.holder.take(job_id) is None
    assert one.jobs.enqueue("count", "a") != job_id


def test_ended_jobs_are_forgotten(party: MakeParty) -> None:
    one = party()
    old, recent, waiting = (one.jobs.enqueue("count", key) for key in "abc")
    for job_id in (old, recent):
        assert one.jobs.cancel(job_id)
    one.change(old, finished_ms=now_ms() - 61_000)
    one.store.forget(60)
    assert {job.id for job in one.jobs.list()} == {recent, waiting}
    assert [job.id for job in one.jobs.list(state=JobState.CANCELLED)] == [recent]
    assert one.jobs.list(kind="other") == []
    assert len(one.jobs.list(limit=1)) == 1
