"""Check the stored data: balances, and abandoned runs, holds and jobs."""

from __future__ import annotations

from collections.abc import Iterator

from sqlalchemy import Connection, Select, case, func, or_, select

from codeintel.base.wording import counted, lasting
from codeintel.contracts.states import JobState
from codeintel.identity import ledger
from codeintel.operations.doctor.installation import Installation
from codeintel.operations.doctor.results import Finding, error, ok, or_ok, some, warning
from codeintel.platform.db.leases import is_gone
from codeintel.platform.db.models import (
    RUNNING,
    Account,
    Balance,
    Hold,
    LedgerEntry,
    RunRow,
    now_ms,
)
from codeintel.platform.db.statements import database_now_ms
from codeintel.platform.jobs.store import JobRow

BALANCES, ACCOUNTS = "ledger.balances", "ledger.accounts"
_FIX = (
    "Another program has changed the database, or it is damaged. Back it up, compare `codeintel "
    "audit` with the table ledger_entries, and correct the table balances."
)


def look_at_books(installation: Installation) -> Iterator[Finding]:
    """Check the invariants of :mod:`codeintel.identity.ledger` in one statement. Entries and
    balances change together, and two statements would see two states.
    """
    with installation.connection() as connection:
        rows = connection.execute(_unbalanced()).all()
        count = connection.scalar(select(func.count()).select_from(Balance))
        lost = list(connection.scalars(_without_balance()))
    found = [
        f"{row.account_id} (posted {row.posted}, entries {row.entries}; held {row.held}, holds "
        f"{row.holds})"
        for row in rows
    ]
    if found:
        yield error(BALANCES, f"{len(found)} do not balance: {some(found)}.", _FIX)
    else:
        accounts = counted(count or 0, "account")
        yield ok(BALANCES, f"{accounts}. All balances match their entries and holds.")
    yield from or_ok(
        [error(ACCOUNTS, f"{some(lost)} have no balance.", _FIX)] if lost else [],
        ACCOUNTS,
        "Every account has its balance.",
    )


def _unbalanced() -> Select[str, int, int, int, int]:
    entries = (
        select(LedgerEntry.account_id, func.sum(LedgerEntry.amount).label("amount"))
        .group_by(LedgerEntry.account_id)
        .subquery()
    )
    pending = case((Hold.state == ledger.PENDING, Hold.amount), else_=0)
    holds = (
        select(Hold.account_id, func.sum(pending).label("amount"))
        .group_by(Hold.account_id)
        .subquery()
    )
    posted = func.coalesce(entries.c.amount, 0)
    held = func.coalesce(holds.c.amount, 0)
    return (
        select(
            Balance.account_id,
            Balance.posted,
            Balance.held,
            posted.label("entries"),
            held.label("holds"),
        )
        .outerjoin(entries, entries.c.account_id == Balance.account_id)
        .outerjoin(holds, holds.c.account_id == Balance.account_id)
        .where(
            or_(
                Balance.posted != posted,
                Balance.held != held,
                Balance.held < 0,
                Balance.posted < Balance.held,
            )
        )
        .order_by(Balance.account_id)
    )


def _without_balance() -> Select[str]:
    return (
        select(Account.id)
        .outerjoin(Balance, Balance.account_id == Account.id)
        .where(Balance.account_id.is_(None))
        .order_by(Account.id)
    )


RUNS, HOLDS = "leases.runs", "leases.holds"
GRACE_MS = 60_000
_RESTART = "Start the service, which ends them and returns the credits."


def look_at_leases(installation: Installation) -> Iterator[Finding]:
    """Yield the findings."""
    with installation.connection() as connection:
        yield _runs(connection)
        yield _holds(connection)


def _runs(connection: Connection) -> Finding:
    """Report runs whose process is gone."""
    owners = connection.execute(
        select(RunRow.owner, func.count())
        .where(RUNNING)
        .group_by(RunRow.owner)
        .order_by(RunRow.owner)
    ).all()
    gone = [row for row in owners if is_gone(row[0])]
    if not gone:
        return ok(RUNS, f"{sum(row[1] for row in owners)} active, none abandoned.")
    processes = some([row[0] for row in gone])
    count = sum(row[1] for row in gone)
    return warning(
        RUNS, f"{count} belong to processes that no longer exist: {processes}.", _RESTART
    )


