"""Create, change, delete and list accounts."""

from __future__ import annotations

from collections.abc import Callable

import msgspec
from sqlalchemy import Connection, Engine, bindparam, insert, select, update
from sqlalchemy.exc import IntegrityError

from codeintel.base.entitlements import Tier
from codeintel.base.errors import ErrorCode, ServiceError
from codeintel.identity.audit import OPERATOR, Actor, AuditKind, record
from codeintel.identity.ledger import post_entry
from codeintel.platform.db.models import (
    Account as AccountRow,
    Balance as BalanceRow,
    new_id,
    now_ms,
)
from codeintel.platform.db.statements import Prepared
from codeintel.platform.db.writer import Writer

MAX_EMAIL_CHARACTERS = 320
OPERATOR_EMAIL = "operator@localhost"
"""The account that the first command creates for the operator."""
Also = Callable[[Connection, "Account"], None]


class Account(msgspec.Struct, frozen=True, kw_only=True):
    """An account. E-mail addresses are stored in lower case."""

    id: str
    email: str
    tier: Tier
    unlimited: bool
    created_ms: int


class Accounts:
    """All accounts, except deleted ones."""

    def __init__(self, engine: Engine, writer: Writer) -> None:
        self._engine = engine
        self._writer = writer

    def create(
        self,
        email: str,
        tier: Tier,
        credits_: int,
        unlimited: bool,
        *,
        actor: Actor = OPERATOR,
        also: Also | None = None,
    ) -> Account:
        """Create an account with initial credits.

        :param also: more work for the same transaction. If it violates a constraint, such as a
            unique row, everything is rolled back, as if the address were taken.
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
            record(connection, AuditKind.ACCOUNT_MADE, account.id, actor, subject=account.id)
            if also is not None:
                also(connection, account)

        try:
            self._writer.run(work)
        except IntegrityError:
            raise _invalid("email", f"An account for {email} already exists.") from None
        return account

    def change(
        self,
        email: str,
        *,
        tier: Tier | None = None,
        unlimited: bool | None = None,
        actor: Actor = OPERATOR,
    ) -> Account:
        """Change the tier, or whether credits are counted. None leaves a value unchanged. Active
        runs end under the old terms. All processes learn of the change within seconds.

        :raises ServiceError: `not_found`.
        """
        before = self.find(email)
        wanted = {"tier": tier, "unlimited": unlimited}
        changed = {
            name: value
            for name, value in wanted.items()
            if value is not None and value != getattr(before, name)
        }
        if not changed:
            return before

        def work(connection: Connection) -> None:
            is_there = AccountRow.id == before.id, AccountRow.deleted_ms.is_(None)
            if (
                connection.execute(update(AccountRow).where(*is_there).values(changed)).rowcount
                != 1
            ):
                return  # deleted in the meantime
            record(
                connection,
                AuditKind.ACCOUNT_CHANGED,
                before.id,
                actor,
                subject=before.id,
                details=changed,
            )

        self._writer.run(work)
        return self.get(before.id)

    def find(self, email: str) -> Account:
        """Return the account of an e-mail address.

        :raises ServiceError: `not_found`.
        """
        account = self._one(AccountRow.email == email.strip().lower())
        if account is None:
            raise ServiceError(
                ErrorCode.NOT_FOUND,
                f"No account exists for {email}. Create one with "
                f"`codeintel accounts create {email}`.",
            )
        return account

    def get(self, account_id: str) -> Account:
        """Return the account with an id.

        :raises ServiceError: `not_found`.
        """
        account = self._one(AccountRow.id == account_id)
        if account is None:
            raise ServiceError(ErrorCode.NOT_FOUND, f"The account {account_id} does not exist.")
        return account

    def operator(self) -> Account:
        """Return the operator's account: the oldest one. If there are no accounts, create
        `operator@localhost` with unlimited credits."""
        return self.first() or self.create(OPERATOR_EMAIL, Tier.TEAM, 0, unlimited=True)

    def first(self) -> Account | None:
        """Return the oldest account, or None if there are no accounts."""
        query = select(AccountRow.__table__).where(AccountRow.deleted_ms.is_(None))
        query = query.order_by(AccountRow.created_ms, AccountRow.id)
        with self._engine.connect() as connection:
            row = connection.execute(query.limit(1)).one_or_none()
        return msgspec.convert(dict(row._mapping), Account) if row else None

    def _one(self, condition: object) -> Account | None:
        query = select(AccountRow.__table__).where(
            condition,  # type: ignore[arg-type]
            AccountRow.deleted_ms.is_(None),
        )
        with self._engine.connect() as connection:
            row = connection.execute(query).one_or_none()
        return msgspec.convert(dict(row._mapping), Account) if row else None


def _normal(email: str) -> str:
    """Return the address in lower case after a plausibility check. Only a message to it could prove
    more.
    """
    email = email.strip().lower()
    name, at, domain = email.rpartition("@")
    whole = bool(name and at and domain) and not any(c.isspace() for c in email)
    if not whole or "@" in name or len(email) > MAX_EMAIL_CHARACTERS or not email.isprintable():
        raise _invalid("email", f"{email!r} is not an email address.")
    return email


def _invalid(path: str, message: str) -> ServiceError:
    return ServiceError(ErrorCode.INVALID_REQUEST, message, details={"path": path})


class AccountLine(msgspec.Struct, frozen=True, kw_only=True):
    """An account with the credits that it can spend now."""

    id: str
    email: str
    tier: Tier
    unlimited: bool
    created_ms: int
    available: int


def account_lines(engine: Engine) -> list[AccountLine]:
    """Return all accounts except deleted ones, oldest first."""
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


def is_open(connection: Connection, account_id: str) -> bool:
    """Return whether an account is not deleted. It stays so until the transaction ends."""
    return _OPEN.execute(connection, {"account": account_id}).first() is not None


def account_deleted() -> ServiceError:
    """Return the error for an account that was deleted during use."""
    return ServiceError(ErrorCode.UNAUTHORIZED, "This account was deleted.")


_OPEN = Prepared(
    select(AccountRow.id)
    .where(AccountRow.id == bindparam("account"), AccountRow.deleted_ms.is_(None))
    .with_for_update(read=True, key_share=True)
)
