"""The ledger: whether the books balance."""

from __future__ import annotations

from collections.abc import Iterator

from sqlalchemy import Select, case, func, or_, select

from codeintel.identity.credits import ledger
from codeintel.operations.doctor.machine.installation import Installation
from codeintel.operations.doctor.results import Finding, error, ok, or_ok
from codeintel.operations.doctor.words import some
from codeintel.platform.db.models import Account, Balance, Hold, LedgerEntry

BALANCES, ACCOUNTS = "ledger.balances", "ledger.accounts"
_FIX = (
    "Something else than the service has changed the database, or it is damaged. Back it up, "
    "compare `codeintel audit` with the table ledger_entries, and correct the table balances."
)


def look_at_books(installation: Installation) -> Iterator[Finding]:
    """What always holds (see :mod:`codeintel.identity.credits.ledger`), asked in one statement:
    entries and balances change together, and two statements would see two states."""
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
        yield ok(BALANCES, f"{count} accounts: entries and holds add up to their balances.")
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
