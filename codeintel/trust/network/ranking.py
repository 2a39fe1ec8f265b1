"""Compute the ranks of all packages, from the database into the database.

A ranking counts only when it is complete, which a small final write records. Before that, readers
use the old ranking. The next run deletes what a killed run has left.
"""

from __future__ import annotations

import os
import sys
import time
from array import array
from collections import Counter
from collections.abc import Callable
from functools import partial
from itertools import chain
from tempfile import TemporaryFile
from typing import IO, Any

import gevent
import msgspec
from gevent import subprocess
from sqlalchemy import Connection, Engine, Select, bindparam, delete, insert, select, tuple_, update

from codeintel.base.extras import RANKS
from codeintel.platform.db.models import new_id, now_ms
from codeintel.platform.db.writer import Writer
from codeintel.trust.network import EdgeKind, NodeKind
from codeintel.trust.network.ranks import Parameters
from codeintel.trust.tables import TrustEdge, TrustNode, TrustPackage, TrustRank, TrustRanking

CHUNK = 1000
"""Rows of one piece of work. SQLite takes about 30 ms for them, including the flush to disk."""
_PAUSE_SECONDS = 0.001
"""Not 0, because a zero sleep returns before timers and sockets are checked."""
_RETIRED = -1
"""The time of a ranking that is being deleted, so that no process completes it."""


class RankingSummary(msgspec.Struct, frozen=True, rename="camel"):
    """The result of a ranking.

    `seconds` is the total time, `peak_bytes` the child process's memory.
    """

    id: str
    packages: int
    edges: int
    scored: int
    rounds: int
    residual: float
    seconds: float
    peak_bytes: int


def compute(
    engine: Engine,
    writer: Writer,
    *,
    seconds: float,
    checkpoint: Callable[[], None] | None = None,
) -> RankingSummary:
    """Rank all packages of the network, and delete older rankings. Other greenlets run meanwhile.

    A repeated run, or a run after a killed one, leaves exactly one ranking.

    :param seconds: time limit in total; old ranks that remain are deleted the next time.
    :param checkpoint: called between steps of some milliseconds, except that the child process may
        take seconds. Its exceptions end the work.
    :raises RankingError: if it takes too long, the child process fails, or another process has
        started a ranking, which then counts.
    """
    begun = time.monotonic()

    def pause() -> None:
        gevent.sleep(_PAUSE_SECONDS)
        if checkpoint is not None:
            checkpoint()
        if time.monotonic() - begun > seconds:
            raise RankingError(f"ranking the packages takes more than {seconds:,.0f} s")

    _delete_others(writer, pause)
    computed_ms = now_ms()
    with TemporaryFile() as given, TemporaryFile() as told:
        exported = export(engine, given, pause)
        numbers = (exported.packages, exported.dependencies, exported.scores)
        outcome = work_out(given, told, numbers, seconds - (time.monotonic() - begun))
        ranking_id = _begin(writer, computed_ms, exported, outcome)
        _write(writer, ranking_id, given, told, exported.packages, pause)
    writer.run(lambda connection: _complete(connection, ranking_id))
    _delete_others(writer, pause)
    return RankingSummary(
        id=ranking_id,
        packages=exported.packages,
        edges=outcome.edges,
        scored=outcome.scored,
        rounds=outcome.rounds,
        residual=outcome.residual,
        seconds=time.monotonic() - begun,
        peak_bytes=outcome.peak_bytes,
    )


def _begin(writer: Writer, computed_ms: int, exported: Exported, outcome: RankingResult) -> str:
    ranking_id = new_id("ranking")
    parameters = Parameters(
        damping=outcome.damping,
        rounds=outcome.rounds,
        residual=outcome.residual,
        scored=outcome.scored,
        node_counts=dict(exported.nodes),
        edge_counts=dict(exported.edges),
    )
    row = {
        "id": ranking_id,
        "computed_ms": computed_ms,
        "is_complete": False,
        "nodes": exported.packages,
        "edges": outcome.edges,
        "parameters": msgspec.json.encode(parameters).decode(),
    }
    writer.run(lambda connection: connection.execute(insert(TrustRanking), row))
    return ranking_id


def _write(
    writer: Writer,
    ranking_id: str,
    given: IO[bytes],
    told: IO[bytes],
    size: int,
    pause: Callable[[], None],
) -> None:
    """Write the child process's ranks for the packages that it received."""
    for start in range(0, size, CHUNK):
        count = min(CHUNK, size - start)
        ids = _numbers("q", given, start, count)
        values = _numbers("d", told, start, count)
        positions = _numbers("q", told, size + start, count)
        rows = [
            {"ranking_id": ranking_id, "node_id": node, "value": value, "position": position}
            for node, value, position in zip(ids, values, positions, strict=True)
        ]

        def work(connection: Connection, rows: list[dict[str, object]] = rows) -> None:
            _expect(connection, ranking_id)
            connection.execute(insert(TrustRank), rows)

        writer.run(work)
        pause()


def _numbers(kind: str, file: IO[bytes], start: int, count: int) -> array[int] | array[float]:
    found: array[int] = array(kind)
    file.seek(start * 8)
    found.fromfile(file, count)
    return found


