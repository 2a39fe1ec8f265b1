"""The tables. Times are milliseconds since 1970 (UTC), in columns that end in `_ms`."""

from __future__ import annotations

import secrets
import time

from sqlalchemy import (
    BigInteger,
    CheckConstraint,
    ForeignKey,
    Index,
    Integer,
    MetaData,
    String,
    Text,
    text,
)
from sqlalchemy.orm import DeclarativeBase, Mapped, mapped_column, registry

RUNNING = text("state = 'running'")
"""State of an active run, written as in the index. A bound parameter would not match the index."""
# SQLite generates row numbers only in an INTEGER primary key.
RowId = BigInteger().with_variant(Integer, "sqlite")


class Base(DeclarativeBase):
    """Base of all models."""

    # A later migration can change named constraints, on SQLite too.
    metadata = MetaData(
        naming_convention={
            "ix": "ix_%(column_0_label)s",
            "uq": "uq_%(table_name)s_%(column_0_name)s",
            "ck": "ck_%(table_name)s_%(constraint_name)s",
            "fk": "fk_%(table_name)s_%(column_0_name)s_%(referred_table_name)s",
            "pk": "pk_%(table_name)s",
        }
    )
    registry = registry(metadata=metadata, type_annotation_map={int: BigInteger, str: String(255)})


def now_ms() -> int:
    """Return the current time in milliseconds since 1970."""
    return time.time_ns() // 1_000_000


def new_id(prefix: str) -> str:
    """Return a random id like `run_2f0c…`, with 96 bits, so that it cannot be guessed."""
    return f"{prefix}_{secrets.token_hex(12)}"


class Account(Base):
    """An account: who pays and whose use is limited."""

    __tablename__ = "accounts"

    id: Mapped[str] = mapped_column(String(32), primary_key=True)
    email: Mapped[str] = mapped_column(String(320), unique=True)
    tier: Mapped[str] = mapped_column(String(16))
    unlimited: Mapped[bool]
    created_ms: Mapped[int]
    deleted_ms: Mapped[int | None]
    """When it was deleted. What accounting needs stays, under an address without an owner."""


class ApiKey(Base):
    """An API key, stored as its HMAC, never as the token."""

    __tablename__ = "api_keys"
    __table_args__ = (Index("ix_api_keys_account", "account_id", "created_ms", "id"),)

    id: Mapped[str] = mapped_column(String(32), primary_key=True)
    account_id: Mapped[str] = mapped_column(ForeignKey("accounts.id"))
    name: Mapped[str] = mapped_column(String(100))
    scopes: Mapped[str]
    """Space-separated, as OAuth writes them."""
    digest: Mapped[str] = mapped_column(String(64), unique=True)
    preview: Mapped[str] = mapped_column(String(32))
    created_ms: Mapped[int]
    expires_ms: Mapped[int]
    revoked_ms: Mapped[int | None]
    last_used_ms: Mapped[int | None]
    replaced_by: Mapped[str | None] = mapped_column(String(32))
    """The key that replaces it."""


class Balance(Base):
    """An account's credits: `posted` is the sum of its entries, `held` of its pending holds."""

    __tablename__ = "balances"
    __table_args__ = (
        CheckConstraint("held >= 0", name="held_not_negative"),
        CheckConstraint("posted >= held", name="held_is_covered"),
    )

    account_id: Mapped[str] = mapped_column(ForeignKey("accounts.id"), primary_key=True)
    posted: Mapped[int]
    held: Mapped[int]


class LedgerEntry(Base):
    """A change of a balance. Rows are only ever added, and a run has at most one."""

    __tablename__ = "ledger_entries"
    __table_args__ = (
        Index("ix_ledger_entries_account", "account_id", "id"),
        Index("ix_ledger_entries_account_created", "account_id", "created_ms", "id"),
    )

    id: Mapped[int] = mapped_column(RowId, primary_key=True)
    account_id: Mapped[str] = mapped_column(ForeignKey("accounts.id"))
    kind: Mapped[str] = mapped_column(String(16))
    amount: Mapped[int]
    metered: Mapped[int]
    """What the operation costs. It differs from -amount for unlimited accounts only."""
    run_id: Mapped[str | None] = mapped_column(String(32), unique=True)
    reason: Mapped[str] = mapped_column(Text)
    created_ms: Mapped[int]


