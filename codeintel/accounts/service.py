"""Making and finding accounts."""

from __future__ import annotations

import msgspec
from sqlalchemy import Connection, Engine, insert, select
from sqlalchemy.exc import IntegrityError

from codeintel.credits.ledger import post_entry
from codeintel.db.models import Account as AccountRow
from codeintel.db.models import Balance as BalanceRow
from codeintel.db.models import new_id, now_ms
from codeintel.db.writer import Writer
from codeintel.errors import ErrorCode, ServiceError
from codeintel.tiers import Tier

MAX_EMAIL_CHARACTERS = 320


class Account(msgspec.Struct, frozen=True, kw_only=True):
    """An account. E-mail addresses are kept in lower case."""

    id: str
    email: str
    tier: Tier
    unlimited: bool
    created_ms: int


class Accounts:
    """All accounts."""

    def __init__(self, engine: Engine, writer: Writer) -> None:
        self._engine = engine
        self._writer = writer

    def create(self, email: str, tier: Tier, credits_: int, unlimited: bool) -> Account:
        """Make an account with credits to begin with.

        :raises ServiceError: `invalid_request` if the address is not one, is taken, or the credits
            are negative.
        """
        email = _normal(email)
        if credits_ < 0:
            raise _invalid("credits", f"Credits cannot be negative: {credits_}.")
        account = Account(
            id=new_id("acc"), email=email, tier=tier, unlimited=unlimited, created_ms=now_ms()
        )

        def work(connection: Connection) -> None:
            connection.execute(insert(AccountRow).values(msgspec.structs.asdict(account)))
            connection.execute(insert(BalanceRow).values(account_id=account.id, posted=0, held=0))
            if credits_:
                post_entry(connection, account.id, "grant", credits_, reason="account created")

        try:
            self._writer.run(work)
        except IntegrityError:
            raise _invalid("email", f"There is an account for {email} already.") from None
        return account

    def find(self, email: str) -> Account:
        """The account of an e-mail address.

        :raises ServiceError: `not_found`.
        """
        account = self._one(AccountRow.email == email.strip().lower())
        if account is None:
            raise ServiceError(ErrorCode.NOT_FOUND, f"There is no account for {email}.")
        return account

    def get(self, account_id: str) -> Account:
        """The account with an id.

        :raises ServiceError: `not_found`.
        """
        account = self._one(AccountRow.id == account_id)
        if account is None:
            raise ServiceError(ErrorCode.NOT_FOUND, f"There is no account {account_id}.")
        return account

    def _one(self, condition: object) -> Account | None:
        query = select(AccountRow.__table__).where(condition)  # type: ignore[arg-type]
        with self._engine.connect() as connection:
            row = connection.execute(query).one_or_none()
        return msgspec.convert(dict(row._mapping), Account) if row else None


def _normal(email: str) -> str:
    """The address in lower case, if it looks like one: only a message to it proves more."""
    email = email.strip().lower()
    name, at, domain = email.rpartition("@")
    whole = bool(name and at and domain) and not any(c.isspace() for c in email)
    if not whole or "@" in name or len(email) > MAX_EMAIL_CHARACTERS or not email.isprintable():
        raise _invalid("email", f"{email!r} is not an e-mail address.")
    return email


def _invalid(path: str, message: str) -> ServiceError:
    return ServiceError(ErrorCode.INVALID_REQUEST, message, details={"path": path})
