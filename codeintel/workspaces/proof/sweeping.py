"""Credits that a pass of the proof loop reserves, as leased holds, and what is to be given back or
deleted when its job is gone. What has a connection is part of a transaction, in which the account's
balance is locked."""

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
"""For how long results of files are kept."""
FORGET_SECONDS = 30.0
CANCELLED = "The analysis was cancelled. Nothing was charged."
FAILED = "The analysis failed. Nothing was charged: request it again."
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
    """Reserve the price for `ttl` seconds: the id of the hold, None if the account does not have
    the credits. An account with unlimited credits needs none."""
    hold_id = new_id(ledger.PROOF)
    amount = _due(connection, account_id, price)
    ttl_ms = int(ttl * 1000)
    return hold_id if ledger.hold(connection, hold_id, account_id, amount, ttl_ms) else None


def renew(connection: Connection, hold_id: str, ttl: float) -> None:
    """Prolong a hold that is pending."""
    ledger.renew(connection, [hold_id], int(ttl * 1000))


def amount(connection: Connection, hold_id: str | None) -> int | None:
    """What a pending hold reserves; None for one that is not pending any more."""
    return connection.scalar(
        select(Hold.amount).where(Hold.id == hold_id, Hold.state == ledger.PENDING)
    )


def kept(
    connection: Connection, hold_id: str | None, account_id: str, price: int, ttl: float
) -> str | None:
    """A hold over the price: the one that is there, if it is pending still, else a new one; None if
    the account does not have the credits."""
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
    """What people are told of a report whose job has ended without it."""
    return CANCELLED if job_state == JobState.CANCELLED else FAILED


def end_dead(connection: Connection, report_id: str) -> bool:
    """End a report whose job has ended without it, and give its credits back; False if it is none.
    Part of a transaction."""
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
    """What is to be done every few minutes."""

    def __init__(self, engine: Engine, writer: Writer) -> None:
        self._deleter = BatchDeleter(engine, writer)
        locking = partial(Sweeper[str], engine, writer, order="account_id", lock=ledger.lock)
        self._reports = locking("report", _end, of=ReportRow)
        self._holds = locking("hold", _give_back)

    def sweep(self) -> int:
        """End what nobody works on any more, give back what is reserved for nothing, and delete
        results that are of no use; returns how many reports were ended."""
        ended = self._reports.sweep(_DEAD)
        self._holds.sweep(_lost())
        self._deleter.delete(_old_results(), time.monotonic() + FORGET_SECONDS)
        return len(ended)


def _lost() -> Any:
    """Holds whose lease has run out and whose report is gone, or has ended without them."""
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
    """Results that are old. Those of contents that are deleted go with these."""
    is_old = FileResultRow.stored_ms < now_ms() - RESULTS_MS
    return Old(FileResultRow, is_old, FileResultRow.stored_ms)
