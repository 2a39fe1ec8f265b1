"""An index of the languages of an account's runs, which the filters of the list of runs offer."""

from __future__ import annotations

from alembic import op

revision = "0013"
down_revision = "0012"


def upgrade() -> None:
    op.create_index("ix_runs_account_language", "runs", ["account_id", "language"])


def downgrade() -> None:
    op.drop_index("ix_runs_account_language", "runs")
