"""The neighborhood of a package, found by a bounded walk through the network."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from sqlalchemy import Connection, bindparam, func, select

from codeintel.trust.network import (
    MAX_DEPTH,
    MAX_LIMIT,
    EdgeKind,
    GraphEdge,
    GraphNode,
    GraphSummary,
    Neighbourhood,
    NodeKind,
    node_name,
)
from codeintel.trust.network.ranks import positions, scores_of
from codeintel.trust.network.store import CHUNK, chunks
from codeintel.trust.tables import TrustEdge, TrustNode

MAX_NODES = 2000
"""Maximum number of nodes of a walk."""
MAX_EDGES = 10_000
"""Maximum number of edges that a walk reads."""
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
    """The result of a walk: nodes sorted by depth, kind (packages, maintainers, repositories)
    and key, and the edges out of all except the furthest nodes.
    """

    visits: list[Visit]
    steps: list[Step] = field(default_factory=list)
    is_truncated: bool = False


def walk(connection: Connection, root: Visit, depth: int) -> Walk:
    """Walk from a package along all its edges, and further along dependencies.

    Each level takes a few bounded queries. What exceeds the limits is omitted, always the same for
    the same network.
    """
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
    """Return the node of a row."""
    return Visit(row.id, NodeKind(row.kind), row.key, row.label, row.observed_ms, depth)


def _steps(
    connection: Connection, sources: list[int], kinds: tuple[EdgeKind, ...], found: Walk
) -> list[Step]:
    """Return the edges out of the sources, in order, within the walk's limit."""
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


MAX_DEPENDENTS = 50
"""Maximum number of listed dependents."""
COUNTED = 100_000
"""Number of dependents at which counting stops."""


def neighbourhood(
    connection: Connection, key: str, *, depth: int = 1, limit: int = 100, offset: int = 0
) -> Neighbourhood | None:
    """Return the neighborhood of a package in pages, or None if the network does not know the
    package.

    It includes the package, its maintainers and repository, and its direct and (with more depth)
    indirect dependencies. Nodes are sorted by depth, kind and key, at most 2,000 in all. Of the
    nodes that lead to the package, only the first direct dependents are listed.

    :param key: without a version, as :func:`codeintel.trust.network.package_key` returns it.
    :param depth: steps, 0 to 3.
    :param limit: nodes on the page, 1 to 500.
    :param offset: nodes on the pages before.
    :raises ValueError: for numbers outside these ranges.
    """
    for name, value, lowest, highest in (
        ("depth", depth, 0, MAX_DEPTH),
        ("limit", limit, 1, MAX_LIMIT),
        ("offset", offset, 0, None),
    ):
        if value < lowest or (highest is not None and value > highest):
            most = "" if highest is None else f" and at most {highest}"
            raise ValueError(f"`{name}` is {value}; it must be at least {lowest}{most}")
    row = connection.execute(_ROOT, {"key": key}).one_or_none()
    if row is None:
        return None
    root = visit_of(row, 0)
    found = walk(connection, root, depth)
    page = found.visits[offset : offset + limit]
    dependents = [visit_of(each, -1) for each in connection.execute(_DEPENDENTS, {"node": root.id})]
    nodes = _nodes(connection, [*page, *dependents])
    edges = _edges(found, offset, limit)
    return Neighbourhood(
        nodes=nodes[: len(page)],
        edges=edges,
        dependents=nodes[len(page) :],
        summary=_summary(connection, found, len(page), len(edges)),
    )


def _nodes(connection: Connection, visits: Sequence[Visit]) -> tuple[GraphNode, ...]:
    packages = [visit for visit in visits if visit.kind is NodeKind.PACKAGE]
    scores = scores_of(connection, {visit.key for visit in packages})
    ranks = positions(connection, {visit.id for visit in packages})
    return tuple(
        GraphNode(
            id=node_name(visit.kind, visit.key),
            kind=visit.kind,
            label=visit.label,
            depth=visit.depth,
            is_collected=visit.observed_ms > 0,
            score=scores.get(visit.key) if visit.kind is NodeKind.PACKAGE else None,
            rank=ranks.get(visit.id),
        )
        for visit in visits
    )


def _edges(found: Walk, offset: int, limit: int) -> tuple[GraphEdge, ...]:
    """Return the edges whose later node is on the page."""
    places = {visit.id: place for place, visit in enumerate(found.visits)}
    on_page = []
    for step in found.steps:
        source, target = places[step.source_id], places[step.target_id]
        if offset <= max(source, target) < offset + limit:
            on_page.append((source, target, step))
    names = [node_name(visit.kind, visit.key) for visit in found.visits[: offset + limit]]
    return tuple(
        GraphEdge(names[source], names[target], step.kind, step.requirement)
        for source, target, step in sorted(on_page)
    )


def _summary(connection: Connection, found: Walk, nodes: int, edges: int) -> GraphSummary:
    kinds = Counter(visit.kind for visit in found.visits)
    root = {"node": found.visits[0].id}
    return GraphSummary(
        nodes=nodes,
        edges=edges,
        total=len(found.visits),
        packages=kinds[NodeKind.PACKAGE],
        maintainers=kinds[NodeKind.MAINTAINER],
        repositories=kinds[NodeKind.REPOSITORY],
        depends_on=connection.scalar(_COUNT_OUT, root) or 0,
        dependents=connection.scalar(_COUNT_IN, root) or 0,
        max_depth=found.visits[-1].depth,
        is_truncated=found.is_truncated,
    )


_NODE = (TrustNode.id, TrustNode.kind, TrustNode.key, TrustNode.label, TrustNode.observed_ms)
_ROOT = select(*_NODE).where(TrustNode.kind == NodeKind.PACKAGE, TrustNode.key == bindparam("key"))
_IN = (TrustEdge.target_id == bindparam("node"), TrustEdge.kind == EdgeKind.DEPENDS_ON)
_FIRST_IN = (
    select(TrustEdge.source_id)
    .where(*_IN)
    .order_by(TrustEdge.source_id)
    .limit(MAX_DEPENDENTS)
    .subquery()
)
_DEPENDENTS = (
    select(*_NODE).join(_FIRST_IN, _FIRST_IN.c.source_id == TrustNode.id).order_by(TrustNode.id)
)
_COUNT_IN = select(func.count()).select_from(
    select(TrustEdge.source_id).where(*_IN).limit(COUNTED).subquery()
)
_COUNT_OUT = select(func.count()).where(
    TrustEdge.source_id == bindparam("node"), TrustEdge.kind == EdgeKind.DEPENDS_ON
)
