"""An index that sums up what an account stores."""

from __future__ import annotations

from alembic import op

revision = "0011"
down_revision = "0010"


def upgrade() -> None:
    op.create_index(
        "ix_workspace_contents_size", "workspace_contents", ["account_id", "size"], unique=False
    )


def downgrade() -> None:
    op.drop_index("ix_workspace_contents_size", table_name="workspace_contents")
