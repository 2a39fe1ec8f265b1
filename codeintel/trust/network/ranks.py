"""The ranks of the newest complete ranking, and the network as a whole."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from datetime import UTC, datetime
from typing import Any

import msgspec
from sqlalchemy import Connection, bindparam, func, select

from codeintel.trust.network import (
    MAX_LIMIT,
    EdgeKind,
    NetworkOverview,
    NetworkTrust,
    NodeKind,
    RankedPackage,
    RankingFacts,
)
from codeintel.trust.network.store import CHUNK, chunks
from codeintel.trust.tables import TrustEdge, TrustNode, TrustPackage, TrustRank, TrustRanking


class Parameters(msgspec.Struct, rename="camel"):
    """The stored parameters of a ranking, as JSON in the database."""

    damping: float
    rounds: int
    residual: float
    scored: int
    node_counts: dict[str, int]
    edge_counts: dict[str, int]


def rank_of(connection: Connection, key: str) -> NetworkTrust | None:
    """Return how much of all trust reaches a package, or None if the newest ranking does not
    include it.

    :param key: without a version, as :func:`codeintel.trust.network.package_key` returns it.
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
        computed_at=in_whole_seconds(ranking.computed_ms),
    )


def newest(connection: Connection) -> Any:
    """Return the row of the newest complete ranking, or None."""
    return connection.execute(_NEWEST).one_or_none()


def positions(connection: Connection, node_ids: Collection[int]) -> dict[int, int]:
    """Return the positions of packages in the newest ranking, by the ids of their nodes."""
    ranking = newest(connection)
    if ranking is None:
        return {}
    found: dict[int, int] = {}
    for some in chunks(sorted(node_ids), CHUNK):
        rows = connection.execute(_POSITIONS, {"ranking": ranking.id, "nodes": some})
        found.update((row.node_id, row.position) for row in rows if row.position is not None)
    return found


def scores_of(connection: Connection, keys: Iterable[str]) -> dict[str, float]:
    """Return the newest scores of packages, by their keys. Packages without a score are omitted."""
    return {
        row.key: row.score
        for some in chunks(sorted(keys), CHUNK)
        for row in connection.execute(_SCORES, {"keys": some})
    }


def in_whole_seconds(milliseconds: int) -> datetime:
    """Return a time of the database as the API shows it."""
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
# One lookup for each node. In a join, SQLite would scan all positions of the ranking.
_POSITIONS = select(
    TrustNode.id.label("node_id"),
    select(TrustRank.position)
    .where(TrustRank.ranking_id == bindparam("ranking"), TrustRank.node_id == TrustNode.id)
    .scalar_subquery()
    .label("position"),
).where(TrustNode.id.in_(bindparam("nodes", expanding=True)))
_SCORES = select(TrustPackage.key, TrustPackage.score).where(
    TrustPackage.key.in_(bindparam("keys", expanding=True))
)


def overview(connection: Connection, *, limit: int = 20) -> NetworkOverview:
    """Return the size of the network, and the packages with the most network trust.

    Sizes are those of the newest ranking, because counting a large network takes as long as reading
    all of it. Without a ranking they are counted now.

    :param limit: packages in `top`, 1 to 500.
    :raises ValueError: for another number.
    """
    if not 1 <= limit <= MAX_LIMIT:
        raise ValueError(f"`limit` is {limit}; it must be at least 1 and at most {MAX_LIMIT}")
    ranking = newest(connection)
    if ranking is None:
        return NetworkOverview(
            nodes=_by_kind(NodeKind, _counted(connection, TrustNode)),
            edges=_by_kind(EdgeKind, _counted(connection, TrustEdge)),
            top=(),
            ranking=None,
        )
    known = msgspec.json.decode(ranking.parameters, type=Parameters)
    return NetworkOverview(
        nodes=_by_kind(NodeKind, known.node_counts),
        edges=_by_kind(EdgeKind, known.edge_counts),
        top=_top(connection, ranking.id, limit),
        ranking=RankingFacts(
            computed_at=in_whole_seconds(ranking.computed_ms),
            packages=ranking.nodes,
            dependencies=ranking.edges,
            scored=known.scored,
            damping=known.damping,
            rounds=known.rounds,
            residual=known.residual,
        ),
    )


def _top(connection: Connection, ranking_id: str, limit: int) -> tuple[RankedPackage, ...]:
    rows = connection.execute(_TOP, {"ranking": ranking_id, "limit": limit}).all()
    scores = scores_of(connection, {row.key for row in rows})
    return tuple(
        RankedPackage(row.key, row.label, row.value, row.position, scores.get(row.key))
        for row in rows
    )


def _counted(connection: Connection, table: type[TrustNode | TrustEdge]) -> dict[str, int]:
    rows = connection.execute(select(table.kind, func.count()).group_by(table.kind))
    return {row[0]: row[1] for row in rows}


def _by_kind(kinds: Any, counts: dict[str, int]) -> dict[Any, int]:
    return {kind: counts.get(kind, 0) for kind in kinds}


_TOP = (
    select(TrustRank.value, TrustRank.position, TrustNode.key, TrustNode.label)
    .join(TrustNode, TrustNode.id == TrustRank.node_id)
    .where(TrustRank.ranking_id == bindparam("ranking"))
    .order_by(TrustRank.position, TrustRank.node_id)
    .limit(bindparam("limit"))
)
