"""What cannot go on after a restore is ended: its processes and browsers were of another time.

Each function is part of the restore's transaction.
"""

from __future__ import annotations

import msgspec
from sqlalchemy import ColumnElement, Connection, delete, func, select, update

from codeintel.base.timestamps import moment
from codeintel.contracts.states import JobState, RunState
from codeintel.identity.audit.log import OPERATOR, AuditKind, record
from codeintel.identity.credits import ledger
from codeintel.identity.tables import SessionRow, SignInLinkRow
from codeintel.operations.backups.errors import BackupError
from codeintel.operations.backups.manifest import Manifest
from codeintel.platform.db.migrate import PEPPER_FACT
from codeintel.platform.db.models import (
    ApiKey,
    Balance,
    Fact,
    Hold,
    IdempotencyKey,
    LedgerEntry,
    RunRow,
    now_ms,
)
from codeintel.platform.jobs.changes import cancelled, queued
from codeintel.platform.jobs.tables import JobRow

REASON = "backup_restored"


class Settled(msgspec.Struct, frozen=True, kw_only=True):
    """How much of it there was. `jobs` wait again, `cancelled_jobs` were to stop; `keys` is None
    where keys were not given up."""

    runs: int
    credits: int
    sessions: int
    jobs: int
    cancelled_jobs: int
    keys: int | None


def settle(connection: Connection, manifest: Manifest, *, revoke_keys: bool) -> Settled:
    """End it all, check the books, and say in the audit log that this was done.

    :raises BackupError: if the books do not agree.
    """
    done = Settled(
        runs=_end_runs(connection),
        credits=_give_back(connection),
        sessions=_end_sessions(connection),
        cancelled_jobs=_cancel_jobs(connection),
        jobs=_queue_jobs(connection),
        keys=_revoke_keys(connection) if revoke_keys else None,
    )
    _check_books(connection)
    details = {
        "made": moment(manifest.made_ms).isoformat(timespec="seconds"),
        "version": manifest.product,
        "revision": manifest.revision,
        "database": manifest.database,
        **{name: count for name, count in msgspec.structs.asdict(done).items() if count},
    }
    record(connection, AuditKind.RESTORED, None, OPERATOR, details=details)
    return done


def _end_runs(connection: Connection) -> int:
    """Runs under way end as failed, free of charge; their requests may be sent again."""
    running = select(RunRow.id).where(RunRow.state == RunState.RUNNING)
    connection.execute(delete(IdempotencyKey).where(IdempotencyKey.made.in_(running)))
    ended = (
        update(RunRow)
        .where(RunRow.state == RunState.RUNNING)
        .values(
            state=RunState.FAILED,
            epoch=RunRow.epoch + 1,
            charged=0,
            reason=REASON,
            finished_ms=now_ms(),
        )
    )
    return connection.execute(ended).rowcount


def _give_back(connection: Connection) -> int:
    """What was reserved belongs to its account again, and the ledger says so. A hold has changed no
    balance yet: so the entry is one of nothing, for the record."""
    pending = Hold.state == ledger.PENDING
    reserved = (
        select(Hold.account_id, func.sum(Hold.amount).label("amount"))
        .where(pending)
        .group_by(Hold.account_id)
    )
    total = 0
    for account_id, amount in connection.execute(reserved).all():
        if amount:
            reason = f"restored from a backup: {amount} credits are not reserved any more"
            ledger.post_entry(connection, account_id, "release", 0, reason=reason)
            total += int(amount)
    connection.execute(update(Hold).where(pending).values(state=ledger.VOIDED))
    connection.execute(update(Balance).where(Balance.held != 0).values(held=0))
    return total


def _end_sessions(connection: Connection) -> int:
    """Browsers sign in again, and with a new link: who has what was stolen since gets nowhere."""
    connection.execute(delete(SignInLinkRow))
    going_on = update(SessionRow).where(SessionRow.ended_ms.is_(None))
    return connection.execute(going_on.values(ended_ms=now_ms())).rowcount


_RAN, _EPOCH = JobRow.state == JobState.RUNNING, JobRow.__table__.c.epoch


def _cancel_jobs(connection: Connection) -> int:
    """Jobs that ran and were to stop have stopped."""
    stopped = update(JobRow).where(_RAN, JobRow.cancel_ms.is_not(None))
    return connection.execute(stopped.values(cancelled(_EPOCH))).rowcount


def _queue_jobs(connection: Connection) -> int:
    """Jobs that ran wait for a process again, for losing one's process to a restore is no failed
    attempt of theirs. No message is under way to anybody."""
    ran = update(JobRow).where(_RAN, JobRow.cancel_ms.is_(None))
    values = {**queued(_EPOCH), "attempts": JobRow.attempts - 1}
    count = connection.execute(ran.values(values)).rowcount
    unsent = update(JobRow).where(JobRow.state == JobState.QUEUED, JobRow.sent_ms.is_not(None))
    connection.execute(unsent.values(sent_ms=None))
    return count


def _revoke_keys(connection: Connection) -> int:
    """Without the pepper no key is known again; the next start notes the fingerprint of its own."""
    connection.execute(delete(Fact).where(Fact.name == PEPPER_FACT))
    active = update(ApiKey).where(ApiKey.revoked_ms.is_(None))
    return connection.execute(active.values(revoked_ms=now_ms())).rowcount


def _check_books(connection: Connection) -> None:
    """Every balance is the sum of its entries."""
    posted: ColumnElement[int] = func.coalesce(func.sum(LedgerEntry.amount), 0)
    wrong = (
        select(Balance.account_id)
        .outerjoin(LedgerEntry, LedgerEntry.account_id == Balance.account_id)
        .group_by(Balance.account_id, Balance.posted)
        .having(posted != Balance.posted)
    )
    found = connection.scalars(wrong).all()
    if found:
        raise BackupError(
            f"In this backup the balance of {len(found)} accounts is not the sum of their ledger "
            f"entries, such as that of {found[0]}. Nothing was changed."
        )
