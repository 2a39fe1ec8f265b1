"""Indexes for accounts with many rows, and leases for work that one process does for all."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0009"
down_revision = "0008"

_RUNNING = sa.text("state = 'running'")


def upgrade() -> None:
    op.create_table(
        "leader_leases",
        sa.Column("work", sa.String(length=64), nullable=False),
        sa.Column("owner", sa.String(length=64), nullable=False),
        sa.Column("expires_ms", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("work", name=op.f("pk_leader_leases")),
    )
    op.create_index("ix_api_keys_account", "api_keys", ["account_id", "created_ms", "id"])
    op.drop_index("ix_api_keys_account_id", table_name="api_keys")
    op.create_index("ix_ledger_entries_account", "ledger_entries", ["account_id", "id"])
    op.create_index(
        "ix_ledger_entries_account_created", "ledger_entries", ["account_id", "created_ms", "id"]
    )
    op.drop_index("ix_ledger_entries_account_id", table_name="ledger_entries")
    op.create_index("ix_runs_account_created", "runs", ["account_id", "created_ms", "id"])
    op.drop_index("ix_runs_account_id", table_name="runs")
    # Few runs are active at a time, so this index stays small however many have ended.
    op.create_index(
        "ix_runs_running",
        "runs",
        ["owner"],
        sqlite_where=_RUNNING,
        postgresql_where=_RUNNING,
    )
    op.drop_index("ix_runs_owner_state", table_name="runs")
    op.create_index("ix_workspace_reports_state", "workspace_reports", ["state"])


def downgrade() -> None:
    op.drop_index("ix_workspace_reports_state", table_name="workspace_reports")
    op.create_index("ix_runs_owner_state", "runs", ["owner", "state"])
    op.drop_index("ix_runs_running", table_name="runs")
    op.create_index("ix_runs_account_id", "runs", ["account_id"])
    op.drop_index("ix_runs_account_created", table_name="runs")
    op.create_index("ix_ledger_entries_account_id", "ledger_entries", ["account_id"])
    op.drop_index("ix_ledger_entries_account_created", table_name="ledger_entries")
    op.drop_index("ix_ledger_entries_account", table_name="ledger_entries")
    op.create_index("ix_api_keys_account_id", "api_keys", ["account_id"])
    op.drop_index("ix_api_keys_account", table_name="api_keys")
    op.drop_table("leader_leases")
