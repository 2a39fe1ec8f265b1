"""Credits that the proof loop reserves as leased holds, and the cleanup after lost jobs.

Functions with a connection are part of a transaction in which the account's balance is locked.
"""

from __future__ import annotations

import time
from functools import partial
from typing import Any

from sqlalchemy import Connection, Engine, exists, or_, select, update

from codeintel.contracts.states import OPEN, JobState
from codeintel.contracts.workspaces.records import ProofState
from codeintel.identity import ledger
from codeintel.platform.db.batches import BatchDeleter, Old
from codeintel.platform.db.leases import Sweeper
from codeintel.platform.db.models import Account, Hold, new_id, now_ms
from codeintel.platform.db.statements import database_now_ms
from codeintel.platform.db.writer import Writer
from codeintel.platform.jobs.store import JobRow
from codeintel.workspaces.tables import FileResultRow, ReportRow, SessionRow

UNDER_WAY = (ProofState.QUEUED, ProofState.RUNNING)
RESULTS_MS = 30 * 86_400_000
"""How long results of files are kept."""
FORGET_SECONDS = 30.0
CANCELLED = "The analysis was cancelled. Nothing was charged."
FAILED = "The analysis failed. Nothing was charged. Request it again."
_DEAD = (
    select(ReportRow.id, ReportRow.hold_id, SessionRow.account_id, JobRow.state)
    .join(SessionRow, SessionRow.id == ReportRow.session_id)
    .outerjoin(JobRow, JobRow.id == ReportRow.job_id)
    .where(
        ReportRow.state.in_(UNDER_WAY),
        or_(JobRow.id.is_(None), JobRow.state.not_in(OPEN)),
    )
)


def reserve(connection: Connection, account_id: str, price: int, ttl: float) -> str | None:
    """Reserve the price for `ttl` seconds. Return the id of the hold, or None without enough
    credits.

    An account with unlimited credits needs none.
    """
    hold_id = new_id(ledger.PROOF)
    amount = _due(connection, account_id, price)
    ttl_ms = int(ttl * 1000)
    return hold_id if ledger.hold(connection, hold_id, account_id, amount, ttl_ms) else None


def renew(connection: Connection, hold_id: str, ttl: float) -> None:
    """Renew a pending hold."""
    ledger.renew(connection, [hold_id], int(ttl * 1000))


def amount(connection: Connection, hold_id: str | None) -> int | None:
    """Return the amount of a pending hold, or None if it is not pending."""
    return connection.scalar(
        select(Hold.amount).where(Hold.id == hold_id, Hold.state == ledger.PENDING)
    )


def kept(
    connection: Connection, hold_id: str | None, account_id: str, price: int, ttl: float
) -> str | None:
    """Return a hold over the price: the existing one if it is still pending, else a new one.

    Return None without enough credits.
    """
    reserved = amount(connection, hold_id)
    if hold_id is not None and reserved is not None:
        if reserved == _due(connection, account_id, price):
            renew(connection, hold_id, ttl)
            return hold_id
        give_back(connection, hold_id)
    return reserve(connection, account_id, price, ttl)


def give_back(connection: Connection, hold_id: str | None) -> None:
    """End a hold without a charge, if it is pending."""
    if hold_id is not None and amount(connection, hold_id) is not None:
        ledger.release(connection, hold_id, charge=0, metered=0, reason="")


def _due(connection: Connection, account_id: str, price: int) -> int:
    unlimited = connection.scalar(select(Account.unlimited).where(Account.id == account_id))
    return 0 if unlimited else price


def dead_reason(job_state: str | None) -> str:
    """Return the reason that users see for a report whose job has ended without it."""
    return CANCELLED if job_state == JobState.CANCELLED else FAILED


def end_dead(connection: Connection, report_id: str) -> bool:
    """End a report whose job has ended without it, and release its credits.

    Return False for other reports. This is part of a transaction.
    """
    row = connection.execute(_DEAD.where(ReportRow.id == report_id)).one_or_none()
    if row is None:
        return False
    ledger.lock(connection, row.account_id)
    return _end(connection, row) is not None


def _end(connection: Connection, row: Any) -> str | None:
    ended = (
        update(ReportRow)
        .where(ReportRow.id == row.id, ReportRow.state.in_(UNDER_WAY))
        .values(state=ProofState.SKIPPED, reason=dead_reason(row.state), finished_ms=now_ms())
    )
    if connection.execute(ended).rowcount != 1:
        return None
    give_back(connection, row.hold_id)
    return str(row.id)


class ProofSweeper:
    """The cleanup for every few minutes."""

    def __init__(self, engine: Engine, writer: Writer) -> None:
        self._deleter = BatchDeleter(engine, writer)
        locking = partial(Sweeper[str], engine, writer, order="account_id", lock=ledger.lock)
        self._reports = locking("report", _end, of=ReportRow)
        self._holds = locking("hold", _give_back)

    def sweep(self) -> int:
        """End abandoned reports, release unused credits, and delete old results.

        Return the number of ended reports.
        """
        ended = self._reports.sweep(_DEAD)
        self._holds.sweep(_lost())
        self._deleter.delete(_old_results(), time.monotonic() + FORGET_SECONDS)
        return len(ended)


def _lost() -> Any:
    """Select the holds whose lease ran out and whose report is deleted or ended without them."""
    ours = ReportRow.hold_id == Hold.id
    return select(Hold.id, Hold.account_id).where(
        Hold.id.startswith(f"{ledger.PROOF}_", autoescape=True),
        Hold.state == ledger.PENDING,
        Hold.expires_ms < database_now_ms(),
        ~exists().where(ours, ReportRow.state.in_(UNDER_WAY)),
    )


def _give_back(connection: Connection, row: Any) -> str:
    give_back(connection, row.id)
    return str(row.id)


def _old_results() -> Old:
    """Select old results. Results of deleted contents are old at some point, too."""
    is_old = FileResultRow.stored_ms < now_ms() - RESULTS_MS
    return Old(FileResultRow, is_old, FileResultRow.stored_ms)
