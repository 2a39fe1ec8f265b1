"""Engines that prepare and run single statements in memory, and can do nothing else."""

from __future__ import annotations

import datetime
import sqlite3
import threading
import time
from abc import ABC, abstractmethod
from collections.abc import Iterable
from importlib import import_module
from importlib.metadata import version
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, ClassVar

from codeintel.base.extras import SQL
from codeintel.engine.equivalence.sql.columns import Data, Tables

if TYPE_CHECKING:
    import duckdb
else:

    class _OnUse:
        """DuckDB, loaded where a statement is run: a process that has it and ends in order says
        what it has left behind, at length."""

        def __getattr__(self, name: str) -> Any:
            return getattr(import_module("duckdb"), name)

    duckdb = _OnUse()

STATEMENT_SECONDS = 1.0
MAX_ROWS = 2_000
MAX_STATEMENT_CHARACTERS = 100_000
Failures = tuple[type[Exception], ...]


class EngineError(Exception):
    """A statement was refused or did not end; the text is the engine's kind of error, without the
    statement."""


class UnfetchableError(EngineError):
    """What a statement gives cannot be looked at here."""


class Engine(ABC):
    """One database in memory."""

    title: str
    names: tuple[str, ...] = ()
    """Of the columns that the last query gave."""
    _tables: Tables = MappingProxyType({})

    @abstractmethod
    def prepare(self, sql: str) -> None:
        """Have one statement planned, and not run.

        :raises EngineError: if the engine does not understand it.
        """

    @abstractmethod
    def rows(self, sql: str) -> list[tuple[Any, ...]]:
        """What one query gives.

        :raises EngineError: if it fails, does not end, or gives too much.
        """

    @abstractmethod
    def run(self, sql: str) -> None:
        """Run a statement of our own."""

    def create(self, tables: Tables) -> None:
        """Make the tables, without rows, instead of those that were made before."""
        for table in self._tables:
            self.run(f"DROP TABLE {quoted_table(table)}")
        self._tables = {}
        for schema in sorted({table.split(".")[0] for table in tables if "." in table}):
            self.make_schema(schema)
        for table, columns in tables.items():
            inside = ", ".join(
                f"{quoted(name)} {self.type(kind)}" for name, kind in columns.items()
            )
            self.run(f"CREATE TABLE {quoted_table(table)} ({inside})")
            self._tables = {**self._tables, table: columns}

    def index(self, table: str, columns: Iterable[str]) -> None:
        """Have these columns be different in each row."""
        index, on = self.index_at(table)
        self.run(f"CREATE UNIQUE INDEX {index} ON {on} ({', '.join(map(quoted, columns))})")

    def index_at(self, table: str) -> tuple[str, str]:
        """The name of a table's index, and the table, as `CREATE INDEX` has them."""
        return quoted("by_columns"), quoted_table(table)

    def fill(self, data: Data) -> None:
        """Replace all rows."""
        for table, rows in data.items():
            self.run(f"DELETE FROM {quoted_table(table)}")  # noqa: S608 - our own names, quoted
            if rows:
                values = ", ".join(
                    f"({', '.join(self.literal(value) for value in row)})" for row in rows
                )
                self.run(f"INSERT INTO {quoted_table(table)} VALUES {values}")  # noqa: S608

    @abstractmethod
    def make_schema(self, name: str) -> None:
        """Make a schema for tables."""

    @abstractmethod
    def type(self, kind: str) -> str:
        """The engine's type for a kind of column."""

    @abstractmethod
    def literal(self, value: Any) -> str:
        """A value as the engine reads it."""

    @classmethod
    @abstractmethod
    def failures(cls) -> Failures:
        """What is raised where there is no memory for it, or a statement of our own is refused."""


def reason_of(error: BaseException) -> str:
    """The kind of an error. Its text may quote the statement: only names are kept of it."""
    text = str(error)
    for marker in ("no such function: ", "no such table: ", "no such column: "):
        if marker in text:
            return f"{marker}{_word(text.split(marker, 1)[1])}"
    if "Function with name " in text:
        return f"no such function: {_word(text.split('Function with name ', 1)[1])}"
    return type(error).__name__


def _word(text: str) -> str:
    word = text.split()[0] if text.split() else ""
    return word.strip(":,;!\"'")[:60]


def literal_of(value: Any) -> str:
    """A value that each engine reads in the same way."""
    if value is None:
        return "NULL"
    if isinstance(value, bool):
        return "TRUE" if value else "FALSE"
    if isinstance(value, int | float):
        return repr(value)
    return "'" + str(value).replace("'", "''") + "'"


def quoted(name: str) -> str:
    """A name that may hold anything."""
    return '"' + name.replace('"', '""') + '"'


def quoted_table(table: str) -> str:
    """The name of a table, perhaps with its schema."""
    return ".".join(map(quoted, table.split(".", 1)))


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
