"""Jobs as rows and as values, and what changes in a row when it leaves its holder."""

from __future__ import annotations

from typing import Any

import msgspec
from sqlalchemy import ColumnElement, Index, Row, String, Text, text
from sqlalchemy.orm import Mapped, mapped_column

from codeintel.contracts.states import JobState
from codeintel.platform.db.clock import database_now_ms
from codeintel.platform.db.models import Base, now_ms

_OPEN = text("state IN ('queued', 'running')")


class JobRow(Base):
    """One job: what to do, who does it, how far it is, how it ended."""

    __tablename__ = "jobs"
    __table_args__ = (
        # One that has not ended for each kind and key.
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
    """Goes up when the job changes hands: only the holder of the current one may change it."""
    attempts: Mapped[int]
    """Begun since the cursor last moved, with the one that moved it; without those that were told
    to stop."""
    deaths: Mapped[int] = mapped_column(server_default="0")
    """How many processes died or froze while they worked on it, since the cursor last moved."""
    owner: Mapped[str | None] = mapped_column(String(64))
    """The process that works on it."""
    lease_ms: Mapped[int | None]
    """Until when it is the owner's; unrenewed, another may take it then."""
    run_after_ms: Mapped[int]
    sent_ms: Mapped[int | None]
    """When a message with its id was last sent; null: it is still to be sent."""
    cancel_ms: Mapped[int | None]
    """When somebody asked for its end while it ran."""
    progress_done: Mapped[int | None]
    progress_total: Mapped[int | None]
    progress_note: Mapped[str | None]
    cursor: Mapped[str | None] = mapped_column(Text)
    """JSON: where to go on."""
    result: Mapped[str | None] = mapped_column(Text)
    """JSON."""
    error: Mapped[str | None] = mapped_column(Text)
    """For operators: what last went wrong."""
    created_ms: Mapped[int]
    started_ms: Mapped[int | None]
    finished_ms: Mapped[int | None] = mapped_column(index=True)


class Job(msgspec.Struct, frozen=True, kw_only=True):
    """A job at one moment. `arguments`, `cursor` and `result` are JSON values, times milliseconds
    since 1970."""

    id: str
    kind: str
    key: str
    arguments: Any
    state: JobState
    epoch: int
    attempts: int
    deaths: int
    """Processes that died or froze while they worked on it, since the cursor last moved."""
    owner: str | None
    run_after_ms: int
    cancel_ms: int | None
    """When somebody asked for its end while it ran."""
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
    """The job of a row with all columns."""
    values = {name: row._mapping[name] for name in Job.__struct_fields__}
    for name in ("arguments", "cursor", "result"):
        values[name] = from_json(values[name])
    return Job(**{**values, "state": JobState(values["state"])})


def to_json(value: Any) -> str | None:
    """JSON of a value, nothing of None.

    :raises TypeError: for what JSON cannot express.
    """
    return None if value is None else msgspec.json.encode(value).decode()


def from_json(text: str | None) -> Any:
    """The inverse of :func:`to_json`."""
    return None if text is None else msgspec.json.decode(text)


Epoch = int | ColumnElement[int]
"""The one that a job has now: a number, or the column where many jobs change at once."""


def queued(epoch: Epoch, pause_ms: int = 0) -> dict[str, Any]:
    """The values of a job that nobody holds any more."""
    return {
        "state": JobState.QUEUED,
        "epoch": epoch + 1,
        "owner": None,
        "lease_ms": None,
        "sent_ms": None,
        "run_after_ms": database_now_ms() + pause_ms,
    }


def cancelled(epoch: Epoch) -> dict[str, Any]:
    """The values of a job that ran and was cancelled."""
    return {
        "state": JobState.CANCELLED,
        "epoch": epoch + 1,
        "lease_ms": None,
        "finished_ms": now_ms(),
    }


def failed(epoch: Epoch, error: str) -> dict[str, Any]:
    """The values of a job that ran and is not tried again.

    :param error: for operators.
    """
    return {**cancelled(epoch), "state": JobState.FAILED, "error": error}
