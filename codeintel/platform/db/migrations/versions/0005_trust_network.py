"""The trust network."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"

ID = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    op.create_table(
        "trust_cohorts",
        sa.Column("id", sa.String(length=32), nullable=False),
        sa.Column("ecosystem", sa.String(length=16), nullable=False),
        sa.Column("created_ms", sa.BigInteger(), nullable=False),
        sa.Column("scorer_version", sa.String(length=64), nullable=False),
        sa.Column("size", sa.BigInteger(), nullable=False),
        sa.Column("digest", sa.String(length=64), nullable=False),
        sa.Column("members", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_trust_cohorts")),
    )
    op.create_index(op.f("ix_trust_cohorts_ecosystem"), "trust_cohorts", ["ecosystem"])

    op.create_table(
        "trust_forecasts",
        sa.Column("package", sa.String(length=400), nullable=False),
        sa.Column("computed_ms", sa.BigInteger(), nullable=False),
        sa.Column("inputs_hash", sa.String(length=64), nullable=False),
        sa.Column("body", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("package", name=op.f("pk_trust_forecasts")),
    )
    op.create_table(
        "trust_nodes",
        sa.Column("id", ID, nullable=False),
        sa.Column("kind", sa.String(length=16), nullable=False),
        sa.Column("key", sa.String(length=400), nullable=False),
        sa.Column("label", sa.String(length=300), nullable=False),
        sa.Column("observed_ms", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_trust_nodes")),
        sa.UniqueConstraint("kind", "key", name=op.f("uq_trust_nodes_kind")),
    )
    op.create_table(
        "trust_observations",
        sa.Column("package", sa.String(length=400), nullable=False),
        sa.Column("metric", sa.String(length=32), nullable=False),
        sa.Column("at_ms", sa.BigInteger(), nullable=False),
        sa.Column("value", sa.Float(), nullable=False),
        sa.PrimaryKeyConstraint("package", "metric", "at_ms", name=op.f("pk_trust_observations")),
    )
    op.create_table(
        "trust_packages",
        sa.Column("key", sa.String(length=400), nullable=False),
        sa.Column("ecosystem", sa.String(length=16), nullable=False),
        sa.Column("name", sa.String(length=300), nullable=False),
        sa.Column("version", sa.String(length=100), nullable=False),
        sa.Column("snapshot_id", sa.String(length=32), nullable=False),
        sa.Column("score", sa.Float(), nullable=False),
        sa.Column("created_ms", sa.BigInteger(), nullable=False),
        sa.Column("refreshed_ms", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("key", name=op.f("pk_trust_packages")),
    )
    op.create_index(op.f("ix_trust_packages_ecosystem"), "trust_packages", ["ecosystem"])
    op.create_index(op.f("ix_trust_packages_refreshed_ms"), "trust_packages", ["refreshed_ms"])

    op.create_table(
        "trust_rankings",
        sa.Column("id", sa.String(length=32), nullable=False),
        sa.Column("computed_ms", sa.BigInteger(), nullable=False),
        sa.Column("is_complete", sa.Boolean(), nullable=False),
        sa.Column("nodes", sa.BigInteger(), nullable=False),
        sa.Column("edges", sa.BigInteger(), nullable=False),
        sa.Column("parameters", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_trust_rankings")),
    )
    op.create_table(
        "trust_snapshots",
        sa.Column("id", sa.String(length=32), nullable=False),
        sa.Column("package", sa.String(length=400), nullable=False),
        sa.Column("collected_ms", sa.BigInteger(), nullable=False),
        sa.Column("scorer_version", sa.String(length=64), nullable=False),
        sa.Column("inputs_hash", sa.String(length=64), nullable=False),
        sa.Column("inputs", sa.Text(), nullable=False),
        sa.Column("body", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_trust_snapshots")),
    )
    op.create_index("ix_trust_snapshots_package", "trust_snapshots", ["package", "collected_ms"])

    op.create_table(
        "trust_edges",
        sa.Column("source_id", ID, nullable=False),
        sa.Column("target_id", ID, nullable=False),
        sa.Column("kind", sa.String(length=16), nullable=False),
        sa.Column("requirement", sa.String(length=200), nullable=False),
        sa.Column("observed_ms", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(
            ["source_id"],
            ["trust_nodes.id"],
            name=op.f("fk_trust_edges_source_id_trust_nodes"),
        ),
        sa.ForeignKeyConstraint(
            ["target_id"],
            ["trust_nodes.id"],
            name=op.f("fk_trust_edges_target_id_trust_nodes"),
        ),
        sa.PrimaryKeyConstraint("source_id", "target_id", "kind", name=op.f("pk_trust_edges")),
    )
    op.create_index("ix_trust_edges_target", "trust_edges", ["target_id", "kind", "source_id"])

    op.create_table(
        "trust_ranks",
        sa.Column("ranking_id", sa.String(length=32), nullable=False),
        sa.Column("node_id", ID, nullable=False),
        sa.Column("value", sa.Float(), nullable=False),
        sa.Column("position", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(
            ["node_id"],
            ["trust_nodes.id"],
            name=op.f("fk_trust_ranks_node_id_trust_nodes"),
        ),
        sa.ForeignKeyConstraint(
            ["ranking_id"],
            ["trust_rankings.id"],
            name=op.f("fk_trust_ranks_ranking_id_trust_rankings"),
        ),
        sa.PrimaryKeyConstraint("ranking_id", "node_id", name=op.f("pk_trust_ranks")),
    )
    op.create_index("ix_trust_ranks_position", "trust_ranks", ["ranking_id", "position", "node_id"])


def downgrade() -> None:
    op.drop_table("trust_ranks")
    op.drop_table("trust_edges")
    op.drop_table("trust_snapshots")
    op.drop_table("trust_rankings")
    op.drop_table("trust_packages")
    op.drop_table("trust_observations")
    op.drop_table("trust_nodes")
    op.drop_table("trust_forecasts")
    op.drop_table("trust_cohorts")
