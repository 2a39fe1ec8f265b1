"""Jobs in the database, for the code that wants them done: add, find, cancel, delete."""

from __future__ import annotations

import time
from collections.abc import Collection
from typing import Any

import msgspec
from sqlalchemy import (
    ColumnElement,
    Connection,
    Engine,
    Index,
    Row,
    Select,
    String,
    Text,
    func,
    or_,
    select,
    text,
    update,
)
from sqlalchemy.orm import Mapped, mapped_column

from codeintel.contracts.states import OPEN, JobState
from codeintel.platform.db.batches import BatchDeleter, Old
from codeintel.platform.db.models import Base, new_id, now_ms
from codeintel.platform.db.statements import database_now_ms, insert_into
from codeintel.platform.db.writer import Writer

_OPEN = text("state IN ('queued', 'running')")


class JobRow(Base):
    """A job: its task, the process that does it, its progress and its result."""

    __tablename__ = "jobs"
    __table_args__ = (
        # At most one open job for each kind and key.
        Index(
            "uq_jobs_open", "kind", "key", unique=True, sqlite_where=_OPEN, postgresql_where=_OPEN
        ),
        Index("ix_jobs_state_run_after", "state", "run_after_ms"),
        Index("ix_jobs_state_lease", "state", "lease_ms"),
    )

    id: Mapped[str] = mapped_column(String(32), primary_key=True)
    kind: Mapped[str] = mapped_column(String(64))
    key: Mapped[str]
    arguments: Mapped[str] = mapped_column(Text)
    """JSON."""
    state: Mapped[str] = mapped_column(String(16))
    epoch: Mapped[int]
    """Increases when another process takes the job.

    Only the holder of the current epoch may change it.
    """
    attempts: Mapped[int]
    """Attempts since the cursor last moved, including the one that moved it, without stopped
    ones.
    """
    deaths: Mapped[int] = mapped_column(server_default="0")
    """Number of processes that died or froze while working on it, since the cursor last moved."""
    owner: Mapped[str | None] = mapped_column(String(64))
    """The process that works on it."""
    lease_ms: Mapped[int | None]
    """When the lease ends. An unrenewed job may then be taken by another process."""
    run_after_ms: Mapped[int]
    sent_ms: Mapped[int | None]
    """When a message with its id was last sent; null: not sent yet."""
    cancel_ms: Mapped[int | None]
    """When its cancellation was requested while it ran."""
    progress_done: Mapped[int | None]
    progress_total: Mapped[int | None]
    progress_note: Mapped[str | None]
    cursor: Mapped[str | None] = mapped_column(Text)
    """JSON: where to continue."""
    result: Mapped[str | None] = mapped_column(Text)
    """JSON."""
    error: Mapped[str | None] = mapped_column(Text)
    """The last error, for operators."""
    created_ms: Mapped[int]
    started_ms: Mapped[int | None]
    finished_ms: Mapped[int | None] = mapped_column(index=True)


class Job(msgspec.Struct, frozen=True, kw_only=True):
    """A job at one moment.

    `arguments`, `cursor` and `result` are JSON values. Times are milliseconds since 1970.
    """

    id: str
    kind: str
    key: str
    arguments: Any
    state: JobState
    epoch: int
    attempts: int
    deaths: int
    """Processes that died or froze while working on it, since the cursor last moved."""
    owner: str | None
    run_after_ms: int
    cancel_ms: int | None
    """When its cancellation was requested while it ran."""
    progress_done: int | None
    progress_total: int | None
    progress_note: str | None
    cursor: Any
    result: Any
    error: str | None
    created_ms: int
    started_ms: int | None
    finished_ms: int | None


def to_job(row: Row[Any]) -> Job:
    """Return the job of a row with all columns."""
    values = {name: row._mapping[name] for name in Job.__struct_fields__}
    for name in ("arguments", "cursor", "result"):
        values[name] = from_json(values[name])
    return Job(**{**values, "state": JobState(values["state"])})


def to_json(value: Any) -> str | None:
    """Return the JSON of a value, or None for None.

    :raises TypeError: for what JSON cannot express.
    """
    return None if value is None else msgspec.json.encode(value).decode()


