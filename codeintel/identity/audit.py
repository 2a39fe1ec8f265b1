"""The audit log: actions on accounts and their credentials, with actor and time."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from typing import Any

import msgspec
from sqlalchemy import (
    BigInteger,
    Connection,
    Engine,
    ForeignKey,
    Index,
    String,
    Text,
    cast,
    insert,
    literal,
    null,
    select,
)
from sqlalchemy.orm import Mapped, mapped_column

from codeintel.base.timestamps import Moment, from_milliseconds
from codeintel.platform.db.models import Account, Base, LedgerEntry, RowId, now_ms

MAX_EVENTS = 500
MAX_TIES = 100
COMMAND_LINE = "command line"


class AuditRow(Base):
    """An action on an account. Rows are added and never changed. They are deleted after
    `CODEINTEL_AUDIT_RETENTION` or with their account.
    """

    __tablename__ = "audit_events"
    __table_args__ = (Index("ix_audit_events_account_id_at_ms", "account_id", "at_ms"),)

    id: Mapped[int] = mapped_column(RowId, primary_key=True)
    at_ms: Mapped[int] = mapped_column(index=True)
    kind: Mapped[str] = mapped_column(String(32))
    account_id: Mapped[str | None] = mapped_column(ForeignKey("accounts.id"))
    """None for an action without an account, such as a restore."""
    actor: Mapped[str] = mapped_column(String(64))
    """`session:<id>`, `command line`, or `jwt`."""
    address: Mapped[str] = mapped_column(String(64))
    subject: Mapped[str] = mapped_column(String(64))
    """The id of the object of the action."""
    details: Mapped[str] = mapped_column(Text)
    """JSON."""


class AuditKind(StrEnum):
    """The kinds of actions."""

    ACCOUNT_MADE = "account.made"
    LINK_MADE = "sign_in_link.made"
    SIGNED_IN = "session.opened"
    SIGNED_OUT = "session.ended"
    IDENTITY_JOINED = "identity.joined"
    TOKEN_ISSUED = "token.issued"  # noqa: S105 - the name of an event
    KEY_CREATED = "key.created"
    KEY_ROTATED = "key.rotated"
    KEY_REVOKED = "key.revoked"
    CREDITS_GRANTED = "credits.grant"
    CREDITS_CHARGED = "credits.charge"
    CREDITS_RELEASED = "credits.release"
    CREDITS_FORFEITED = "credits.forfeit"
    ACCOUNT_CHANGED = "account.changed"
    ACCOUNT_EXPORTED = "account.exported"
    ACCOUNT_DELETED = "account.deleted"
    RESTORED = "database.restored"


class Actor(msgspec.Struct, frozen=True):
    """The actor: for example a session, and its address if there is one."""

    name: str = COMMAND_LINE
    address: str = ""


OPERATOR = Actor()
"""The user of the command line."""


class AuditEvent(msgspec.Struct, frozen=True, kw_only=True, rename="camel"):
    """An action. `subject` is the id of its object. `account_id` is empty for actions without an
    account.
    """

    id: str
    at: Moment
    kind: AuditKind
    account_id: str
    email: str
    actor: str
    address: str
    subject: str
    details: dict[str, Any]


def record(
    connection: Connection,
    kind: AuditKind,
    account_id: str | None,
    actor: Actor,
    *,
    subject: str = "",
    details: Mapping[str, Any] | None = None,
) -> None:
    """Add an event in the transaction of the action. `details` must hold no secret.

    :param account_id: None for actions without an account.
    """
    connection.execute(
        insert(AuditRow).values(
            at_ms=now_ms(),
            kind=kind,
            account_id=account_id,
            actor=actor.name[:64],
            address=actor.address[:64],
            subject=subject[:64],
            details=msgspec.json.encode(details or {}).decode(),
        )
    )


class AuditLog:
    """Reads the audit log."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine

    def events(
        self, account_id: str | None = None, limit: int = 50, before_ms: int | None = None
    ) -> list[AuditEvent]:
        """Return events, including credit changes, newest first.

        :param account_id: the account, or None for all accounts.
        :param limit: the maximum number, up to 500.
        :param before_ms: return only older events. In milliseconds since 1970.
        """
        limit = min(limit, MAX_EVENTS)
        found: list[AuditEvent] = []
        with self._engine.connect() as connection:
            for query, owner, time in _PARTS:
                if account_id is not None:
                    query = query.where(owner == account_id)
                if before_ms is not None:
                    query = query.where(time < before_ms)
                query = query.order_by(time.desc(), query.selected_columns[0].desc())
                found += map(_event, connection.execute(query.limit(limit + MAX_TIES)))
        found.sort(key=lambda event: event.at, reverse=True)
        end = limit  # events of one moment stay on one page, because the next page begins before it
        while 0 < end < len(found) and found[end].at == found[end - 1].at:
            end += 1
        return found[:end]


_EVENTS = select(
    AuditRow.id,
    literal("event").label("of"),
    AuditRow.at_ms.label("at_ms"),
    AuditRow.kind,
    Account.id.label("account_id"),
    Account.email,
    AuditRow.actor,
    AuditRow.address,
    AuditRow.subject,
    AuditRow.details,
    cast(null(), BigInteger).label("amount"),
).outerjoin(Account, Account.id == AuditRow.account_id)
_ENTRIES = select(
    LedgerEntry.id,
    literal("entry").label("of"),
    LedgerEntry.created_ms.label("at_ms"),
    LedgerEntry.kind,
    Account.id.label("account_id"),
    Account.email,
    cast(null(), String).label("actor"),
    literal("").label("address"),
    LedgerEntry.run_id.label("subject"),
    LedgerEntry.reason.label("details"),
    LedgerEntry.amount,
).join(Account, Account.id == LedgerEntry.account_id)


# The queries, with their account and time columns.
_PARTS: tuple[tuple[Any, Any, Any], ...] = (
    (_EVENTS, AuditRow.account_id, AuditRow.at_ms),
    (_ENTRIES, LedgerEntry.account_id, LedgerEntry.created_ms),
)


def _event(row: Any) -> AuditEvent:
    is_entry = row.of == "entry"
    if is_entry:
        details: dict[str, Any] = {"amount": row.amount, "reason": row.details}
    else:
        details = msgspec.json.decode(row.details)
    return AuditEvent(
        id=f"{row.of}-{row.id}",
        at=from_milliseconds(row.at_ms),
        kind=AuditKind(f"credits.{row.kind}" if is_entry else row.kind),
        account_id=row.account_id or "",
        email=row.email or "",
        actor=row.actor or "ledger",
        address=row.address,
        subject=row.subject or "",
        details=details,
    )
