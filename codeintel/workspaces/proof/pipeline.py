"""The rows of one pass of the proof loop: queued, started, renewed, ended once.

Each function is the work of a checkpoint of the pass's job, so that only its holder runs it.
"""

from __future__ import annotations

from collections.abc import Sequence
from enum import Enum
from typing import Any, NamedTuple

import msgspec
from sqlalchemy import Connection, delete, func, insert, select, update

from codeintel.contracts.states import OPEN
from codeintel.contracts.workspaces.records import ProofState
from codeintel.identity import ledger
from codeintel.platform.db.models import new_id, now_ms
from codeintel.platform.jobs.service import Jobs
from codeintel.platform.jobs.store import JobRow
from codeintel.workspaces.proof import analysis, sweeping
from codeintel.workspaces.proof.reading import packed
from codeintel.workspaces.proof.shapes import Report
from codeintel.workspaces.proof.sweeping import UNDER_WAY
from codeintel.workspaces.revisions import ENDED
from codeintel.workspaces.tables import ReportRow, SessionRow

KIND = "workspace.proof"
DELAY_SECONDS = 1.0
"""Delay from a revision to its analysis.

Of several revisions in quick succession, the last one counts.
"""
BUSY_SECONDS = 5.0
"""Delay before a report that waits for another report of its session is retried."""


class ProofQueue:
    """Queues reports with their jobs, as part of other transactions.

    :param interval: minimum number of seconds between the starts of two analyses of a session.
    """

    def __init__(self, interval: float) -> None:
        self._interval_ms = int(interval * 1000)
        self.jobs: Jobs | None = None

    def on_revision(self, connection: Connection, session_id: str, revision: int) -> None:
        """Queue a new revision, and remove earlier ones that still wait."""
        waiting = (ReportRow.session_id == session_id, ReportRow.state == ProofState.QUEUED)
        # In this order: an analysis that started while this waited for its row is visible to the
        # next query.
        connection.execute(delete(ReportRow).where(*waiting))
        began = select(func.max(ReportRow.started_ms)).where(
            ReportRow.session_id == session_id, ReportRow.state != ProofState.SKIPPED
        )
        earliest = (connection.scalar(began) or 0) + self._interval_ms
        delay = max(DELAY_SECONDS, (earliest - now_ms()) / 1000)
        self._add(connection, session_id, revision, f"{session_id}:{revision}", delay)

    def request(self, connection: Connection, account_id: str, session_id: str) -> str | None:
        """Queue the newest revision, unless it is queued or running. Return the id of its job.

        Return None for an unknown session.
        """
        ledger.lock(connection, account_id)  # before the session, as everywhere
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
        """Retry a report in a few seconds, with another job."""
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
            raise RuntimeError("no queue for the proof loop's jobs was set")
        arguments = {"session": report.session_id, "report": report.id}
        return self.jobs.enqueue_with(connection, KIND, key, arguments, delay=delay)


class Refusal(Enum):
    """The reason why a pass does not start."""

    GONE = "there is nothing to do"
    BUSY = "another report of the session is in progress"
    POOR = "the account has too few credits"


class Pass(NamedTuple):
    """A pass: its report, the account that pays, and the price."""

    report_id: str
    session_id: str
    account_id: str
    revision: int
    price: int
    ttl: float
    """How long credits are reserved at a time, in seconds."""


class Begun(NamedTuple):
    """A pass that has started, now or in an earlier attempt.

    `amount` is the number of reserved credits.
    """

    hold_id: str | None
    amount: int
    started_ms: int


class Ready(NamedTuple):
    """A report that is encoded for its row, with the charge in its document."""

    report: Report
    charged: int
    document: bytes


def begin(
    connection: Connection, queue: ProofQueue, job_id: str, this: Pass, files: int
) -> Begun | Refusal:
    """Start or continue the pass, and reserve its price."""
    ledger.lock(connection, this.account_id)
    row = _locked(connection, this.report_id)
    if row is None or row.job_id != job_id or row.state not in UNDER_WAY:
        return Refusal.GONE
    if row.state == ProofState.QUEUED:
        newest = select(SessionRow.revision).where(SessionRow.id == this.session_id)
        if connection.scalar(newest) != this.revision:
            connection.execute(delete(ReportRow).where(ReportRow.id == this.report_id))
            return Refusal.GONE
        if _is_busy(connection, this):
            queue.again(connection, row)
            return Refusal.BUSY
    hold_id, started_ms = None, row.started_ms or now_ms()
    if this.price:
        hold_id = sweeping.kept(connection, row.hold_id, this.account_id, this.price, this.ttl)
        if hold_id is None:
            _end(connection, this, ProofState.SKIPPED, _too_few(connection, this, files))
            return Refusal.POOR
    _set(connection, this, state=ProofState.RUNNING, hold_id=hold_id, started_ms=started_ms)
    return Begun(hold_id, sweeping.amount(connection, hold_id) or 0, started_ms)


