"""The tables of the trust network. Times are milliseconds since 1970 (UTC)."""

from __future__ import annotations

from sqlalchemy import Float, ForeignKey, Index, String, Text, UniqueConstraint
from sqlalchemy.orm import Mapped, mapped_column

from codeintel.platform.db.models import Base, RowId

KEY = String(400)
"""Of a package, as :attr:`codeintel.contracts.Target.key` writes it."""


class TrustPackage(Base):
    """A package that somebody asked for, with its newest snapshot."""

    __tablename__ = "trust_packages"

    key: Mapped[str] = mapped_column(KEY, primary_key=True)
    ecosystem: Mapped[str] = mapped_column(String(16), index=True)
    name: Mapped[str] = mapped_column(String(300))
    version: Mapped[str] = mapped_column(String(100))
    """Empty for the current one, whichever that is."""
    snapshot_id: Mapped[str] = mapped_column(String(32))
    score: Mapped[float] = mapped_column(Float)
    """Of the newest snapshot."""
    created_ms: Mapped[int]
    refreshed_ms: Mapped[int] = mapped_column(index=True)


class TrustSnapshot(Base):
    """What was known of a package at a moment, and the score that follows. Never changed."""

    __tablename__ = "trust_snapshots"
    __table_args__ = (Index("ix_trust_snapshots_package", "package", "collected_ms"),)

    id: Mapped[str] = mapped_column(String(32), primary_key=True)
    package: Mapped[str] = mapped_column(KEY)
    collected_ms: Mapped[int]
    scorer_version: Mapped[str] = mapped_column(String(64))
    inputs_hash: Mapped[str] = mapped_column(String(64))
    inputs: Mapped[str] = mapped_column(Text)
    """JSON, canonical: what `inputs_hash` is the SHA-256 of."""
    body: Mapped[str] = mapped_column(Text)
    """JSON of the score, as a replay has to give it."""


class TrustObservation(Base):
    """One number at one moment: of a fetch, or of the past where an upstream tells it."""

    __tablename__ = "trust_observations"

    package: Mapped[str] = mapped_column(KEY, primary_key=True)
    """Without a version: all have one history."""
    metric: Mapped[str] = mapped_column(String(32), primary_key=True)
    """`downloads`, `dependents`, `stars`, or `release`, whose value is always 1."""
    at_ms: Mapped[int] = mapped_column(primary_key=True)
    value: Mapped[float] = mapped_column(Float)


class TrustForecasts(Base):
    """The forecasts of a package, and what they were worked out from."""

    __tablename__ = "trust_forecasts"

    package: Mapped[str] = mapped_column(KEY, primary_key=True)
    """Without a version, as that of observations."""
    computed_ms: Mapped[int]
    """When they were begun, or found to be the same still."""
    inputs_hash: Mapped[str] = mapped_column(String(64))
    body: Mapped[str] = mapped_column(Text)


class TrustCohort(Base):
    """Scores of many packages at one moment, frozen: what ranks are against."""

    __tablename__ = "trust_cohorts"

    id: Mapped[str] = mapped_column(String(32), primary_key=True)
    ecosystem: Mapped[str] = mapped_column(String(16), index=True)
    created_ms: Mapped[int]
    scorer_version: Mapped[str] = mapped_column(String(64))
    size: Mapped[int]
    digest: Mapped[str] = mapped_column(String(64))
    """SHA-256 of `members`."""
    members: Mapped[str] = mapped_column(Text)
    """JSON, canonical: keys with their scores, best first."""


class TrustNode(Base):
    """A package, a maintainer or a repository."""

    __tablename__ = "trust_nodes"
    __table_args__ = (UniqueConstraint("kind", "key"),)

    id: Mapped[int] = mapped_column(RowId, primary_key=True)
    kind: Mapped[str] = mapped_column(String(16))
    key: Mapped[str] = mapped_column(KEY)
    label: Mapped[str] = mapped_column(String(300))
    observed_ms: Mapped[int]
    """Of a package: when its own facts were found; 0 as long as only others' facts name it."""


class TrustEdge(Base):
    """`source_id` depends on, is maintained by, or lies in `target_id`."""

    __tablename__ = "trust_edges"
    __table_args__ = (Index("ix_trust_edges_target", "target_id", "kind", "source_id"),)

    source_id: Mapped[int] = mapped_column(ForeignKey("trust_nodes.id"), primary_key=True)
    target_id: Mapped[int] = mapped_column(ForeignKey("trust_nodes.id"), primary_key=True)
    kind: Mapped[str] = mapped_column(String(16), primary_key=True)
    """`depends_on`, `maintained_by` or `hosted_at`."""
    requirement: Mapped[str] = mapped_column(String(200))
    """Of a dependency, as the package writes it."""
    observed_ms: Mapped[int]


class TrustRanking(Base):
    """One working out of the network's ranks: the newest that is complete counts."""

    __tablename__ = "trust_rankings"

    id: Mapped[str] = mapped_column(String(32), primary_key=True)
    computed_ms: Mapped[int]
    is_complete: Mapped[bool]
    nodes: Mapped[int]
    """Packages that have a rank in it."""
    edges: Mapped[int]
    """Dependencies between them."""
    parameters: Mapped[str] = mapped_column(Text)
    """JSON: damping, rounds, what was left of the difference, and how many nodes and edges of each
    kind there were."""


class TrustRank(Base):
    """A package's rank in one ranking."""

    __tablename__ = "trust_ranks"
    __table_args__ = (Index("ix_trust_ranks_position", "ranking_id", "position", "node_id"),)

    ranking_id: Mapped[str] = mapped_column(ForeignKey("trust_rankings.id"), primary_key=True)
    node_id: Mapped[int] = mapped_column(ForeignKey("trust_nodes.id"), primary_key=True)
    value: Mapped[float] = mapped_column(Float)
    """Its part of all trust: those of a ranking add up to 1."""
    position: Mapped[int]
    """1 is the highest; equal ranks share one, and those after them count all of them."""