def from_json(text: str | None) -> Any:
    """Return the value of JSON, the inverse of :func:`to_json`."""
    return None if text is None else msgspec.json.decode(text)


Epoch = int | ColumnElement[int]
"""A job's current epoch: a number, or the column where many jobs change together."""


def queued(epoch: Epoch, pause_ms: int = 0) -> dict[str, Any]:
    """Return the values of a job that has no holder anymore."""
    return {
        "state": JobState.QUEUED,
        "epoch": epoch + 1,
        "owner": None,
        "lease_ms": None,
        "sent_ms": None,
        "run_after_ms": database_now_ms() + pause_ms,
    }


def cancelled(epoch: Epoch) -> dict[str, Any]:
    """Return the values of a job that ran and was cancelled."""
    return {
        "state": JobState.CANCELLED,
        "epoch": epoch + 1,
        "lease_ms": None,
        "finished_ms": now_ms(),
    }


def failed(epoch: Epoch, error: str) -> dict[str, Any]:
    """Return the values of a job that ran and is not retried.

    :param error: for operators.
    """
    return {**cancelled(epoch), "state": JobState.FAILED, "error": error}


MAX_KEY_CHARACTERS = 255
FORGET_SECONDS = 30.0
RunAfter = int | ColumnElement[int]
"""Milliseconds since 1970, or a time that the database computes by its own clock."""
_COLUMNS = JobRow.__table__


class JobStore:
    """The rows of jobs."""

    def __init__(self, engine: Engine, writer: Writer) -> None:
        self._engine = engine
        self._writer = writer
        self._deleter = BatchDeleter(engine, writer)

    def add(
        self, kind: str, key: str, arguments: Any, run_after_ms: int | None = None
    ) -> tuple[str, bool]:
        """Add a job as :func:`insert` does, in its own transaction. Also return whether it is new.

        The message of a job that may start immediately counts as sent. A caller that cannot send it
        calls :meth:`unsend`.
        """
        encoded = _checked(key, arguments)
        sent = now_ms() if run_after_ms is None or run_after_ms <= now_ms() else None
        return self._writer.run(
            lambda connection: _insert(connection, kind, key, encoded, run_after_ms, sent)
        )

    def find(self, job_id: str) -> Job | None:
        """Return the job as it is now, or None if it is unknown."""
        with self._engine.connect() as connection:
            row = connection.execute(select(_COLUMNS).where(JobRow.id == job_id)).one_or_none()
        return to_job(row) if row is not None else None

    def newest(
        self, kind: str | None = None, state: JobState | None = None, limit: int = 100
    ) -> list[Job]:
        """Return the newest jobs, optionally of one kind and in one state."""
        query = select(_COLUMNS).order_by(JobRow.created_ms.desc(), JobRow.id).limit(limit)
        if kind is not None:
            query = query.where(JobRow.kind == kind)
        if state is not None:
            query = query.where(JobRow.state == state)
        with self._engine.connect() as connection:
            return [to_job(row) for row in connection.execute(query)]

    def cancel(self, job_id: str) -> bool:
        """Cancel a waiting job, or request the end of an active one.

        Return False if it has ended.
        """
        now = now_ms()
        waiting = (
            update(JobRow)
            .where(JobRow.id == job_id, JobRow.state == JobState.QUEUED)
            .values(
                state=JobState.CANCELLED, epoch=JobRow.epoch + 1, cancel_ms=now, finished_ms=now
            )
        )
        running = (
            update(JobRow)
            .where(JobRow.id == job_id, JobRow.state == JobState.RUNNING)
            .values(cancel_ms=now)
        )

        def work(connection: Connection) -> bool:
            return any(connection.execute(each).rowcount for each in (waiting, running))

        return self._writer.run(work, order=job_id)

    def hurry(self, job_id: str) -> bool:
        """Let a waiting job start now, and count its message as sent.

        Return False if it does not wait.
        """
        statement = (
            update(JobRow)
            .where(JobRow.id == job_id, JobRow.state == JobState.QUEUED)
            .values(run_after_ms=database_now_ms(), sent_ms=now_ms())
        )
        return self._writer.run(
            lambda connection: connection.execute(statement).rowcount == 1, order=job_id
        )

    def next_due(self, kinds: Collection[str]) -> str | None:
        """Return the id of the job that has waited longest among those that may run now."""
        with self._engine.connect() as connection:
            return connection.scalar(_due(kinds).limit(1))

    def count_due(self, kinds: Collection[str]) -> dict[str, int]:
        """Return the number of jobs that may run now, by kind, without kinds that have none."""
        found = _due(kinds).order_by(None).with_only_columns(JobRow.kind, func.count())
        with self._engine.connect() as connection:
            return {row[0]: row[1] for row in connection.execute(found.group_by(JobRow.kind))}

    def unsent(self, kinds: Collection[str], sent_before_ms: int, limit: int) -> list[str]:
        """Return the ids of due jobs without a message, or with one sent before that time."""
        query = _due(kinds).where(or_(JobRow.sent_ms.is_(None), JobRow.sent_ms < sent_before_ms))
        with self._engine.connect() as connection:
            return list(connection.scalars(query.limit(limit)))

    def mark_sent(self, job_ids: Collection[str]) -> None:
        """Note that their messages have been sent."""
        self._set_sent(job_ids, now_ms())

    def unsend(self, job_id: str) -> None:
        """Note that its message could not be sent."""
        self._set_sent([job_id], None)

    def forget(self, older_than: float) -> None:
        """Delete jobs that ended more than `older_than` seconds ago, in small transactions.

        This takes up to 30 s. The rest is deleted the next time.
        """
        cutoff = now_ms() - int(older_than * 1000)
        old = Old(JobRow, JobRow.finished_ms < cutoff, JobRow.finished_ms)
        self._deleter.delete(old, time.monotonic() + FORGET_SECONDS)

    def _set_sent(self, job_ids: Collection[str], sent_ms: int | None) -> None:
        if job_ids:
            statement = (
                update(JobRow)
                .where(JobRow.id.in_(sorted(job_ids)), JobRow.state == JobState.QUEUED)
                .values(sent_ms=sent_ms)
            )
            self._writer.run(lambda connection: connection.execute(statement))


