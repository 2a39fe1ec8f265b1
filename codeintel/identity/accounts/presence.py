"""Whether an account is still there, for whoever is about to write something for it."""

from __future__ import annotations

from sqlalchemy import Connection, bindparam, select

from codeintel.base.errors import ErrorCode, ServiceError
from codeintel.platform.db.models import Account
from codeintel.platform.db.prepared import Prepared

_OPEN = Prepared(
    select(Account.id)
    .where(Account.id == bindparam("account"), Account.deleted_ms.is_(None))
    .with_for_update(read=True, key_share=True)
)


def is_open(connection: Connection, account_id: str) -> bool:
    """Whether an account is not deleted. Until the transaction ends it will not be."""
    return _OPEN.execute(connection, {"account": account_id}).first() is not None


def account_deleted() -> ServiceError:
    """The error for an account that somebody deleted while it was used."""
    return ServiceError(ErrorCode.UNAUTHORIZED, "This account was deleted.")
