"""An index of the workspaces of an account by their last sync, which lists them in pages."""

from __future__ import annotations

from alembic import op

revision = "0015"
down_revision = "0014"


def upgrade() -> None:
    op.create_index(
        "ix_workspace_sessions_account", "workspace_sessions", ["account_id", "synced_ms", "id"]
    )


def downgrade() -> None:
    op.drop_index("ix_workspace_sessions_account", "workspace_sessions")
