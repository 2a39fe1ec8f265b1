"""Accounts of users at identity providers. Only issuer and subject identify a user, never an
address.
"""

from __future__ import annotations

import hashlib
from datetime import datetime
from typing import Any
from urllib.parse import urlsplit

import msgspec
from sqlalchemy import Connection, Engine, insert, select
from sqlalchemy.exc import IntegrityError

from codeintel.base.errors import ErrorCode, ServiceError
from codeintel.base.timestamps import from_milliseconds
from codeintel.identity.accounts import (
    MAX_EMAIL_CHARACTERS,
    Account,
    Accounts,
    account_deleted,
    is_open,
)
from codeintel.identity.audit import Actor, AuditKind, record
from codeintel.identity.tables import IdentityRow
from codeintel.platform.config import Settings
from codeintel.platform.db.models import now_ms
from codeintel.platform.db.writer import Writer

MAX_CHARACTERS = 255


class IdentityRecord(msgspec.Struct, frozen=True):
    """An identity of an account. `email` is the provider's value at the time of joining."""

    issuer: str
    subject: str
    email: str
    created_at: datetime


class Identities:
    """The identities of all accounts."""

    def __init__(
        self, engine: Engine, writer: Writer, accounts: Accounts, settings: Settings
    ) -> None:
        self._engine = engine
        self._writer = writer
        self._accounts = accounts
        self._settings = settings

    def find(self, issuer: str, subject: str) -> str | None:
        """Return the account id of a user at a provider, or None."""
        query = select(IdentityRow.account_id).where(
            IdentityRow.issuer == issuer, IdentityRow.subject == subject
        )
        with self._engine.connect() as connection:
            return connection.scalar(query)

    def list(self, account_id: str) -> list[IdentityRecord]:
        """Return the identities of an account, oldest first."""
        query = select(IdentityRow.__table__).where(IdentityRow.account_id == account_id)
        with self._engine.connect() as connection:
            rows = connection.execute(query.order_by(IdentityRow.created_ms)).all()
        return [
            IdentityRecord(row.issuer, row.subject, row.email, from_milliseconds(row.created_ms))
            for row in rows
        ]

    def join(self, account_id: str, issuer: str, subject: str, email: str, actor: Actor) -> None:
        """Let a user at a provider sign in to an account. Repeating it has no effect.

        :raises ServiceError: `invalid_request` if the user already belongs to another account, or
            if the provider's identifiers are too long.
        """
        _check(issuer, subject)
        row = _row(account_id, issuer, subject, email)

        def work(connection: Connection) -> ServiceError | None:
            if not is_open(connection, account_id):
                return account_deleted()
            _insert(connection, row, actor)
            return None

        try:
            refusal = self._writer.run(work, order=account_id)
            if refusal is not None:
                raise refusal
        except IntegrityError:
            if self.find(issuer, subject) != account_id:
                raise ServiceError(
                    ErrorCode.INVALID_REQUEST,
                    "This identity belongs to another account. Sign out, then sign in with it.",
                ) from None

    def sign_up(
        self, issuer: str, subject: str, email: str, is_vouched: bool, actor: Actor
    ) -> Account:
        """Create an account for a new user, with the default tier and credits.

        The provider's address is used only if it is vouched for and free. Otherwise the address is
        generated and names the provider.

        :param is_vouched: whether the provider verified the address and may vouch for its domain.
        """
        _check(issuer, subject)
        made_up = f"{_short(issuer, subject)}@{urlsplit(issuer).hostname or 'unknown'}"
        for address in (email, made_up) if email and is_vouched else (made_up,):
            try:
                return self._accounts.create(
                    address,
                    self._settings.default_tier,
                    self._settings.default_credits,
                    unlimited=False,
                    actor=actor,
                    also=lambda connection, account: _insert(
                        connection, _row(account.id, issuer, subject, email), actor
                    ),
                )
            except ServiceError:
                known = self.find(issuer, subject)  # a concurrent request was first
                if known is not None:
                    return self._accounts.get(known)
                if address == made_up:
                    raise
        raise AssertionError("the last attempt returns or raises")


def _row(account_id: str, issuer: str, subject: str, email: str) -> dict[str, Any]:
    return {
        "issuer": issuer,
        "subject": subject,
        "account_id": account_id,
        "email": email[:MAX_EMAIL_CHARACTERS],
        "created_ms": now_ms(),
    }


def _insert(connection: Connection, row: dict[str, Any], actor: Actor) -> None:
    connection.execute(insert(IdentityRow).values(row))
    kind, details = AuditKind.IDENTITY_JOINED, {"issuer": row["issuer"]}
    record(connection, kind, row["account_id"], actor, details=details)


def _check(issuer: str, subject: str) -> None:
    if not issuer or not subject or max(len(issuer), len(subject)) > MAX_CHARACTERS:
        raise ServiceError(
            ErrorCode.INVALID_REQUEST, "The provider's identifier for you is empty or too long."
        )


def _short(issuer: str, subject: str) -> str:
    return "user-" + hashlib.sha256(f"{issuer}\n{subject}".encode()).hexdigest()[:16]