def _holds(connection: Connection) -> Finding:
    """Report holds that expired and were not released."""
    late = Hold.state == ledger.PENDING, Hold.expires_ms < database_now_ms() - GRACE_MS
    count, amount = connection.execute(
        select(func.count(), func.coalesce(func.sum(Hold.amount), 0)).where(*late)
    ).one()
    if not count:
        return ok(HOLDS, "None is overdue.")
    return warning(HOLDS, f"{count} are overdue and hold {counted(amount, 'credit')}.", _RESTART)


WAITING, FAILED, LEASES = "jobs.waiting", "jobs.failed", "jobs.leases"
LONG_SECONDS = 300.0
DAY_MS = 86_400_000
"""The grace period after a lease's end."""


def look_at_jobs(installation: Installation) -> Iterator[Finding]:
    """Yield the findings."""
    with installation.connection() as connection:
        yield _waiting(connection)
        yield _failed(connection)
        yield _leases(connection)


def _waiting(connection: Connection) -> Finding:
    now: int = connection.execute(select(database_now_ms())).scalar_one()
    due = JobRow.state == JobState.QUEUED, JobRow.run_after_ms < now - LONG_SECONDS * 1000
    count, oldest = connection.execute(
        select(func.count(), func.min(JobRow.run_after_ms)).where(*due)
    ).one()
    busy = connection.scalar(
        select(func.count()).where(JobRow.state == JobState.RUNNING, JobRow.lease_ms >= now)
    )
    if not count:
        return ok(WAITING, f"No job has waited long. {busy} running.")
    # Jobs that were due immediately have 0 here.
    since = oldest or connection.scalar(select(func.min(JobRow.created_ms)).where(*due)) or now
    kinds = some(sorted(connection.scalars(select(JobRow.kind).where(*due).distinct())))
    told = f"{count} waiting for more than {lasting(LONG_SECONDS)} ({kinds}), the first for "
    told += f"{lasting((now - since) / 1000)}"
    if busy:
        return warning(
            WAITING,
            f"{told}. {busy} running.",
            "Run more jobs in parallel: use `codeintel worker --workers 4`, or raise "
            "CODEINTEL_JOB_WORKERS.",
        )
    return error(
        WAITING,
        f"{told}. No worker is active.",
        "Start the service with CODEINTEL_JOB_WORKERS above 0, or run `codeintel worker`. If a "
        "worker is running, check with `codeintel jobs list --state queued` whether it supports "
        "these jobs.",
    )


def _failed(connection: Connection) -> Finding:
    """Report the jobs that failed in the last day."""
    query = (
        select(JobRow.kind, func.count())
        .where(JobRow.state == JobState.FAILED, JobRow.finished_ms > now_ms() - DAY_MS)
        .group_by(JobRow.kind)
        .order_by(JobRow.kind)
    )
    kinds = [f"{count} of {kind}" for kind, count in connection.execute(query)]
    if not kinds:
        return ok(FAILED, "No job failed in the last day.")
    return warning(
        FAILED,
        f"In the last day: {some(kinds, 5)}.",
        "See the reasons with `codeintel jobs list --state failed`.",
    )


def _leases(connection: Connection) -> Finding:
    """Report jobs whose process is gone and that were not taken over."""
    rows = connection.execute(
        select(JobRow.id, JobRow.owner, JobRow.lease_ms).where(JobRow.state == JobState.RUNNING)
    ).all()
    limit = connection.execute(select(database_now_ms())).scalar_one() - GRACE_MS
    left = [
        row.id
        for row in rows
        if (row.lease_ms or 0) < limit or (row.owner is not None and is_gone(row.owner))
    ]
    if not left:
        return ok(LEASES, "All running jobs have a live process.")
    return warning(
        LEASES,
        f"{some(left)} belong to processes that no longer exist.",
        "Start the service or `codeintel worker`. Jobs continue from their last checkpoint.",
    )
