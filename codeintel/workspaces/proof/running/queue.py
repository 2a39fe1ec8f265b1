"""What waits for its analysis: at most one report for each session, of its newest revision."""

from __future__ import annotations

from typing import Any

from sqlalchemy import Connection, delete, func, insert, select, update

from codeintel.contracts.states import OPEN
from codeintel.contracts.workspaces.records import ProofState
from codeintel.identity import ledger
from codeintel.platform.db.models import new_id, now_ms
from codeintel.platform.jobs.service import Jobs
from codeintel.platform.jobs.tables import JobRow
from codeintel.workspaces.proof.running import sweeping
from codeintel.workspaces.revisions import ENDED
from codeintel.workspaces.storage.tables import ReportRow, SessionRow

KIND = "workspace.proof"
DELAY_SECONDS = 1.0
"""From a revision to its analysis: of those that come one right after the other the last counts."""
BUSY_SECONDS = 5.0
"""After which a report is tried again that waits for another of its session."""


class ProofQueue:
    """Puts reports in, with their jobs. All of it in transactions of others.

    :param interval: least seconds between the beginnings of two analyses of a session.
    """

    def __init__(self, interval: float) -> None:
        self._interval_ms = int(interval * 1000)
        self.jobs: Jobs | None = None

    def on_revision(self, connection: Connection, session_id: str, revision: int) -> None:
        """Put a new revision in, and take out those before it that still wait."""
        waiting = (ReportRow.session_id == session_id, ReportRow.state == ProofState.QUEUED)
        # In this order: what has begun while this waited for its row is seen by the next query.
        connection.execute(delete(ReportRow).where(*waiting))
        began = select(func.max(ReportRow.started_ms)).where(
            ReportRow.session_id == session_id, ReportRow.state != ProofState.SKIPPED
        )
        earliest = (connection.scalar(began) or 0) + self._interval_ms
        delay = max(DELAY_SECONDS, (earliest - now_ms()) / 1000)
        self._add(connection, session_id, revision, f"{session_id}:{revision}", delay)

    def request(self, connection: Connection, account_id: str, session_id: str) -> str | None:
        """Put the newest revision in, unless it waits or is worked on; returns the id of its job.
        None for a session that is not there."""
        ledger.lock(connection, account_id)  # before the session, as everybody does
        newest = connection.scalar(
            select(SessionRow.revision).where(SessionRow.id == session_id).with_for_update()
        )
        if newest is None or newest == ENDED:
            return None
        found = connection.execute(
            select(ReportRow.id, ReportRow.job_id, JobRow.state)
            .outerjoin(JobRow, JobRow.id == ReportRow.job_id)
            .where(
                ReportRow.session_id == session_id,
                ReportRow.revision == newest,
                ReportRow.state.in_((ProofState.QUEUED, ProofState.RUNNING)),
            )
        ).first()
        if found is not None:
            if found.state in OPEN:
                return str(found.job_id)
            sweeping.end_dead(connection, found.id)
        key = f"{session_id}:{newest} {new_id('again')}"
        return self._add(connection, session_id, newest, key, 0.0)

    def again(self, connection: Connection, report: Any) -> None:
        """Try a report again in a few seconds, by another job."""
        key = f"{report.session_id}:{report.revision} {new_id('again')}"
        job_id = self._job(connection, report, key, BUSY_SECONDS)
        connection.execute(update(ReportRow).where(ReportRow.id == report.id).values(job_id=job_id))

    def _add(
        self, connection: Connection, session_id: str, revision: int, key: str, delay: float
    ) -> str:
        row = ReportRow(id=new_id("rep"), session_id=session_id, revision=revision)
        job_id = self._job(connection, row, key, delay)
        values = {
            "id": row.id,
            "session_id": session_id,
            "revision": revision,
            "state": ProofState.QUEUED,
            "reason": "",
            "job_id": job_id,
            "charged": 0,
            "created_ms": now_ms(),
        }
        connection.execute(insert(ReportRow).values(values))
        return job_id

    def _job(self, connection: Connection, report: Any, key: str, delay: float) -> str:
        if self.jobs is None:
            raise RuntimeError("nobody has said where the proof loop's jobs are put in")
        arguments = {"session": report.session_id, "report": report.id}
        return self.jobs.enqueue_with(connection, KIND, key, arguments, delay=delay)
