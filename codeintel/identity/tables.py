"""The tables of the identity package."""

from __future__ import annotations

from sqlalchemy import ForeignKey, String
from sqlalchemy.orm import Mapped, mapped_column

from codeintel.platform.db.models import Base


class IdentityRow(Base):
    """A user at a provider, and the user's account."""

    __tablename__ = "identities"

    issuer: Mapped[str] = mapped_column(String(255), primary_key=True)
    subject: Mapped[str] = mapped_column(String(255), primary_key=True)
    account_id: Mapped[str] = mapped_column(ForeignKey("accounts.id"), index=True)
    email: Mapped[str] = mapped_column(String(320))
    """The address from the provider, for display only. It decides nothing."""
    created_ms: Mapped[int]


class SessionRow(Base):
    """A signed-in browser, with the digest of its token."""

    __tablename__ = "sessions"

    id: Mapped[str] = mapped_column(String(32), primary_key=True)
    digest: Mapped[str] = mapped_column(String(64), unique=True)
    account_id: Mapped[str] = mapped_column(ForeignKey("accounts.id"), index=True)
    how: Mapped[str] = mapped_column(String(255))
    """`link`, or the issuer of the sign-in."""
    agent: Mapped[str] = mapped_column(String(200))
    """The browser's user agent."""
    created_ms: Mapped[int]
    seen_ms: Mapped[int]
    expires_ms: Mapped[int] = mapped_column(index=True)
    """The end of the session, regardless of its use."""
    ended_ms: Mapped[int | None]


class SignInLinkRow(Base):
    """A link that signs in once, with the digest of its token."""

    __tablename__ = "sign_in_links"

    digest: Mapped[str] = mapped_column(String(64), primary_key=True)
    account_id: Mapped[str] = mapped_column(ForeignKey("accounts.id"), index=True)
    created_ms: Mapped[int]
    expires_ms: Mapped[int]
    ended_ms: Mapped[int | None]
    """The time of its use, or of its replacement by a newer link."""
