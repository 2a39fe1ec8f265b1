"""The table of the audit log."""

from __future__ import annotations

from sqlalchemy import ForeignKey, Index, String, Text
from sqlalchemy.orm import Mapped, mapped_column

from codeintel.platform.db.models import Base, RowId


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
