"""Scans of repositories: lists of files, contents until the run ends, and results to reuse."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0016"
down_revision = "0015"


def _account() -> sa.Column[str]:
    return sa.Column("account_id", sa.String(length=32), nullable=False)


def _owned(table: str) -> sa.ForeignKeyConstraint:
    name = op.f(f"fk_{table}_account_id_accounts")
    return sa.ForeignKeyConstraint(["account_id"], ["accounts.id"], name=name)


def upgrade() -> None:
    op.create_table(
        "scans",
        sa.Column("id", sa.String(length=32), nullable=False),
        _account(),
        sa.Column("model", sa.String(length=16), nullable=False),
        sa.Column("name", sa.String(length=255), nullable=False),
        sa.Column("source", sa.String(length=16), nullable=True),
        sa.Column("files", sa.BigInteger(), nullable=False),
        sa.Column("listing", sa.LargeBinary(), nullable=False),
        sa.Column("created_ms", sa.BigInteger(), nullable=False),
        _owned("scans"),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_scans")),
    )
    op.create_index("ix_scans_account", "scans", ["account_id"])
    op.create_index(op.f("ix_scans_created_ms"), "scans", ["created_ms"])
    op.create_table(
        "scan_contents",
        sa.Column("scan_id", sa.String(length=32), nullable=False),
        sa.Column("sha256", sa.String(length=64), nullable=False),
        _account(),
        sa.Column("size", sa.BigInteger(), nullable=False),
        sa.Column("data", sa.LargeBinary(), nullable=False),
        sa.ForeignKeyConstraint(
            ["scan_id"], ["scans.id"], name=op.f("fk_scan_contents_scan_id_scans")
        ),
        _owned("scan_contents"),
        sa.PrimaryKeyConstraint("scan_id", "sha256", name=op.f("pk_scan_contents")),
    )
    op.create_index("ix_scan_contents_account", "scan_contents", ["account_id", "size"])
    op.create_table(
        "scan_results",
        _account(),
        sa.Column("sha256", sa.String(length=64), nullable=False),
        sa.Column("made_by", sa.String(length=64), nullable=False),
        sa.Column("data", sa.LargeBinary(), nullable=False),
        sa.Column("stored_ms", sa.BigInteger(), nullable=False),
        _owned("scan_results"),
        sa.PrimaryKeyConstraint("account_id", "sha256", "made_by", name=op.f("pk_scan_results")),
    )
    op.create_index(op.f("ix_scan_results_stored_ms"), "scan_results", ["stored_ms"])


def downgrade() -> None:
    op.drop_table("scan_results")
    op.drop_table("scan_contents")
    op.drop_table("scans")
