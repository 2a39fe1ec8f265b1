"""Deleted accounts. Events that belong to no account."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0008"
down_revision = "0007"


def upgrade() -> None:
    op.add_column("accounts", sa.Column("deleted_ms", sa.BigInteger(), nullable=True))
    with op.batch_alter_table("audit_events") as batch:
        batch.alter_column("account_id", existing_type=sa.String(length=32), nullable=True)


def downgrade() -> None:
    # The previous version has no place for events that belong to no account.
    op.execute("DELETE FROM audit_events WHERE account_id IS NULL")
    with op.batch_alter_table("audit_events") as batch:
        batch.alter_column("account_id", existing_type=sa.String(length=32), nullable=False)
    op.drop_column("accounts", "deleted_ms")
