"""Measure how long the trust network's ranks take, and what its queries cost.

    python benchmarks/trust_network.py [--packages 200000] [--edges 1000000] [--database URL]
                                       [--queries 200] [--seed 1] [--json]

Makes a network in which few packages have most of the dependents: the chance of a dependent follows
a power law of the package's rank. One of 20 packages has a score, and each has a maintainer.

`matrix` is PageRank alone, in the child process, from the file of edges to the file of ranks. Its
memory is the peak of the process, including the interpreter and the construction of the matrix.
`recording` stores facts about packages. `ranking` is the whole operation, from reading the database
to writing to it. `waited` is how late another greenlet of the process woke up meanwhile.
`neighbourhood` is one query's processor time in the calling process, for packages at random and for
those with most dependents.

The database is SQLite in a temporary folder by default. A database that you name must be empty.
"""

from __future__ import annotations

import argparse
import json
import os
import tempfile
import time
from array import array
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from statistics import median
from typing import Any

import gevent
import numpy as np
from sqlalchemy import Engine, Table, insert

from codeintel import create_app
from codeintel.contracts import Ecosystem, Fact, Facts, Target
from codeintel.platform.db import db
from codeintel.platform.db.migrate import ensure_schema
from codeintel.platform.db.models import Base, now_ms
from codeintel.platform.db.writer import Writer
from codeintel.trust.network.ranking import compute, work_out
from codeintel.trust.network.ranks import overview, rank_of
from codeintel.trust.network.reading import neighbourhood
from codeintel.trust.network.store import record
from codeintel.trust.tables import TrustEdge, TrustNode, TrustPackage

MEBIBYTE = 1024 * 1024
SCORED = 20
"""One of so many packages has a score."""
RECORDED = 300
Row = dict[str, Any]


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--packages", type=int, default=200_000)
    parser.add_argument("--edges", type=int, default=1_000_000)
    parser.add_argument("--database", help="URL of an empty one")
    parser.add_argument("--queries", type=int, default=200, help="of each kind")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    generator = np.random.default_rng(options.seed)
    edges = power_law(generator, options.packages, options.edges)
    rows = [matrix(generator, options.packages, edges)]
    with database(options.database) as engine:
        fill(engine, options.packages, edges)
        writer = Writer(engine)
        rows.append(recording(writer, generator, options.packages))
        rows.append(ranking(engine, writer))
        rows += queries(engine, generator, options.packages, edges, options.queries)
    for row in rows:
        print(json.dumps(row) if options.json else "  ".join(f"{k} {v}" for k, v in row.items()))