def go_on(
    connection: Connection, this: Pass, hold_id: str | None, rows: Sequence[dict[str, object]]
) -> bool:
    """Store results and renew the lease.

    Return False, and release the credits, if the session was deleted.
    """
    ledger.lock(connection, this.account_id)
    found = connection.scalar(select(ReportRow.id).where(ReportRow.id == this.report_id))
    analysis.store(connection, rows)
    if found is None:
        sweeping.give_back(connection, hold_id)
        return False
    if hold_id is not None:
        sweeping.renew(connection, hold_id, this.ttl)
    return True


def encoded(report: Report, amount: int) -> Ready:
    """Return the report with its charge: the reserved credits, or 0 if no file was analyzed."""
    charged = amount if report.summary.files_analyzed else 0
    summary = msgspec.structs.replace(report.summary, credits_charged=charged)
    whole = msgspec.structs.replace(report, summary=summary)
    return Ready(whole, charged, packed(whole))


def finish(connection: Connection, this: Pass, hold_id: str | None, ready: Ready) -> bool:
    """End the pass with report, state and charge together.

    If no file was analyzed, nothing is charged. Return False if the session was deleted.
    """
    ledger.lock(connection, this.account_id)
    row = _locked(connection, this.report_id)
    if row is None or row.state not in UNDER_WAY:
        sweeping.give_back(connection, hold_id)
        return False
    analyzed = ready.report.summary.files_analyzed
    if analyzed and this.price:
        hold_id = sweeping.kept(connection, hold_id, this.account_id, this.price, this.ttl)
        if hold_id is None:
            _end(connection, this, ProofState.SKIPPED, _too_few(connection, this, analyzed))
            return True
        charged = sweeping.amount(connection, hold_id) or 0
        if charged != ready.charged:  # the account has gained or lost unlimited credits
            ready = encoded(ready.report, charged)
        what = f"repository analysis, {analyzed:,} {'file' if analyzed == 1 else 'files'}"
        ledger.release(connection, hold_id, charge=charged, metered=this.price, reason=what)
    else:
        sweeping.give_back(connection, hold_id)
    summary = ready.report.summary
    _end(
        connection,
        this,
        summary.status,
        summary.reason,
        hold_id=hold_id,
        charged=ready.charged,
        summary=msgspec.json.encode(summary).decode(),
        document=ready.document,
    )
    return True


def skip(connection: Connection, this: Pass, hold_id: str | None, reason: str) -> None:
    """End a pass without a report, and release its credits."""
    ledger.lock(connection, this.account_id)
    sweeping.give_back(connection, hold_id)
    _end(connection, this, ProofState.SKIPPED, reason)


def _is_busy(connection: Connection, this: Pass) -> bool:
    other = (
        select(ReportRow.id)
        .join(JobRow, JobRow.id == ReportRow.job_id)
        .where(
            ReportRow.session_id == this.session_id,
            ReportRow.id != this.report_id,
            ReportRow.state == ProofState.RUNNING,
            JobRow.state.in_(OPEN),
        )
    )
    return connection.execute(other.limit(1)).first() is not None


def _too_few(connection: Connection, this: Pass, files: int) -> str:
    available = ledger.read_balance(connection, this.account_id).available
    return (
        f"The analysis of {files:,} {'file' if files == 1 else 'files'} costs {this.price} "
        f"credits, and the account has {available:,} available. Obtain credits, and request the "
        "analysis again."
    )


def _locked(connection: Connection, report_id: str) -> Any:
    return connection.execute(
        select(
            ReportRow.id,
            ReportRow.session_id,
            ReportRow.revision,
            ReportRow.state,
            ReportRow.job_id,
            ReportRow.hold_id,
            ReportRow.started_ms,
        )
        .where(ReportRow.id == report_id)
        .with_for_update()
    ).one_or_none()


def _set(connection: Connection, this: Pass, **values: Any) -> None:
    connection.execute(
        update(ReportRow)
        .where(ReportRow.id == this.report_id, ReportRow.state.in_(UNDER_WAY))
        .values(**values)
    )


def _end(connection: Connection, this: Pass, state: ProofState, reason: str, **values: Any) -> None:
    _set(connection, this, state=state, reason=reason, finished_ms=now_ms(), **values)
