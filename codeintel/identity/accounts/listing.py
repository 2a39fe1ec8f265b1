"""All accounts, for whoever runs the service."""

from __future__ import annotations

import msgspec
from sqlalchemy import Engine, select

from codeintel.base.tiers import Tier
from codeintel.platform.db.models import Account as AccountRow, Balance as BalanceRow


class AccountLine(msgspec.Struct, frozen=True, kw_only=True):
    """An account with the credits that it can spend now."""

    id: str
    email: str
    tier: Tier
    unlimited: bool
    created_ms: int
    available: int


def account_lines(engine: Engine) -> list[AccountLine]:
    """All that are not deleted, the one made first before the others."""
    query = (
        select(
            AccountRow.id,
            AccountRow.email,
            AccountRow.tier,
            AccountRow.unlimited,
            AccountRow.created_ms,
            (BalanceRow.posted - BalanceRow.held).label("available"),
        )
        .join(BalanceRow, BalanceRow.account_id == AccountRow.id)
        .where(AccountRow.deleted_ms.is_(None))
        .order_by(AccountRow.created_ms, AccountRow.id)
    )
    with engine.connect() as connection:
        return [
            msgspec.convert(dict(row._mapping), AccountLine) for row in connection.execute(query)
        ]
