"""The digest of a run's code and its workspace, so that the page of a run can show the code."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0014"
down_revision = "0013"


def upgrade() -> None:
    with op.batch_alter_table("runs") as table:
        table.add_column(sa.Column("workspace_id", sa.String(length=32), nullable=True))
        table.add_column(sa.Column("code_digest", sa.String(length=64), nullable=True))


def downgrade() -> None:
    with op.batch_alter_table("runs") as table:
        table.drop_column("code_digest")
        table.drop_column("workspace_id")
