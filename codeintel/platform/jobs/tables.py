"""The table of jobs."""

from __future__ import annotations

from sqlalchemy import Index, String, Text, text
from sqlalchemy.orm import Mapped, mapped_column

from codeintel.platform.db.models import Base

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
