"""The ranks that the newest complete ranking gave."""

from __future__ import annotations

from collections.abc import Collection
from datetime import UTC, datetime
from typing import Any

import msgspec
from sqlalchemy import Connection, bindparam, func, select

from codeintel.trust.network.kinds import NodeKind
from codeintel.trust.network.shapes import NetworkTrust
from codeintel.trust.network.store import CHUNK, chunks
from codeintel.trust.tables import TrustNode, TrustRank, TrustRanking


class Parameters(msgspec.Struct, rename="camel"):
    """What a ranking remembers of how it was worked out; JSON in the database."""

    damping: float
    rounds: int
    residual: float
    scored: int
    node_counts: dict[str, int]
    edge_counts: dict[str, int]


def rank_of(connection: Connection, key: str) -> NetworkTrust | None:
    """How much of all trust reaches a package; None if it was not in the network when ranks were
    last worked out, or they never were.

    :param key: without a version, as :func:`codeintel.trust.network.kinds.package_key` gives it.
    """
    ranking = newest(connection)
    if ranking is None:
        return None
    rank = connection.execute(_RANK, {"ranking": ranking.id, "key": key}).one_or_none()
    if rank is None:
        return None
    following = connection.scalar(_FOLLOWING, {"ranking": ranking.id, "position": rank.position})
    lower = 0 if following is None else ranking.nodes - following + 1
    return NetworkTrust(
        value=rank.value,
        position=rank.position,
        of=ranking.nodes,
        percentile=100 * lower / ranking.nodes,
        computed_at=moment(ranking.computed_ms),
    )


def newest(connection: Connection) -> Any:
    """The row of the newest complete ranking; None if there is none."""
    return connection.execute(_NEWEST).one_or_none()


def positions(connection: Connection, node_ids: Collection[int]) -> dict[int, int]:
    """The positions that packages have in the newest ranking, by the ids of their nodes."""
    ranking = newest(connection)
    if ranking is None:
        return {}
    found: dict[int, int] = {}
    for some in chunks(sorted(node_ids), CHUNK):
        rows = connection.execute(_POSITIONS, {"ranking": ranking.id, "nodes": some})
        found.update((row.node_id, row.position) for row in rows if row.position is not None)
    return found


def moment(milliseconds: int) -> datetime:
    """A time of the database as the API shows it."""
    return datetime.fromtimestamp(milliseconds // 1000, UTC)


_NEWEST = (
    select(TrustRanking.__table__)
    .where(TrustRanking.is_complete)
    .order_by(TrustRanking.computed_ms.desc(), TrustRanking.id.desc())
    .limit(1)
)
_RANK = (
    select(TrustRank.value, TrustRank.position)
    .join(TrustNode, TrustNode.id == TrustRank.node_id)
    .where(
        TrustRank.ranking_id == bindparam("ranking"),
        TrustNode.kind == NodeKind.PACKAGE,
        TrustNode.key == bindparam("key"),
    )
)
_FOLLOWING = select(func.min(TrustRank.position)).where(
    TrustRank.ranking_id == bindparam("ranking"), TrustRank.position > bindparam("position")
)
# One lookup for each node: in a join, SQLite would go through all positions of the ranking.
_POSITIONS = select(
    TrustNode.id.label("node_id"),
    select(TrustRank.position)
    .where(TrustRank.ranking_id == bindparam("ranking"), TrustRank.node_id == TrustNode.id)
    .scalar_subquery()
    .label("position"),
).where(TrustNode.id.in_(bindparam("nodes", expanding=True)))
