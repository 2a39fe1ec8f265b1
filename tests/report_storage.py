"""Reports that tests put into a database, as if the proof loop had made them."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import msgspec
from sqlalchemy import Connection, Engine, insert, update

from codeintel.contracts.states import JobState
from codeintel.contracts.workspaces.records import ProofState
from codeintel.platform.db.models import now_ms
from codeintel.platform.db.writer import begin_write
from codeintel.platform.jobs.store import JobRow
from codeintel.workspaces.proof.reading import packed
from codeintel.workspaces.proof.shapes import Report
from codeintel.workspaces.records import WorkspaceRecord
from codeintel.workspaces.tables import ReportRow

HOUR_MS = 3_600_000


@contextmanager
def writing(engine: Engine) -> Iterator[Connection]:
    """Open a transaction that waits for those of a server over the same database."""
    with begin_write(engine) as connection:
        yield connection
        connection.commit()


def keep(engine: Engine, session: WorkspaceRecord, report: Report) -> None:
    """Store a report on a workspace."""
    summary = msgspec.structs.replace(report.summary, session_id=session.id)
    _insert(engine, session, msgspec.structs.replace(report, summary=summary))


def keep_all(engine: Engine, session: WorkspaceRecord, reports: list[Report]) -> None:
    """Store several."""
    for report in reports:
        keep(engine, session, report)


def skip(engine: Engine, session: WorkspaceRecord, revision: int, reason: str) -> None:
    """Say why there is no report on a revision."""
    with writing(engine) as connection:
        connection.execute(
            insert(ReportRow).values(
                id=f"{session.id[:20]}_s{revision}",
                session_id=session.id,
                revision=revision,
                state=ProofState.SKIPPED,
                reason=reason,
                job_id="",
                charged=0,
                created_ms=1_000,
                finished_ms=1_000,
            )
        )


def _insert(engine: Engine, session: WorkspaceRecord, report: Report) -> None:
    summary = report.summary
    with writing(engine) as connection:
        connection.execute(
            insert(ReportRow).values(
                id=f"{session.id[:20]}_r{summary.revision}",
                session_id=session.id,
                revision=summary.revision,
                state=summary.status,
                reason=summary.reason,
                job_id="",
                charged=summary.credits_charged,
                summary=msgspec.json.encode(summary).decode(),
                document=packed(report),
                created_ms=int(summary.started_at.timestamp() * 1000),
                started_ms=int(summary.started_at.timestamp() * 1000),
                finished_ms=int(summary.finished_at.timestamp() * 1000),
            )
        )


class Going:
    """An analysis that progresses on request, without a process."""

    def __init__(self, engine: Engine, session: WorkspaceRecord) -> None:
        self._engine = engine
        self._report, self._job = f"{session.id[:20]}_g", f"job_{session.id[:20]}"
        now = now_ms()
        with writing(engine) as connection:
            connection.execute(
                insert(JobRow).values(
                    id=self._job,
                    kind="tests.nothing",
                    key=session.id,
                    arguments="{}",
                    state=JobState.RUNNING,
                    epoch=1,
                    attempts=1,
                    owner="tests",
                    lease_ms=now + HOUR_MS,
                    run_after_ms=now,
                    sent_ms=now,
                    created_ms=now,
                    started_ms=now,
                )
            )
            connection.execute(
                insert(ReportRow).values(
                    id=self._report,
                    session_id=session.id,
                    revision=session.revision,
                    state=ProofState.RUNNING,
                    reason="",
                    job_id=self._job,
                    charged=0,
                    created_ms=now + 1,
                    started_ms=now + 1,
                )
            )

    def at(self, done: int, total: int) -> None:
        """Set the progress."""
        with writing(self._engine) as connection:
            connection.execute(
                update(JobRow)
                .where(JobRow.id == self._job)
                .values(progress_done=done, progress_total=total)
            )

    def end(self, report: Report) -> None:
        """End with this report."""
        summary = report.summary
        with writing(self._engine) as connection:
            connection.execute(
                update(ReportRow)
                .where(ReportRow.id == self._report)
                .values(
                    state=summary.status,
                    reason=summary.reason,
                    summary=msgspec.json.encode(summary).decode(),
                    document=packed(report),
                    finished_ms=now_ms(),
                )
            )
            connection.execute(
                update(JobRow)
                .where(JobRow.id == self._job)
                .values(state=JobState.DONE, finished_ms=now_ms())
            )
