"""The tables of identity."""

from __future__ import annotations

from sqlalchemy import ForeignKey, Index, String, Text
from sqlalchemy.orm import Mapped, mapped_column

from codeintel.db.models import Base, RowId


class IdentityRow(Base):
    """Somebody at a provider, and the account that they are here."""

    __tablename__ = "identities"

    issuer: Mapped[str] = mapped_column(String(255), primary_key=True)
    subject: Mapped[str] = mapped_column(String(255), primary_key=True)
    account_id: Mapped[str] = mapped_column(ForeignKey("accounts.id"), index=True)
    email: Mapped[str] = mapped_column(String(320))
    """As the provider tells it, for people to recognise: nothing is decided by it."""
    created_ms: Mapped[int]


class SessionRow(Base):
    """A browser that is signed in: the digest of its token, never the token."""

    __tablename__ = "sessions"

    id: Mapped[str] = mapped_column(String(32), primary_key=True)
    digest: Mapped[str] = mapped_column(String(64), unique=True)
    account_id: Mapped[str] = mapped_column(ForeignKey("accounts.id"), index=True)
    how: Mapped[str] = mapped_column(String(255))
    """`link`, or the issuer that the browser signed in at."""
    agent: Mapped[str] = mapped_column(String(200))
    """What the browser says that it is."""
    created_ms: Mapped[int]
    seen_ms: Mapped[int]
    expires_ms: Mapped[int] = mapped_column(index=True)
    """The end, whatever is done until then."""
    ended_ms: Mapped[int | None]


class SignInLinkRow(Base):
    """A link that signs in once: the digest of its token."""

    __tablename__ = "sign_in_links"

    digest: Mapped[str] = mapped_column(String(64), primary_key=True)
    account_id: Mapped[str] = mapped_column(ForeignKey("accounts.id"), index=True)
    created_ms: Mapped[int]
    expires_ms: Mapped[int]
    ended_ms: Mapped[int | None]
    """When it was used, or a newer one took its place."""


class AuditRow(Base):
    """Something that was done in an account's name. Rows are added and never changed; they go by
    `CODEINTEL_AUDIT_RETENTION` and with their account, by nothing else."""

    __tablename__ = "audit_events"
    __table_args__ = (Index("ix_audit_events_account_id_at_ms", "account_id", "at_ms"),)

    id: Mapped[int] = mapped_column(RowId, primary_key=True)
    at_ms: Mapped[int] = mapped_column(index=True)
    kind: Mapped[str] = mapped_column(String(32))
    account_id: Mapped[str | None] = mapped_column(ForeignKey("accounts.id"))
    """None for what is of no account, such as a restore."""
    actor: Mapped[str] = mapped_column(String(64))
    """`session:<id>`, `command line`, or `jwt`."""
    address: Mapped[str] = mapped_column(String(64))
    subject: Mapped[str] = mapped_column(String(64))
    """The id of what it was done to."""
    details: Mapped[str] = mapped_column(Text)
    """JSON."""
