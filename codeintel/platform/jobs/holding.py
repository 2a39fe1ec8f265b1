"""Operations of a process on the jobs that it holds: take, renew, advance, end, return.

Each change names the epoch under which the job was taken. If the epoch is outdated, nothing
changes.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from enum import Enum
from typing import Any, TypeVar

from sqlalchemy import Connection, Engine, Update, case, func, select, update

from codeintel.contracts.states import JobState
from codeintel.platform.db.leases import until
from codeintel.platform.db.models import now_ms
from codeintel.platform.db.statements import database_now_ms
from codeintel.platform.db.writer import Writer
from codeintel.platform.jobs.kinds import JobKind, LostJob
from codeintel.platform.jobs.store import Job, JobRow, cancelled, failed, queued, to_job, to_json

T = TypeVar("T")
MAX_NOTE_CHARACTERS = 255


class Hold(Enum):
    """State of a job that was taken."""

    OURS = "ours"
    CANCELLED = "cancelled"
    """Still held by this process, and its cancellation was requested."""
    LOST = "lost"


class JobHolder:
    """Jobs as one process holds them.

    :param owner: the process's name.
    """

    def __init__(
        self, engine: Engine, writer: Writer, owner: str, kinds: Mapping[str, JobKind]
    ) -> None:
        self._engine = engine
        self._writer = writer
        self._owner = owner
        self._kinds = kinds

    def take(self, job_id: str) -> Job | None:
        """Take a job that is due. Return None if it is not due, or another process was faster.

        Jobs of unknown kinds stay queued, with a note, for a version that knows them.
        """

        def work(connection: Connection) -> Job | None:
            name = connection.scalar(select(JobRow.kind).where(JobRow.id == job_id))
            kind = self._kinds.get(name) if name is not None else None
            if kind is None:
                if name is not None:
                    connection.execute(_note_unknown(job_id, name))
                return None
            row = connection.execute(self._take(job_id, kind)).one_or_none()
            return to_job(row) if row is not None else None

        return self._writer.run(work, order=job_id)

    def _take(self, job_id: str, kind: JobKind) -> Any:
        return (
            update(JobRow)
            .where(
                JobRow.id == job_id,
                JobRow.state == JobState.QUEUED,
                JobRow.run_after_ms <= database_now_ms(),
            )
            .values(
                state=JobState.RUNNING,
                epoch=JobRow.epoch + 1,
                attempts=JobRow.attempts + 1,
                owner=self._owner,
                lease_ms=until(kind.lease_seconds),
                started_ms=func.coalesce(JobRow.started_ms, now_ms()),
            )
            .returning(*JobRow.__table__.columns)
        )

    def look(self, job: Job) -> Hold:
        """Return whether this process still holds the job."""
        query = select(JobRow.cancel_ms).where(*_held(job))
        with self._engine.connect() as connection:
            row = connection.execute(query).one_or_none()
        if row is None:
            return Hold.LOST
        return Hold.OURS if row.cancel_ms is None else Hold.CANCELLED

    def renew(self, job: Job) -> Hold:
        """Renew the lease."""
        self._change(job, lease_ms=until(self._kinds[job.kind].lease_seconds))
        return self.look(job)

    def advance(
        self,
        job: Job,
        work: Callable[[Connection], T],
        cursor: Any,
        done: int | None,
        total: int | None,
        note: str | None,
    ) -> T:
        """Do `work` and store the job's progress, in one transaction.

        Progress values do not change for None. If the cursor has moved, the attempts
        start again with this one, and deaths are forgotten. Both limits are meant for what fails at
        one place, not for long jobs.

        :raises LostJob: if another process holds the job; nothing was done.
        :raises Exception: what the work raised; nothing was done.
        """
        progress = {"progress_done": done, "progress_total": total, "progress_note": note}
        given = {name: value for name, value in progress.items() if value is not None}
        if note is not None:
            given["progress_note"] = note[:MAX_NOTE_CHARACTERS]
        encoded = to_json(cursor)
        has_moved = JobRow.cursor.is_distinct_from(encoded)
        attempts = case((has_moved, 1), else_=JobRow.attempts)
        deaths = case((has_moved, 0), else_=JobRow.deaths)
        guarded = _guarded(job, cursor=encoded, attempts=attempts, deaths=deaths, **given)

        def all_of_it(connection: Connection) -> T:
            if connection.execute(guarded).rowcount != 1:
                raise LostJob(job.id)
            return work(connection)

        return self._writer.run(all_of_it, order=job.id)

    def end(
        self, job: Job, state: JobState, *, result: str | None = None, error: str | None = None
    ) -> bool:
        """End the job. Return False if another worker took it over."""
        return self._change(
            job,
            state=state,
            epoch=job.epoch + 1,
            lease_ms=None,
            result=result,
            error=error,
            finished_ms=now_ms(),
        )

    def give_back(self, job: Job) -> JobState | None:
        """Queue the job again as if this attempt had not happened. What it stored stays.

        Returns its state, as :meth:`retry`.
        """
        values = {**queued(job.epoch), "attempts": JobRow.attempts - 1}
        return self._writer.run(lambda connection: _queue(connection, job, values), order=job.id)

    def retry(self, job: Job, error: str) -> JobState | None:
        """Queue the job again after a failed attempt, or fail it after the last attempt.

        Returns its state, which is cancelled if that was requested, or None if another process
        holds the job.
        """
        kind = self._kinds[job.kind]

        def work(connection: Connection) -> JobState | None:
            # Not those that it was taken with, because a checkpoint may have reset them.
            held = select(JobRow.attempts).where(*_held(job)).with_for_update()
            attempts = connection.scalar(held)
            if attempts is None:
                return None
            if attempts >= kind.max_attempts:
                connection.execute(_guarded(job, **failed(job.epoch, error)))
                return JobState.FAILED
            values = {**queued(job.epoch, kind.pause_ms(attempts)), "error": error}
            return _queue(connection, job, values)

        return self._writer.run(work, order=job.id)

    def _change(self, job: Job, **values: Any) -> bool:
        statement = _guarded(job, **values)
        return self._writer.run(
            lambda connection: connection.execute(statement).rowcount == 1, order=job.id
        )


def _held(job: Job) -> tuple[Any, ...]:
    return JobRow.id == job.id, JobRow.state == JobState.RUNNING, JobRow.epoch == job.epoch


def _guarded(job: Job, **values: Any) -> Update:
    return update(JobRow).where(*_held(job)).values(**values)


def _queue(connection: Connection, job: Job, values: dict[str, Any]) -> JobState | None:
    queue = _guarded(job, **values).where(JobRow.cancel_ms.is_(None))
    if connection.execute(queue).rowcount == 1:
        return JobState.QUEUED
    cancel = _guarded(job, **cancelled(job.epoch))
    return JobState.CANCELLED if connection.execute(cancel).rowcount == 1 else None


def _note_unknown(job_id: str, kind: str) -> Update:
    text = (
        f"A process of another version does not know jobs of the kind {kind}. They wait for a "
        "process that does. Upgrade codeintel, or cancel the job."
    )
    return (
        update(JobRow)
        .where(
            JobRow.id == job_id,
            JobRow.state == JobState.QUEUED,
            JobRow.error.is_distinct_from(text),
        )
        .values(error=text)
    )
