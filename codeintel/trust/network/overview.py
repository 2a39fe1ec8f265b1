"""The network as a whole."""

from __future__ import annotations

from typing import Any

import msgspec
from sqlalchemy import Connection, bindparam, func, select

from codeintel.trust.network.kinds import EdgeKind, NodeKind
from codeintel.trust.network.ranks import Parameters, moment, newest
from codeintel.trust.network.reading import scores_of
from codeintel.trust.network.shapes import (
    MAX_LIMIT,
    NetworkOverview,
    RankedPackage,
    RankingFacts,
)
from codeintel.trust.tables import TrustEdge, TrustNode, TrustRank


def overview(connection: Connection, *, limit: int = 20) -> NetworkOverview:
    """How large the network is, and the packages that most trust reaches.

    Sizes are those of the newest ranking, since counting a large network takes as long as reading
    all of it; without a ranking they are counted now.

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
            computed_at=moment(ranking.computed_ms),
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
