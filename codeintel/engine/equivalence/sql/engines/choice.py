"""Engines that prepare and run single statements in memory, and can do nothing else."""

from __future__ import annotations

from codeintel.engine.equivalence.sql.engines.duckdb import DuckDB
from codeintel.engine.equivalence.sql.engines.engine import Engine, EngineError, reason_of
from codeintel.engine.equivalence.sql.engines.sqlite import SQLite
from codeintel.engine.equivalence.sql.engines.values import Tables

ENGINES: dict[str, type[Engine]] = {"duckdb": DuckDB, "sqlite": SQLite}


def opened(name: str) -> Engine:
    """An engine without tables.

    :raises EngineError: if there is no memory for it.
    """
    kind = ENGINES[name]
    try:
        return kind()
    except kind.failures() as error:
        raise EngineError(reason_of(error)) from None


def remade(engine: Engine, tables: Tables, different: tuple[str, ...] = ()) -> None:
    """Have the engine hold these tables.

    :param different: a table and columns of it that have an index without duplicates.

    :raises EngineError: if it refuses them.
    """
    try:
        engine.create(tables)
        if different:
            engine.index(different[0], different[1:])
    except engine.failures() as error:
        raise EngineError(reason_of(error)) from None