def insert(
    connection: Connection,
    kind: str,
    key: str,
    arguments: Any,
    run_after_ms: RunAfter | None = None,
) -> str:
    """Add a job within a transaction and return its id.

    If an open job has the same kind and key, its id is returned and it keeps its arguments.

    :param run_after_ms: time before which it must not start; None for immediately.
    :raises ValueError: for an empty or a long key.
    :raises TypeError: for arguments that JSON cannot express.
    """
    encoded = _checked(key, arguments)
    return _insert(connection, kind, key, encoded, run_after_ms, None)[0]


def _checked(key: str, arguments: Any) -> str:
    if not 1 <= len(key) <= MAX_KEY_CHARACTERS:
        raise ValueError(f"a job's key has 1 to {MAX_KEY_CHARACTERS} characters, not {len(key)}")
    return to_json(arguments) or "null"


def _insert(
    connection: Connection,
    kind: str,
    key: str,
    arguments: str,
    run_after_ms: RunAfter | None,
    sent_ms: int | None,
) -> tuple[str, bool]:
    values = {
        "id": new_id("job"),
        "kind": kind,
        "key": key,
        "arguments": arguments,
        "state": JobState.QUEUED,
        "epoch": 0,
        "attempts": 0,
        "deaths": 0,
        "run_after_ms": database_now_ms() if run_after_ms is None else run_after_ms,
        "sent_ms": sent_ms,
        "created_ms": now_ms(),
    }
    adding = insert_into(connection, JobRow).values(values).on_conflict_do_nothing()
    statement = adding.returning(JobRow.id)
    present = select(JobRow.id).where(
        JobRow.kind == kind, JobRow.key == key, JobRow.state.in_(OPEN)
    )
    while True:  # the job in the way may end before the lookup
        added = connection.scalar(statement)
        found = added or connection.scalar(present)
        if found is not None:
            return found, added is not None


def _due(kinds: Collection[str]) -> Select[str]:
    return (
        select(JobRow.id)
        .where(
            JobRow.state == JobState.QUEUED,
            JobRow.run_after_ms <= database_now_ms(),
            JobRow.kind.in_(sorted(kinds)),
        )
        .order_by(JobRow.run_after_ms, JobRow.id)
    )
