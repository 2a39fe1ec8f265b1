"""The network as the child process wants it: streamed from the database, a page at a time."""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Callable
from itertools import chain
from typing import IO, Any

import msgspec
from sqlalchemy import Engine, Select, select, tuple_

from codeintel.trust.network.kinds import EdgeKind, NodeKind
from codeintel.trust.tables import TrustEdge, TrustNode, TrustPackage

PAGE = 5000
"""Rows of one query: SQLite answers so many in some milliseconds, and nothing else runs then."""


class Exported(msgspec.Struct):
    """How much was written, and how many nodes and edges of each kind there are."""

    packages: int
    dependencies: int
    scores: int
    nodes: Counter[str]
    edges: Counter[str]


def export(engine: Engine, file: IO[bytes], pause: Callable[[], None]) -> Exported:
    """Write what :mod:`codeintel.trust.network.child` reads: packages, the dependencies between
    them, and the scores of those that have one. What is added meanwhile may be in it or not.

    :param pause: called between two pages.
    """
    packages, nodes = _write_packages(engine, file, pause)
    dependencies, edges = _write_dependencies(engine, file, pause)
    scores = _write_scores(engine, file, pause)
    return Exported(packages, dependencies, scores, nodes, edges)


def _write_packages(
    engine: Engine, file: IO[bytes], pause: Callable[[], None]
) -> tuple[int, Counter[str]]:
    written, counts, last = 0, Counter[str](), 0
    statement = select(TrustNode.id, TrustNode.kind).order_by(TrustNode.id).limit(PAGE)
    while rows := _page(engine, statement.where(TrustNode.id > last)):
        ids = array("q", [node for node, kind in rows if kind == NodeKind.PACKAGE])
        ids.tofile(file)
        counts.update(kind for _, kind in rows)
        written, last = written + len(ids), rows[-1][0]
        pause()
    return written, counts


def _write_dependencies(
    engine: Engine, file: IO[bytes], pause: Callable[[], None]
) -> tuple[int, Counter[str]]:
    written, counts, last = 0, Counter[str](), (0, 0, "")
    key = (TrustEdge.source_id, TrustEdge.target_id, TrustEdge.kind)
    statement = select(*key).order_by(*key).limit(PAGE)
    while rows := _page(engine, statement.where(tuple_(*key) > last)):
        ends = [(source, target) for source, target, kind in rows if kind == EdgeKind.DEPENDS_ON]
        array("q", chain.from_iterable(ends)).tofile(file)
        counts.update(kind for _, _, kind in rows)
        written, last = written + len(ends), tuple(rows[-1])
        pause()
    return written, counts


def _write_scores(engine: Engine, file: IO[bytes], pause: Callable[[], None]) -> int:
    """Scores of packages without a version: a node stands for the package."""
    ids, scores, last = array("q"), array("d"), ""
    statement = (
        select(TrustPackage.key, TrustPackage.score, TrustNode.id)
        .outerjoin(
            TrustNode, (TrustNode.key == TrustPackage.key) & (TrustNode.kind == NodeKind.PACKAGE)
        )
        .order_by(TrustPackage.key)
        .limit(PAGE)
    )
    while rows := _page(engine, statement.where(TrustPackage.key > last)):
        known = [(node, score) for _, score, node in rows if node is not None]
        ids.extend(node for node, _ in known)
        scores.extend(score for _, score in known)
        last = rows[-1][0]
        pause()
    ids.tofile(file)
    scores.tofile(file)
    return len(ids)


def _page(engine: Engine, statement: Select[*tuple[Any, ...]]) -> list[Any]:
    with engine.connect() as connection:
        return list(connection.execute(statement))