class Hold(Base):
    """Credits reserved for a run, or for a pass of the proof loop.

    An unrenewed hold expires at `expires_ms`.
    """

    __tablename__ = "holds"
    __table_args__ = (Index("ix_holds_state_expires", "state", "expires_ms"),)

    id: Mapped[str] = mapped_column(String(32), primary_key=True)
    """The id of the run that it is for, or its own id for a pass of the proof loop."""
    account_id: Mapped[str] = mapped_column(ForeignKey("accounts.id"))
    amount: Mapped[int]
    state: Mapped[str] = mapped_column(String(16))
    created_ms: Mapped[int]
    expires_ms: Mapped[int]


class RunRow(Base):
    """A run: its task, the process that works on it, and its result."""

    __tablename__ = "runs"
    __table_args__ = (
        Index("ix_runs_account_created", "account_id", "created_ms", "id"),
        Index("ix_runs_account_language", "account_id", "language"),
        Index("ix_runs_running", "owner", sqlite_where=RUNNING, postgresql_where=RUNNING),
    )

    id: Mapped[str] = mapped_column(String(32), primary_key=True)
    account_id: Mapped[str] = mapped_column(ForeignKey("accounts.id"))
    kind: Mapped[str] = mapped_column(String(16))
    state: Mapped[str] = mapped_column(String(16))
    engine: Mapped[str] = mapped_column(String(64))
    model: Mapped[str] = mapped_column(String(16))
    owner: Mapped[str] = mapped_column(String(64))
    """The process that works on it."""
    epoch: Mapped[int]
    """Increases when another process takes the run.

    Only the holder of the current epoch may settle it.
    """
    price: Mapped[int]
    charged: Mapped[int | None]
    reason: Mapped[str | None] = mapped_column(String(64))
    result: Mapped[str | None] = mapped_column(Text)
    """JSON of the result, if the run has one."""
    fingerprints: Mapped[str | None] = mapped_column(Text)
    """JSON list of the findings' fingerprints, in their order. The code itself is not stored."""
    usage: Mapped[str | None]
    """JSON of what it used. Until it ends, what is known at the start."""
    source: Mapped[str | None] = mapped_column(String(16))
    """The kind of program that started it: a `RunSource`."""
    file: Mapped[str | None]
    """The name or path of the file, where the program sent it. The code is not stored."""
    workspace_id: Mapped[str | None] = mapped_column(String(32))
    """The workspace that the file belongs to, if the editor or the demo started the run."""
    code_digest: Mapped[str | None] = mapped_column(String(64))
    """Keyed digest of the code (`identity/code_digests.py`), which recognizes the file again."""
    language: Mapped[str | None] = mapped_column(String(64))
    severities: Mapped[str | None]
    """JSON of the number of findings by severity; severities without findings are left out."""
    cancel_ms: Mapped[int | None]
    """When its cancellation was requested, maybe at another process than the owner."""
    created_ms: Mapped[int]
    finished_ms: Mapped[int | None] = mapped_column(index=True)


class IdempotencyKey(Base):
    """A request that is done once, however often it is sent."""

    __tablename__ = "idempotency_keys"

    account_id: Mapped[str] = mapped_column(ForeignKey("accounts.id"), primary_key=True)
    route: Mapped[str] = mapped_column(String(64), primary_key=True)
    digest: Mapped[str] = mapped_column(String(64), primary_key=True)
    """SHA-256 of the key that the client chose."""
    body: Mapped[str] = mapped_column(String(64))
    """SHA-256 of the request's body."""
    made: Mapped[str] = mapped_column(String(64), index=True)
    """What the request created: the id of a run, or a session and a revision of a workspace."""
    created_ms: Mapped[int] = mapped_column(index=True)


class SourceReportRow(Base):
    """A process's last observation of a failing search source, for operators."""

    __tablename__ = "source_reports"

    source: Mapped[str] = mapped_column(String(64), primary_key=True)
    problem: Mapped[str] = mapped_column(String(32))
    message: Mapped[str] = mapped_column(Text)
    failures: Mapped[int]
    """Number of failures in a row."""
    failed_ms: Mapped[int]
    paused_until_ms: Mapped[int | None]
    answered_ms: Mapped[int | None]
    """When it first answered again."""


class Fact(Base):
    """Facts about the installation itself, such as the fingerprint of the key pepper."""

    __tablename__ = "facts"

    name: Mapped[str] = mapped_column(String(64), primary_key=True)
    value: Mapped[str]


class LeaderLease(Base):
    """The process that does a kind of work for all processes that share the database."""

    __tablename__ = "leader_leases"

    work: Mapped[str] = mapped_column(String(64), primary_key=True)
    owner: Mapped[str] = mapped_column(String(64))
    """The process's name."""
    expires_ms: Mapped[int]
    """By the database's clock.

    After this, another process may take over unless the lease was renewed.
    """
