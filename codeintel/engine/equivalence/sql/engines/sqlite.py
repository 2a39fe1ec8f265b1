"""SQLite, which can do nothing but run single statements in memory."""

from __future__ import annotations

import datetime
import sqlite3
import time
from typing import Any, ClassVar

from codeintel.engine.equivalence.sql.engines.engine import (
    MAX_ROWS,
    MAX_STATEMENT_CHARACTERS,
    STATEMENT_SECONDS,
    Engine,
    EngineError,
    Failures,
    literal_of,
    quoted,
    quoted_table,
    reason_of,
)


class SQLite(Engine):
    """SQLite without files and extensions."""

    title = f"SQLite {sqlite3.sqlite_version}"
    _TYPES: ClassVar[dict[str, str]] = {
        "integer": "INTEGER",
        "double": "REAL",
        "boolean": "INTEGER",
    }
    _LIMITS = (
        (sqlite3.SQLITE_LIMIT_LENGTH, 1_000_000),
        (sqlite3.SQLITE_LIMIT_SQL_LENGTH, MAX_STATEMENT_CHARACTERS + 100),
        (sqlite3.SQLITE_LIMIT_VDBE_OP, 50_000),
    )

    def __init__(self) -> None:
        self._connection = sqlite3.connect(":memory:", isolation_level=None)
        for limit, value in self._LIMITS:
            self._connection.setlimit(limit, value)
        self._schemas = {"main", "temp"}
        self._deadline = 0.0
        self._connection.set_progress_handler(self._is_late, 2_000)

    def prepare(self, sql: str) -> None:
        self._fetched(f"EXPLAIN {sql}")

    def rows(self, sql: str) -> list[tuple[Any, ...]]:
        return self._fetched(sql)

    def run(self, sql: str) -> None:
        self._deadline = time.monotonic() + STATEMENT_SECONDS
        self._connection.execute(sql)

    def make_schema(self, name: str) -> None:
        if name not in self._schemas:
            self.run(f"ATTACH ':memory:' AS {quoted(name)}")
            self._schemas.add(name)

    def index_at(self, table: str) -> tuple[str, str]:
        schema, _, name = table.rpartition(".")
        if not schema:
            return super().index_at(table)
        return f"{quoted(schema)}.{quoted('by_columns')}", quoted_table(name)

    def type(self, kind: str) -> str:
        return self._TYPES.get(kind, "TEXT")

    def literal(self, value: Any) -> str:
        if isinstance(value, bool):
            return str(int(value))
        if isinstance(value, list):
            return f"'[{', '.join(map(str, value))}]'"
        if isinstance(value, datetime.date):
            return f"'{value}'"
        return literal_of(value)

    @classmethod
    def failures(cls) -> Failures:
        return sqlite3.Error, MemoryError

    def _fetched(self, sql: str) -> list[tuple[Any, ...]]:
        self._deadline = time.monotonic() + STATEMENT_SECONDS
        self._connection.set_authorizer(_authorized)
        try:
            given = self._connection.execute(sql)
            self.names = tuple(str(each[0]) for each in given.description or ())
            found = given.fetchmany(MAX_ROWS + 1)
        except (sqlite3.Error, sqlite3.Warning, MemoryError, ValueError, OverflowError) as error:
            raise EngineError(reason_of(error)) from None
        finally:
            self._connection.set_authorizer(None)
        if len(found) > MAX_ROWS and not sql.startswith("EXPLAIN "):
            raise EngineError("it gives too many rows")
        return found

    def _is_late(self) -> bool:
        return time.monotonic() > self._deadline


_REFUSED_ACTIONS = frozenset({sqlite3.SQLITE_ATTACH, sqlite3.SQLITE_DETACH, sqlite3.SQLITE_PRAGMA})
_REFUSED_FUNCTIONS = frozenset(
    {"load_extension", "readfile", "writefile", "edit", "fts3_tokenizer"}
)


def _authorized(
    action: int, _one: str | None, two: str | None, _database: str | None, _trigger: str | None
) -> int:
    """Whether SQLite may do it. What is no query is only explained."""
    if action in _REFUSED_ACTIONS:
        return sqlite3.SQLITE_DENY
    if action == sqlite3.SQLITE_FUNCTION and two in _REFUSED_FUNCTIONS:
        return sqlite3.SQLITE_DENY
    return sqlite3.SQLITE_OK
