"""The tables of the trust network. Times are milliseconds since 1970 (UTC)."""

from __future__ import annotations

from sqlalchemy import Float, ForeignKey, Index, String, Text, UniqueConstraint
from sqlalchemy.orm import Mapped, mapped_column

from codeintel.platform.db.models import Base, RowId

KEY = String(400)
"""A package's key, in the format of :attr:`codeintel.contracts.Target.key`."""


class TrustPackage(Base):
    """A requested package, with its newest snapshot."""

    __tablename__ = "trust_packages"

    key: Mapped[str] = mapped_column(KEY, primary_key=True)
    ecosystem: Mapped[str] = mapped_column(String(16), index=True)
    name: Mapped[str] = mapped_column(String(300))
    version: Mapped[str] = mapped_column(String(100))
    """Empty for the current version."""
    snapshot_id: Mapped[str] = mapped_column(String(32))
    score: Mapped[float] = mapped_column(Float)
    """The score of the newest snapshot."""
    created_ms: Mapped[int]
    refreshed_ms: Mapped[int] = mapped_column(index=True)


class TrustSnapshot(Base):
    """The facts about a package at a moment, and the resulting score. Never changed."""

    __tablename__ = "trust_snapshots"
    __table_args__ = (Index("ix_trust_snapshots_package", "package", "collected_ms"),)

    id: Mapped[str] = mapped_column(String(32), primary_key=True)
    package: Mapped[str] = mapped_column(KEY)
    collected_ms: Mapped[int]
    scorer_version: Mapped[str] = mapped_column(String(64))
    inputs_hash: Mapped[str] = mapped_column(String(64))
    inputs: Mapped[str] = mapped_column(Text)
    """Canonical JSON. `inputs_hash` is its SHA-256."""
    body: Mapped[str] = mapped_column(Text)
    """JSON of the score, which a replay must reproduce."""


class TrustObservation(Base):
    """A number at one moment, from a fetch or from an upstream's history."""

    __tablename__ = "trust_observations"

    package: Mapped[str] = mapped_column(KEY, primary_key=True)
    """Without a version, because all versions share one history."""
    metric: Mapped[str] = mapped_column(String(32), primary_key=True)
    """`downloads`, `dependents`, `stars`, or `release`, whose value is always 1."""
    at_ms: Mapped[int] = mapped_column(primary_key=True)
    value: Mapped[float] = mapped_column(Float)


class TrustForecasts(Base):
    """The forecasts of a package, and the hash of their inputs."""

    __tablename__ = "trust_forecasts"

    package: Mapped[str] = mapped_column(KEY, primary_key=True)
    """Without a version, like that of observations."""
    computed_ms: Mapped[int]
    """When they were computed, or found to be unchanged."""
    inputs_hash: Mapped[str] = mapped_column(String(64))
    body: Mapped[str] = mapped_column(Text)


class TrustCohort(Base):
    """Frozen scores of many packages at one moment, which ranks refer to."""

    __tablename__ = "trust_cohorts"

    id: Mapped[str] = mapped_column(String(32), primary_key=True)
    ecosystem: Mapped[str] = mapped_column(String(16), index=True)
    created_ms: Mapped[int]
    scorer_version: Mapped[str] = mapped_column(String(64))
    size: Mapped[int]
    digest: Mapped[str] = mapped_column(String(64))
    """SHA-256 of `members`."""
    members: Mapped[str] = mapped_column(Text)
    """Canonical JSON: keys with their scores, best first."""


class TrustNode(Base):
    """A package, a maintainer or a repository."""

    __tablename__ = "trust_nodes"
    __table_args__ = (UniqueConstraint("kind", "key"),)

    id: Mapped[int] = mapped_column(RowId, primary_key=True)
    kind: Mapped[str] = mapped_column(String(16))
    key: Mapped[str] = mapped_column(KEY)
    label: Mapped[str] = mapped_column(String(300))
    observed_ms: Mapped[int]
    """When a package's own facts were found, or 0 while only other packages' facts name it."""


class TrustEdge(Base):
    """`source_id` depends on, is maintained by, or is hosted at `target_id`."""

    __tablename__ = "trust_edges"
    __table_args__ = (Index("ix_trust_edges_target", "target_id", "kind", "source_id"),)

    source_id: Mapped[int] = mapped_column(ForeignKey("trust_nodes.id"), primary_key=True)
    target_id: Mapped[int] = mapped_column(ForeignKey("trust_nodes.id"), primary_key=True)
    kind: Mapped[str] = mapped_column(String(16), primary_key=True)
    """`depends_on`, `maintained_by` or `hosted_at`."""
    requirement: Mapped[str] = mapped_column(String(200))
    """The requirement of a dependency, as the package writes it."""
    observed_ms: Mapped[int]


class TrustRanking(Base):
    """A ranking of the network. The newest complete one counts."""

    __tablename__ = "trust_rankings"

    id: Mapped[str] = mapped_column(String(32), primary_key=True)
    computed_ms: Mapped[int]
    is_complete: Mapped[bool]
    nodes: Mapped[int]
    """Number of ranked packages."""
    edges: Mapped[int]
    """Number of dependencies between them."""
    parameters: Mapped[str] = mapped_column(Text)
    """JSON: damping, rounds, the last change, and the numbers of nodes and edges of each kind."""


class TrustRank(Base):
    """A package's rank in one ranking."""

    __tablename__ = "trust_ranks"
    __table_args__ = (Index("ix_trust_ranks_position", "ranking_id", "position", "node_id"),)

    ranking_id: Mapped[str] = mapped_column(ForeignKey("trust_rankings.id"), primary_key=True)
    node_id: Mapped[int] = mapped_column(ForeignKey("trust_nodes.id"), primary_key=True)
    value: Mapped[float] = mapped_column(Float)
    """Its share of all trust. The shares of a ranking add up to 1."""
    position: Mapped[int]
    """1 is the highest.

    Equal ranks share one position, and the positions after it take all of them into account.
    """