def _expect(connection: Connection, ranking_id: str) -> None:
    """Make sure that the ranking is not being deleted, now or before the commit."""
    if connection.execute(_UNDER_WAY, {"ranking": ranking_id}).one_or_none() is None:
        raise RankingError("another ranking of the packages has started")


def _complete(connection: Connection, ranking_id: str) -> None:
    _expect(connection, ranking_id)
    connection.execute(_COMPLETE, {"ranking": ranking_id})


def _delete_others(writer: Writer, pause: Callable[[], None]) -> None:
    """Delete all rankings except the newest complete one, and their ranks in pieces."""
    for ranking_id in writer.run(_retire_others):
        work = partial(_delete_some, parameters={"ranking": ranking_id, "some": CHUNK})
        while writer.run(work):
            pause()


def _retire_others(connection: Connection) -> list[str]:
    """Retire all rankings except the newest complete one, and return their ids.

    The rows are locked first, so that two processes agree on the newest one.
    """
    rows = connection.execute(_ALL).all()
    complete = [(row.computed_ms, row.id) for row in rows if row.is_complete]
    newest = max(complete)[1] if complete else ""
    others = [row.id for row in rows if row.id != newest]
    if others:
        connection.execute(_RETIRE, {"rankings": others})
    return others


def _delete_some(connection: Connection, parameters: dict[str, object]) -> bool:
    """Delete some ranks of a ranking, or the ranking if it has none.

    Return whether more may remain.
    """
    if connection.execute(_DELETE_RANKS, parameters).rowcount:
        return True
    connection.execute(_DELETE_RANKING, parameters)
    return False


_UNDER_WAY = (
    select(TrustRanking.id)
    .where(TrustRanking.id == bindparam("ranking"), TrustRanking.computed_ms != _RETIRED)
    .with_for_update(read=True)
)
_COMPLETE = (
    update(TrustRanking).where(TrustRanking.id == bindparam("ranking")).values(is_complete=True)
)
_ALL = (
    select(TrustRanking.id, TrustRanking.computed_ms, TrustRanking.is_complete)
    .order_by(TrustRanking.id)
    .with_for_update()
)
_RETIRE = (
    update(TrustRanking)
    .where(TrustRanking.id.in_(bindparam("rankings", expanding=True)))
    .values(is_complete=False, computed_ms=_RETIRED)
)
_DELETE_RANKS = delete(TrustRank).where(
    TrustRank.ranking_id == bindparam("ranking"),
    TrustRank.node_id.in_(
        select(TrustRank.node_id)
        .where(TrustRank.ranking_id == bindparam("ranking"))
        .order_by(TrustRank.node_id)
        .limit(bindparam("some"))
    ),
)
_DELETE_RANKING = delete(TrustRanking).where(TrustRanking.id == bindparam("ranking"))


PAGE = 5000
"""Rows of one query. SQLite returns them in some milliseconds, during which nothing else runs."""


class Exported(msgspec.Struct):
    """The numbers of written rows, and of nodes and edges of each kind."""

    packages: int
    dependencies: int
    scores: int
    nodes: Counter[str]
    edges: Counter[str]


def export(engine: Engine, file: IO[bytes], pause: Callable[[], None]) -> Exported:
    """Write the input of :mod:`codeintel.trust.network.child`: packages, their dependencies, and
    scores.

    Rows that are added meanwhile may be included or not.

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
    """Write the scores of packages without a version, because a node represents the whole
    package.
    """
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
"""The parent's variables that the child needs. None are credentials."""
_ONE_THREAD = dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"), "1")
_COMPLAINT_BYTES = 500
_QUIET: Any = False
"""Makes a gevent timeout end its block without an exception."""


class RankingError(Exception):
    """Raised when ranks could not be computed. The message says why."""


class RankingResult(msgspec.Struct, rename="camel"):
    """The child's report: the iteration, the numbers of used edges and scores, and its peak
    memory.
    """

    damping: float
    rounds: int
    residual: float
    edges: int
    scored: int
    peak_bytes: int


def work_out(
    given: IO[bytes], told: IO[bytes], numbers: tuple[int, int, int], seconds: float
) -> RankingResult:
    """Let the child read one file and write the other, and leave the position at its end.

    Other greenlets run meanwhile. In all cases, no process remains.

    :param numbers: of nodes, edges and scores.
    :raises RankingError: if it takes longer than `seconds`, fails, or lacks its optional packages.
    """
    if RANKS.is_missing:
        raise RankingError(RANKS.refusal)
    given.seek(0)
    with TemporaryFile() as complaints:
        process = subprocess.Popen(
            [sys.executable, "-P", "-m", "codeintel.trust.network.child", *map(str, numbers)],
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
            raise RankingError(
                f"ranking {numbers[0]:,} packages takes too long. Increase the time limit"
            )
        if status:
            size = complaints.seek(0, os.SEEK_END)
            complaints.seek(max(size - _COMPLAINT_BYTES, 0))
            words = complaints.read().decode(errors="replace").strip().rpartition("\n")[2]
            raise RankingError(
                f"the process that ranks packages ended with {status}: {words or 'no message'}"
            )
    told.seek(16 * numbers[0])
    return msgspec.json.decode(told.read(), type=RankingResult)