def power_law(generator: np.random.Generator, packages: int, edges: int) -> np.ndarray:
    """Distinct pairs of a package and one that it depends on, sorted; ids begin at 1."""
    found = np.empty(0, dtype=np.int64)
    while len(found) < edges:
        sources = generator.integers(0, packages, edges)
        targets = (packages * generator.random(edges) ** 4).astype(np.int64)
        found = np.union1d(found, (sources * packages + targets)[sources != targets])
    found = np.sort(generator.permutation(found)[:edges])
    return np.stack([found // packages, found % packages], axis=1) + 1


def matrix(generator: np.random.Generator, packages: int, edges: np.ndarray) -> Row:
    """PageRank alone."""
    scored = generator.permutation(packages)[: packages // SCORED].astype(np.int64) + 1
    with tempfile.TemporaryFile() as given, tempfile.TemporaryFile() as told:
        for part in (np.arange(1, packages + 1), edges, scored, generator.random(len(scored))):
            given.write(part.tobytes())
        begun = time.perf_counter()
        outcome = work_out(given, told, (packages, len(edges), len(scored)), 600)
        seconds = time.perf_counter() - begun
        told.seek(0)
        values = array("d")
        values.fromfile(told, packages)
    return {
        "measure": "matrix",
        "packages": packages,
        "edges": outcome.edges,
        "rounds": outcome.rounds,
        "residual": outcome.residual,
        "seconds": round(seconds, 2),
        "MiB": outcome.peak_bytes // MEBIBYTE,
        "sum": round(sum(values), 9),
    }


@contextmanager
def database(url: str | None) -> Iterator[Engine]:
    """An empty database with all tables."""
    with tempfile.TemporaryDirectory() as folder:
        config: Row = {"CODEINTEL_INSTANCE": Path(folder)}
        if url:
            config |= {"DATABASE_URL": url, "CODEINTEL_KEY_PEPPER": os.urandom(32).hex()}
        app = create_app(config)
        ensure_schema(app)
        with app.app_context():
            engine = db.engine
        Base.metadata.create_all(engine)
        yield engine
        engine.dispose()
        app.extensions["codeintel"].pool.stop()
        app.extensions["codeintel"].runs.stop()


def fill(engine: Engine, packages: int, edges: np.ndarray) -> None:
    """Insert the network: packages, one maintainer for five of them, scores."""
    at, people = now_ms(), packages // 5 + 1
    keys = [("package", f"npm:p{number}") for number in range(1, packages + 1)]
    keys += [("maintainer", f"npm:m{number}") for number in range(people)]
    nodes = (
        {"id": number, "kind": kind, "key": key, "label": key[4:], "observed_ms": at}
        for number, (kind, key) in enumerate(keys, 1)
    )
    maintained = ((number, packages + 1 + number // 5) for number in range(1, packages + 1))
    insert_all(engine, TrustNode, nodes)
    insert_all(engine, TrustEdge, edge_rows(map(tuple, edges.tolist()), "depends_on", at))
    insert_all(engine, TrustEdge, edge_rows(maintained, "maintained_by", at))
    scores = (
        {
            "key": f"npm:p{number}",
            "ecosystem": "npm",
            "name": f"p{number}",
            "version": "",
            "snapshot_id": "none",
            "score": float(number % 100),
            "created_ms": at,
            "refreshed_ms": at,
        }
        for number in range(1, packages + 1, SCORED)
    )
    insert_all(engine, TrustPackage, scores)
    with engine.connect().execution_options(isolation_level="AUTOCOMMIT") as connection:
        if engine.dialect.name == "postgresql":  # as its own vacuum does sooner or later
            highest = f"SELECT setval('trust_nodes_id_seq', {len(keys)})"
            connection.exec_driver_sql(highest)
            connection.exec_driver_sql("VACUUM ANALYZE trust_nodes")
            connection.exec_driver_sql("VACUUM ANALYZE trust_edges")


def edge_rows(pairs: Any, kind: str, at: int) -> Iterator[Row]:
    for source, target in pairs:
        ends = {"source_id": source, "target_id": target}
        yield {**ends, "kind": kind, "requirement": "^1.0.0", "observed_ms": at}


def insert_all(engine: Engine, model: Any, rows: Iterator[Row]) -> None:
    table: Table = model.__table__
    while some := [row for _, row in zip(range(20_000), rows, strict=False)]:
        with engine.connect().execution_options(write=True) as connection:
            connection.execute(insert(table), some)
            connection.commit()


def recording(writer: Writer, generator: np.random.Generator, packages: int) -> Row:
    """Facts of packages with ten dependencies, that depend on other ones than before."""
    times = []
    for number in range(1, RECORDED + 1):
        names = [f"p{each}" for each in generator.integers(1, packages, 10)]
        direct = [{"name": name, "version": "1", "requirement": "^1"} for name in names]
        value = {"direct": direct, "edges": [], "count": 10, "isComplete": True}
        facts = Facts({"dependencies": Fact("dependencies", value, "benchmark", "", "")})
        target = Target(Ecosystem.NPM, f"new{number}")
        begun = time.perf_counter()
        writer.run(partial(record, target=target, facts=facts, observed_ms=now_ms()))
        times.append(time.perf_counter() - begun)
    return {"measure": "recording", "packages": RECORDED, **milliseconds(times)}


def ranking(engine: Engine, writer: Writer) -> Row:
    """The whole way, twice: the second run deletes the first one's ranks."""
    waits: list[float] = []

    def other() -> None:
        while True:
            begun = time.perf_counter()
            gevent.sleep(0.002)
            waits.append(time.perf_counter() - begun - 0.002)

    greenlet = gevent.spawn(other)
    processor = time.process_time()
    first, second = (compute(engine, writer, seconds=600) for _ in range(2))
    processor = time.process_time() - processor
    greenlet.kill()
    return {
        "measure": "ranking",
        "packages": second.packages,
        "edges": second.edges,
        "seconds": round(first.seconds, 2),
        "again": round(second.seconds, 2),
        "cpu": round(processor / 2, 2),
        "child MiB": second.peak_bytes // MEBIBYTE,
        **{f"waited {name}": value for name, value in milliseconds(waits).items()},
    }


def queries(
    engine: Engine, generator: np.random.Generator, packages: int, edges: np.ndarray, count: int
) -> Iterator[Row]:
    """Neighbourhoods by depth, ranks and the overview."""
    hubs = np.argsort(-np.bincount(edges[:, 1]))[:count].tolist()
    chosen = {"random": generator.integers(1, packages, count).tolist(), "hubs": hubs}
    for name, numbers in chosen.items():
        for depth in range(4):
            asked = [partial(neighbourhood, key=f"npm:p{each}", depth=depth) for each in numbers]
            yield {"measure": f"neighbourhood of {name}, depth {depth}", **cost(engine, asked)}
        asked_ranks = [partial(rank_of, key=f"npm:p{each}") for each in numbers]
        yield {"measure": f"rank of {name}", **cost(engine, asked_ranks)}
    yield {"measure": "overview", **cost(engine, [overview] * 5)}


def cost(engine: Engine, asked: list[Callable[..., object]]) -> Row:
    """Processor time of each query."""
    times = []
    for query in asked:
        begun = time.process_time()
        with engine.connect() as connection:
            query(connection)
        times.append(time.process_time() - begun)
    return milliseconds(times)


def milliseconds(times: list[float]) -> Row:
    ordered = sorted(times)
    return {
        "median ms": round(median(ordered) * 1000, 2),
        "p95 ms": round(ordered[int(len(ordered) * 0.95)] * 1000, 2),
        "worst ms": round(ordered[-1] * 1000, 2),
    }


if __name__ == "__main__":
    main()
