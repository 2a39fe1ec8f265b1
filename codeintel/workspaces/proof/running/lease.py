"""Credits that a pass of the proof loop reserves: leased holds, as those of runs are.

Each function is part of a transaction, in which the account's balance is locked.
"""

from __future__ import annotations

from sqlalchemy import Connection, select

from codeintel.identity import ledger
from codeintel.platform.db.models import Account, Hold, new_id


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
