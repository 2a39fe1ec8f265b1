"""DuckDB, which can do nothing but run single statements in memory."""

from __future__ import annotations

import datetime
import threading
from importlib import import_module
from importlib.metadata import version
from typing import TYPE_CHECKING, Any, ClassVar

from codeintel.base.extras import SQL
from codeintel.engine.equivalence.sql.engines.engine import (
    MAX_ROWS,
    MAX_STATEMENT_CHARACTERS,
    STATEMENT_SECONDS,
    Engine,
    EngineError,
    Failures,
    UnfetchableError,
    literal_of,
    quoted,
    reason_of,
)

if TYPE_CHECKING:
    import duckdb
else:

    class _OnUse:
        """DuckDB, loaded where a statement is run: a process that has it and ends in order says
        what it has left behind, at length."""

        def __getattr__(self, name: str) -> Any:
            return getattr(import_module("duckdb"), name)

    duckdb = _OnUse()


class DuckDB(Engine):
    """DuckDB without files, extensions and settings."""

    title = "DuckDB" if SQL.is_missing else f"DuckDB {version('duckdb')}"
    _TYPES: ClassVar[dict[str, str]] = {
        "integer": "INTEGER",
        "double": "DOUBLE",
        "text": "VARCHAR",
        "date": "DATE",
        "timestamp": "TIMESTAMP",
        "boolean": "BOOLEAN",
    }

    def __init__(self) -> None:
        self._connection = duckdb.connect(
            ":memory:",
            config={
                "threads": 1,
                "memory_limit": "256MB",
                "autoinstall_known_extensions": "false",
                "autoload_known_extensions": "false",
                "allow_community_extensions": "false",
            },
        )
        # Refused once access is gone; the default is a ".tmp" wherever the service was started.
        self._connection.execute("SET temp_directory = ''")
        self._connection.execute("SET enable_external_access = false")
        self._connection.execute("SET lock_configuration = true")

    def prepare(self, sql: str) -> None:
        self._single(sql)
        self._fetched(f"EXPLAIN {sql}")

    def rows(self, sql: str) -> list[tuple[Any, ...]]:
        (statement,) = self._single(sql)
        if statement.type != duckdb.StatementType.SELECT:
            raise EngineError("it is no query")
        return self._fetched(sql)

    def run(self, sql: str) -> None:
        self._connection.execute(sql)

    def make_schema(self, name: str) -> None:
        self.run(f"CREATE SCHEMA IF NOT EXISTS {quoted(name)}")

    def type(self, kind: str) -> str:
        inner = kind.removesuffix("[]")
        return self._TYPES[inner] + ("[]" if inner != kind else "")

    def literal(self, value: Any) -> str:
        if isinstance(value, list):
            return f"[{', '.join(self.literal(each) for each in value)}]"
        if isinstance(value, datetime.datetime):
            return f"TIMESTAMP '{value}'"
        if isinstance(value, datetime.date):
            return f"DATE '{value}'"
        return literal_of(value)

    @classmethod
    def failures(cls) -> Failures:
        return duckdb.Error, MemoryError

    def _single(self, sql: str) -> list[duckdb.Statement]:
        """DuckDB's own opinion about where statements end."""
        if len(sql) > MAX_STATEMENT_CHARACTERS:
            raise EngineError("it is too long")
        try:
            found = self._connection.extract_statements(sql)
        except (duckdb.Error, RuntimeError, MemoryError) as error:
            raise EngineError(reason_of(error)) from None
        if len(found) != 1:
            raise EngineError("it is more than one statement")
        return found

    def _fetched(self, sql: str) -> list[tuple[Any, ...]]:
        timer = threading.Timer(STATEMENT_SECONDS, self._connection.interrupt)
        try:
            timer.start()
            given = self._connection.execute(sql)
            self.names = tuple(str(each[0]) for each in given.description or ())
            found = given.fetchmany(MAX_ROWS + 1)
        except duckdb.InvalidInputException as error:
            # Moments with a time zone need a package that is not there.
            kind = UnfetchableError if "pytz" in str(error) else EngineError
            raise kind(reason_of(error)) from None
        except (duckdb.Error, MemoryError, RuntimeError, ValueError) as error:
            raise EngineError(reason_of(error)) from None
        finally:
            timer.cancel()
        if len(found) > MAX_ROWS:
            raise EngineError("it gives too many rows")
        return found
