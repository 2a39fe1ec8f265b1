"""The child process that works out ranks, as its parent sees it: what it is given and tells."""

from __future__ import annotations

import os
import sys
from array import array
from collections import Counter
from collections.abc import Callable
from itertools import chain
from tempfile import TemporaryFile
from typing import IO, Any

import gevent
import msgspec
from gevent import subprocess
from sqlalchemy import Engine, Select, select, tuple_

from codeintel.base.extras import RANKS
from codeintel.trust.network.shapes import EdgeKind, NodeKind
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


_ENVIRONMENT = ("PATH", "PYTHONPATH", "LD_LIBRARY_PATH", "LANG", "TMPDIR")
"""What the child needs of the parent's: no credentials."""
_ONE_THREAD = dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"), "1")
_COMPLAINT_BYTES = 500
_QUIET: Any = False
"""Has a time-out of gevent's end its block without an exception."""


class RankingError(Exception):
    """Ranks could not be worked out; the message says why."""


class Outcome(msgspec.Struct, rename="camel"):
    """What the child says besides the ranks: how the iteration went, how many edges and scores it
    used, and the most memory that it had."""

    damping: float
    rounds: int
    residual: float
    edges: int
    scored: int
    peak_bytes: int


def work_out(
    given: IO[bytes], told: IO[bytes], numbers: tuple[int, int, int], seconds: float
) -> Outcome:
    """Have the child read one file and write the other, at whose end it is then. Other greenlets
    run meanwhile; whatever happens, no process is left.

    :param numbers: of nodes, edges and scores.
    :raises RankingError: if it takes longer than `seconds`, fails, or lacks packages.
    """
    if RANKS.is_missing:
        raise RankingError(RANKS.refusal)
    given.seek(0)
    with TemporaryFile() as complaints:
        process = subprocess.Popen(
            [sys.executable, "-m", "codeintel.trust.network.child", *map(str, numbers)],
            stdin=given,
            stdout=told,
            stderr=complaints,
            env={
                **{name: os.environ[name] for name in _ENVIRONMENT if name in os.environ},
                **_ONE_THREAD,
            },
            start_new_session=True,
        )
        status: int | None = None
        try:
            with gevent.Timeout(max(seconds, 0), _QUIET):
                status = process.wait()
        finally:
            if process.poll() is None:
                process.kill()
                process.wait()
        if status is None:
            raise RankingError(f"ranking {numbers[0]:,} packages takes too long: give it more time")
        if status:
            size = complaints.seek(0, os.SEEK_END)
            complaints.seek(max(size - _COMPLAINT_BYTES, 0))
            words = complaints.read().decode(errors="replace").strip().rpartition("\n")[2]
            raise RankingError(
                f"the process that ranks packages ended with {status}: {words or 'no message'}"
            )
    told.seek(16 * numbers[0])
    return msgspec.json.decode(told.read(), type=Outcome)
