"""Idempotency keys; runs can be cancelled from elsewhere and keep their findings' fingerprints."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"


def upgrade() -> None:
    op.add_column("runs", sa.Column("fingerprints", sa.Text(), nullable=True))
    op.add_column("runs", sa.Column("usage", sa.String(length=255), nullable=True))
    op.add_column("runs", sa.Column("cancel_ms", sa.BigInteger(), nullable=True))
    op.create_index("ix_runs_owner_state", "runs", ["owner", "state"])
    op.create_table(
        "idempotency_keys",
        sa.Column("account_id", sa.String(length=32), nullable=False),
        sa.Column("route", sa.String(length=64), nullable=False),
        sa.Column("digest", sa.String(length=64), nullable=False),
        sa.Column("body", sa.String(length=64), nullable=False),
        sa.Column("run_id", sa.String(length=32), nullable=False),
        sa.Column("created_ms", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(
            ["account_id"], ["accounts.id"], name=op.f("fk_idempotency_keys_account_id_accounts")
        ),
        sa.PrimaryKeyConstraint("account_id", "route", "digest", name=op.f("pk_idempotency_keys")),
    )
    op.create_index(op.f("ix_idempotency_keys_run_id"), "idempotency_keys", ["run_id"])
    op.create_index(op.f("ix_idempotency_keys_created_ms"), "idempotency_keys", ["created_ms"])


def downgrade() -> None:
    op.drop_table("idempotency_keys")
    op.drop_index("ix_runs_owner_state", "runs")
    op.drop_column("runs", "cancel_ms")
    op.drop_column("runs", "usage")
    op.drop_column("runs", "fingerprints")
