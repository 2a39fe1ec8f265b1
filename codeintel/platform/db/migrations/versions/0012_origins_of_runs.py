"""Origin and findings of a run: the columns that the list of runs shows."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0012"
down_revision = "0011"


def upgrade() -> None:
    with op.batch_alter_table("runs") as table:
        table.add_column(sa.Column("source", sa.String(length=16), nullable=True))
        table.add_column(sa.Column("file", sa.String(length=255), nullable=True))
        table.add_column(sa.Column("language", sa.String(length=64), nullable=True))
        table.add_column(sa.Column("severities", sa.String(length=255), nullable=True))


def downgrade() -> None:
    with op.batch_alter_table("runs") as table:
        table.drop_column("severities")
        table.drop_column("language")
        table.drop_column("file")
        table.drop_column("source")
