"""The walk through the network from a package, breadth first and within bounds."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from sqlalchemy import Connection, bindparam, select

from codeintel.trust.network.kinds import EdgeKind, NodeKind
from codeintel.trust.network.store import CHUNK, chunks
from codeintel.trust.tables import TrustEdge, TrustNode

MAX_NODES = 2000
"""That a walk comes to."""
MAX_EDGES = 10_000
"""That it looks at."""
_ROOT_KINDS = tuple(EdgeKind)
_KINDS = (EdgeKind.DEPENDS_ON,)


class Step(NamedTuple):
    """An edge between two nodes of the walk, by their ids."""

    source_id: int
    target_id: int
    kind: EdgeKind
    requirement: str


class Visit(NamedTuple):
    """A node of the walk."""

    id: int
    kind: NodeKind
    key: str
    label: str
    observed_ms: int
    depth: int


@dataclass
class Walk:
    """What a walk came to: nodes in the order of depth, kind (packages, maintainers, repositories)
    and key, and the edges out of those that are not the furthest."""

    visits: list[Visit]
    steps: list[Step] = field(default_factory=list)
    is_truncated: bool = False


def walk(connection: Connection, root: Visit, depth: int) -> Walk:
    """Walk from a package along all its edges, and from there on along dependencies. Each level
    takes a few queries, and each of those is bounded: what is too much is left out, always the
    same of the same network."""
    found = Walk([root])
    seen = {root.id}
    frontier = [root.id]
    for level in range(1, depth + 1):
        steps = _steps(connection, frontier, _ROOT_KINDS if level == 1 else _KINDS, found)
        new: dict[int, None] = {}
        for step in steps:
            if step.target_id not in seen and step.target_id not in new:
                if len(seen) + len(new) < MAX_NODES:
                    new[step.target_id] = None
                else:
                    found.is_truncated = True
        seen.update(new)
        found.steps += (step for step in steps if step.target_id in seen)
        visits = sorted(_visits(connection, new, level), key=_order)
        found.visits += visits
        frontier = [visit.id for visit in visits if visit.kind is NodeKind.PACKAGE]
    return found


def visit_of(row: Any, depth: int) -> Visit:
    """A node by its row."""
    return Visit(row.id, NodeKind(row.kind), row.key, row.label, row.observed_ms, depth)


def _steps(
    connection: Connection, sources: list[int], kinds: tuple[EdgeKind, ...], found: Walk
) -> list[Step]:
    """The edges out of the sources, in their order, as far as the walk may look at more."""
    steps: list[Step] = []
    for some in chunks(sources, CHUNK):
        room = MAX_EDGES - len(found.steps) - len(steps)
        parameters = {"sources": some, "kinds": kinds, "room": room + 1}
        rows = connection.execute(_STEPS, parameters).all()
        steps += (Step(row[0], row[1], EdgeKind(row[2]), row[3]) for row in rows[:room])
        if len(rows) > room:
            found.is_truncated = True
            break
    return steps


def _visits(connection: Connection, ids: Iterable[int], depth: int) -> list[Visit]:
    return [
        visit_of(row, depth)
        for some in chunks(sorted(ids), CHUNK)
        for row in connection.execute(_NODES, {"nodes": some})
    ]


def _order(visit: Visit) -> tuple[int, str]:
    return _KIND_ORDER[visit.kind], visit.key


_KIND_ORDER = {kind: place for place, kind in enumerate(NodeKind)}
_STEPS = (
    select(TrustEdge.source_id, TrustEdge.target_id, TrustEdge.kind, TrustEdge.requirement)
    .where(
        TrustEdge.source_id.in_(bindparam("sources", expanding=True)),
        TrustEdge.kind.in_(bindparam("kinds", expanding=True)),
    )
    .order_by(TrustEdge.source_id, TrustEdge.target_id, TrustEdge.kind)
    .limit(bindparam("room"))
)
_NODES = select(
    TrustNode.id, TrustNode.kind, TrustNode.key, TrustNode.label, TrustNode.observed_ms
).where(TrustNode.id.in_(bindparam("nodes", expanding=True)))
