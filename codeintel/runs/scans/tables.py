"""The tables of scans: lists of files, contents until the run ends, and results to reuse."""

from __future__ import annotations

from sqlalchemy import ForeignKey, Index, LargeBinary, String
from sqlalchemy.orm import Mapped, mapped_column

from codeintel.platform.db.models import Base


class ScanRow(Base):
    """A scan from its request to the end of its run. The run has the same id."""

    __tablename__ = "scans"
    __table_args__ = (Index("ix_scans_account", "account_id"),)

    id: Mapped[str] = mapped_column(String(32), primary_key=True)
    account_id: Mapped[str] = mapped_column(ForeignKey("accounts.id"))
    model: Mapped[str] = mapped_column(String(16))
    name: Mapped[str]
    """The repository, as its client calls it."""
    source: Mapped[str | None] = mapped_column(String(16))
    """The kind of program that requested it: a `RunSource`."""
    files: Mapped[int]
    listing: Mapped[bytes] = mapped_column(LargeBinary)
    """JSON of :class:`codeintel.runs.scans.storage.Listing`, compressed by zlib."""
    created_ms: Mapped[int] = mapped_column(index=True)


class ScanContentRow(Base):
    """The content of files of a scan, until its run ends."""

    __tablename__ = "scan_contents"
    # The size of an account's contents is computed from the index alone.
    __table_args__ = (Index("ix_scan_contents_account", "account_id", "size"),)

    scan_id: Mapped[str] = mapped_column(ForeignKey("scans.id"), primary_key=True)
    sha256: Mapped[str] = mapped_column(String(64), primary_key=True)
    account_id: Mapped[str] = mapped_column(ForeignKey("accounts.id"))
    size: Mapped[int]
    """In bytes, uncompressed."""
    data: Mapped[bytes] = mapped_column(LargeBinary)
    """Compressed by zlib."""


class ScanResultRow(Base):
    """A result that an account's later scans reuse.

    It has the findings of a file, with names and short expressions in their messages and code in
    their fixes; or the summary of a file, with names, types, places and digests of expressions; or
    the paths of values between files. It has no other code.
    """

    __tablename__ = "scan_results"

    account_id: Mapped[str] = mapped_column(ForeignKey("accounts.id"), primary_key=True)
    sha256: Mapped[str] = mapped_column(String(64), primary_key=True)
    """Of the content."""
    made_by: Mapped[str] = mapped_column(String(64), primary_key=True)
    """A digest of the rules, the engine, the model and the language."""
    data: Mapped[bytes] = mapped_column(LargeBinary)
    """Compressed by zlib."""
    stored_ms: Mapped[int] = mapped_column(index=True)
