"""How often a process has died while it worked on a job."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0010"
down_revision = "0009"


def upgrade() -> None:
    op.add_column("jobs", sa.Column("deaths", sa.BigInteger(), nullable=False, server_default="0"))


def downgrade() -> None:
    op.drop_column("jobs", "deaths")
