"""Workspaces, their revisions, files, contents and reports. Keys of requests that start no run."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0007"
down_revision = "0006"


def _account() -> sa.Column[str]:
    return sa.Column("account_id", sa.String(length=32), nullable=False)


def _owned(table: str) -> sa.ForeignKeyConstraint:
    name = op.f(f"fk_{table}_account_id_accounts")
    return sa.ForeignKeyConstraint(["account_id"], ["accounts.id"], name=name)


def _in_session(table: str) -> sa.ForeignKeyConstraint:
    name = op.f(f"fk_{table}_session_id_workspace_sessions")
    return sa.ForeignKeyConstraint(["session_id"], ["workspace_sessions.id"], name=name)


def _sessions() -> None:
    table = "workspace_sessions"
    op.create_table(
        table,
        sa.Column("id", sa.String(length=32), nullable=False),
        _account(),
        sa.Column("identity", sa.String(length=64), nullable=False),
        sa.Column("name", sa.String(length=255), nullable=False),
        sa.Column("source", sa.String(length=64), nullable=False),
        sa.Column("local_root_name", sa.String(length=255), nullable=False),
        sa.Column("branch_name", sa.String(length=255), nullable=False),
        sa.Column("remote_url", sa.Text(), nullable=False),
        sa.Column("revision", sa.BigInteger(), nullable=False),
        sa.Column("trust_dependencies", sa.Boolean(), nullable=False),
        sa.Column("created_ms", sa.BigInteger(), nullable=False),
        sa.Column("synced_ms", sa.BigInteger(), nullable=False),
        _owned(table),
        sa.PrimaryKeyConstraint("id", name=op.f(f"pk_{table}")),
        sa.UniqueConstraint("account_id", "identity", name=op.f(f"uq_{table}_account_id")),
    )
    op.create_index(op.f(f"ix_{table}_synced_ms"), table, ["synced_ms"])


def _revisions() -> None:
    table = "workspace_revisions"
    op.create_table(
        table,
        sa.Column("session_id", sa.String(length=32), nullable=False),
        sa.Column("number", sa.BigInteger(), nullable=False),
        sa.Column("origin", sa.String(length=16), nullable=False),
        sa.Column("source", sa.String(length=64), nullable=False),
        sa.Column("restored_from", sa.BigInteger(), nullable=True),
        sa.Column("files", sa.BigInteger(), nullable=False),
        sa.Column("bytes", sa.BigInteger(), nullable=False),
        sa.Column("changed", sa.BigInteger(), nullable=False),
        sa.Column("left_out", sa.BigInteger(), nullable=False),
        sa.Column("skipped", sa.Text(), nullable=False),
        sa.Column("created_ms", sa.BigInteger(), nullable=False),
        _in_session(table),
        sa.PrimaryKeyConstraint("session_id", "number", name=op.f(f"pk_{table}")),
    )


def _files() -> None:
    table = "workspace_files"
    row_id = sa.BigInteger().with_variant(sa.Integer(), "sqlite")
    op.create_table(
        table,
        sa.Column("id", row_id, nullable=False),
        sa.Column("session_id", sa.String(length=32), nullable=False),
        _account(),
        sa.Column("path", sa.String(length=1024), nullable=False),
        sa.Column("since", sa.BigInteger(), nullable=False),
        sa.Column("until", sa.BigInteger(), nullable=True),
        sa.Column("sha256", sa.String(length=64), nullable=False),
        sa.Column("size", sa.BigInteger(), nullable=False),
        _in_session(table),
        _owned(table),
        sa.PrimaryKeyConstraint("id", name=op.f(f"pk_{table}")),
        sa.UniqueConstraint("session_id", "path", "since", name=op.f(f"uq_{table}_session_id")),
    )
    op.create_index("ix_workspace_files_since", table, ["session_id", "since"])
    op.create_index("ix_workspace_files_until", table, ["session_id", "until"])
    op.create_index("ix_workspace_files_content", table, ["account_id", "sha256", "size"])


def _contents() -> None:
    table = "workspace_contents"
    op.create_table(
        table,
        _account(),
        sa.Column("sha256", sa.String(length=64), nullable=False),
        sa.Column("size", sa.BigInteger(), nullable=False),
        sa.Column("packed", sa.Boolean(), nullable=False),
        sa.Column("data", sa.LargeBinary(), nullable=False),
        sa.Column("stored_ms", sa.BigInteger(), nullable=False),
        _owned(table),
        sa.PrimaryKeyConstraint("account_id", "sha256", name=op.f(f"pk_{table}")),
    )
    op.create_index(op.f(f"ix_{table}_stored_ms"), table, ["stored_ms"])


def _reports() -> None:
    table = "workspace_reports"
    op.create_table(
        table,
        sa.Column("id", sa.String(length=32), nullable=False),
        sa.Column("session_id", sa.String(length=32), nullable=False),
        sa.Column("revision", sa.BigInteger(), nullable=False),
        sa.Column("state", sa.String(length=16), nullable=False),
        sa.Column("reason", sa.Text(), nullable=False),
        sa.Column("job_id", sa.String(length=32), nullable=False),
        sa.Column("hold_id", sa.String(length=32), nullable=True),
        sa.Column("charged", sa.BigInteger(), nullable=False),
        sa.Column("summary", sa.Text(), nullable=True),
        sa.Column("document", sa.LargeBinary(), nullable=True),
        sa.Column("created_ms", sa.BigInteger(), nullable=False),
        sa.Column("started_ms", sa.BigInteger(), nullable=True),
        sa.Column("finished_ms", sa.BigInteger(), nullable=True),
        _in_session(table),
        sa.PrimaryKeyConstraint("id", name=op.f(f"pk_{table}")),
    )
    op.create_index("ix_workspace_reports_session", table, ["session_id", "revision"])


def _results() -> None:
    table = "workspace_file_results"
    op.create_table(
        table,
        _account(),
        sa.Column("sha256", sa.String(length=64), nullable=False),
        sa.Column("engine", sa.String(length=160), nullable=False),
        sa.Column("data", sa.LargeBinary(), nullable=False),
        sa.Column("stored_ms", sa.BigInteger(), nullable=False),
        _owned(table),
        sa.PrimaryKeyConstraint("account_id", "sha256", "engine", name=op.f(f"pk_{table}")),
    )
    op.create_index(op.f(f"ix_{table}_stored_ms"), table, ["stored_ms"])


def upgrade() -> None:
    with op.batch_alter_table("idempotency_keys") as batch:
        batch.drop_index(op.f("ix_idempotency_keys_run_id"))
        batch.alter_column(
            "run_id",
            new_column_name="made",
            type_=sa.String(length=64),
            existing_type=sa.String(length=32),
            existing_nullable=False,
        )
    op.create_index(op.f("ix_idempotency_keys_made"), "idempotency_keys", ["made"])
    for create in (_sessions, _revisions, _files, _contents, _reports, _results):
        create()


def _give_back() -> None:
    """Release the credits that the proof loop has reserved.

    The previous version only releases holds of runs, and would keep these forever.
    """
    op.execute(
        "UPDATE balances SET held = held - (SELECT coalesce(sum(amount), 0) FROM holds "
        "WHERE holds.account_id = balances.account_id AND state = 'pending' "
        "AND substr(id, 1, 4) = 'prf_')"
    )
    op.execute(
        "UPDATE holds SET state = 'voided' WHERE state = 'pending' AND substr(id, 1, 4) = 'prf_'"
    )


def downgrade() -> None:
    _give_back()
    for table in ("file_results", "reports", "contents", "files", "revisions", "sessions"):
        op.drop_table(f"workspace_{table}")
    # The previous version has no use for keys that belong to no run, and they are too long for it.
    op.execute("DELETE FROM idempotency_keys WHERE made LIKE '%:%'")
    with op.batch_alter_table("idempotency_keys") as batch:
        batch.drop_index(op.f("ix_idempotency_keys_made"))
        batch.alter_column(
            "made",
            new_column_name="run_id",
            type_=sa.String(length=32),
            existing_type=sa.String(length=64),
            existing_nullable=False,
        )
    op.create_index(op.f("ix_idempotency_keys_run_id"), "idempotency_keys", ["run_id"])
