"""Reports about search sources that failed."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"


def upgrade() -> None:
    op.create_table(
        "source_reports",
        sa.Column("source", sa.String(length=64), nullable=False),
        sa.Column("problem", sa.String(length=32), nullable=False),
        sa.Column("message", sa.Text(), nullable=False),
        sa.Column("failures", sa.BigInteger(), nullable=False),
        sa.Column("failed_ms", sa.BigInteger(), nullable=False),
        sa.Column("paused_until_ms", sa.BigInteger(), nullable=True),
        sa.Column("answered_ms", sa.BigInteger(), nullable=True),
        sa.PrimaryKeyConstraint("source", name=op.f("pk_source_reports")),
    )


def downgrade() -> None:
    op.drop_table("source_reports")
