"""The tables of workspaces.

A row of `workspace_files` is one version of one file, which is in all revisions from `since` up to
before `until`. So a push only writes changes, and the difference of two revisions is a query.
"""

from __future__ import annotations

from sqlalchemy import ForeignKey, Index, LargeBinary, String, Text, UniqueConstraint
from sqlalchemy.orm import Mapped, mapped_column

from codeintel.platform.db.models import Base, RowId


class SessionRow(Base):
    """A builder session: one workspace of one account, with its newest revision."""

    __tablename__ = "workspace_sessions"
    __table_args__ = (
        UniqueConstraint("account_id", "identity"),
        Index("ix_workspace_sessions_account", "account_id", "synced_ms", "id"),
    )

    id: Mapped[str] = mapped_column(String(32), primary_key=True)
    account_id: Mapped[str] = mapped_column(ForeignKey("accounts.id"))
    identity: Mapped[str] = mapped_column(String(64))
    """SHA-256 of name, remote, branch and folder, which identify a workspace."""
    name: Mapped[str]
    source: Mapped[str] = mapped_column(String(64))
    local_root_name: Mapped[str]
    branch_name: Mapped[str]
    remote_url: Mapped[str] = mapped_column(Text)
    """Without credentials."""
    revision: Mapped[int]
    """The newest revision, counted from 1, or 0 while the session is being deleted."""
    trust_dependencies: Mapped[bool]
    """Whether the names of its dependencies may be looked up in the trust network."""
    created_ms: Mapped[int]
    synced_ms: Mapped[int] = mapped_column(index=True)


class RevisionRow(Base):
    """A state of a workspace."""

    __tablename__ = "workspace_revisions"

    session_id: Mapped[str] = mapped_column(ForeignKey("workspace_sessions.id"), primary_key=True)
    number: Mapped[int] = mapped_column(primary_key=True)
    origin: Mapped[str] = mapped_column(String(16))
    """`push`, `edit` or `restore`."""
    source: Mapped[str] = mapped_column(String(64))
    """The kind of client that it came from."""
    restored_from: Mapped[int | None]
    files: Mapped[int]
    bytes: Mapped[int]
    changed: Mapped[int]
    """Number of files that differ from the previous revision, including deleted ones."""
    left_out: Mapped[int]
    """Number of files in `skipped`."""
    skipped: Mapped[str] = mapped_column(Text)
    """JSON: a list of :class:`codeintel.workspaces.records.SkippedFile`."""
    created_ms: Mapped[int]


class FileRow(Base):
    """A version of a file."""

    __tablename__ = "workspace_files"
    __table_args__ = (
        Index("ix_workspace_files_since", "session_id", "since"),
        Index("ix_workspace_files_until", "session_id", "until"),
        # With the size, so that the size of referenced contents is computed from the index alone.
        Index("ix_workspace_files_content", "account_id", "sha256", "size"),
        UniqueConstraint("session_id", "path", "since"),
    )

    id: Mapped[int] = mapped_column(RowId, primary_key=True)
    session_id: Mapped[str] = mapped_column(ForeignKey("workspace_sessions.id"))
    account_id: Mapped[str] = mapped_column(ForeignKey("accounts.id"))
    path: Mapped[str] = mapped_column(String(1024))
    """With a leading `/`."""
    since: Mapped[int]
    until: Mapped[int | None]
    sha256: Mapped[str] = mapped_column(String(64))
    size: Mapped[int]
    """In bytes of UTF-8."""


class ContentRow(Base):
    """The content of files, stored once for each account.

    So no account can detect what another stores.
    """

    __tablename__ = "workspace_contents"
    # An account's stored size is computed from the index alone.
    __table_args__ = (Index("ix_workspace_contents_size", "account_id", "size"),)

    account_id: Mapped[str] = mapped_column(ForeignKey("accounts.id"), primary_key=True)
    sha256: Mapped[str] = mapped_column(String(64), primary_key=True)
    size: Mapped[int]
    """In bytes, uncompressed."""
    packed: Mapped[bool]
    """Whether `data` is compressed by zlib."""
    data: Mapped[bytes] = mapped_column(LargeBinary)
    stored_ms: Mapped[int] = mapped_column(index=True)
    """When it was last sent. Unreferenced content is kept for an hour after that."""


class ReportRow(Base):
    """A pass of the proof loop over one revision."""

    __tablename__ = "workspace_reports"
    __table_args__ = (
        Index("ix_workspace_reports_session", "session_id", "revision"),
        Index("ix_workspace_reports_state", "state"),
    )

    id: Mapped[str] = mapped_column(String(32), primary_key=True)
    session_id: Mapped[str] = mapped_column(ForeignKey("workspace_sessions.id"))
    revision: Mapped[int]
    state: Mapped[str] = mapped_column(String(16))
    """`queued`, `running`, `passed`, `failed`, `incomplete` or `skipped`."""
    reason: Mapped[str] = mapped_column(Text)
    """In words: why it was skipped, or the reason for the verdict."""
    job_id: Mapped[str] = mapped_column(String(32))
    hold_id: Mapped[str | None] = mapped_column(String(32))
    """The credits that are reserved for it."""
    charged: Mapped[int]
    summary: Mapped[str | None] = mapped_column(Text)
    """JSON of the document's :class:`codeintel.workspaces.proof.shapes.ReportSummary`, for
    lists.
    """
    document: Mapped[bytes | None] = mapped_column(LargeBinary)
    """JSON of :class:`codeintel.workspaces.proof.shapes.Report`, compressed by zlib."""
    created_ms: Mapped[int]
    started_ms: Mapped[int | None]
    finished_ms: Mapped[int | None]


class FileResultRow(Base):
    """An engine's result for one content, reused by later revisions and by a restarted analysis."""

    __tablename__ = "workspace_file_results"

    account_id: Mapped[str] = mapped_column(ForeignKey("accounts.id"), primary_key=True)
    sha256: Mapped[str] = mapped_column(String(64), primary_key=True)
    engine: Mapped[str] = mapped_column(String(160), primary_key=True)
    """Its name and version, those of its analyzers, the language and the model, or a digest."""
    data: Mapped[bytes] = mapped_column(LargeBinary)
    """JSON of the :class:`codeintel.contracts.AnalysisResult`, compressed by zlib."""
    stored_ms: Mapped[int] = mapped_column(index=True)
