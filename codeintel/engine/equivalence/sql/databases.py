"""Prepare and run single statements in memory, in engines that cannot do anything else."""

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
        """Import DuckDB only where a statement runs, because a process that has loaded it prints
        a long report of leaks when it exits."""

        def __getattr__(self, name: str) -> Any:
            return getattr(import_module("duckdb"), name)

    duckdb = _OnUse()

STATEMENT_SECONDS = 1.0
MAX_ROWS = 2_000
MAX_STATEMENT_CHARACTERS = 100_000
Failures = tuple[type[Exception], ...]


class EngineError(Exception):
    """The engine refused a statement, or the statement did not finish.

    The message is the kind of error, without the statement.
    """


class UnfetchableError(EngineError):
    """The result of a statement cannot be fetched."""


class Engine(ABC):
    """A database in memory."""

    title: str
    names: tuple[str, ...] = ()
    """The column names of the last query."""
    _tables: Tables = MappingProxyType({})

    @abstractmethod
    def prepare(self, sql: str) -> None:
        """Plan one statement without running it.

        :raises EngineError: if the engine does not understand the statement.
        """

    @abstractmethod
    def rows(self, sql: str) -> list[tuple[Any, ...]]:
        """Return the rows of a query.

        :raises EngineError: if the query fails, takes too long or returns too much.
        """

    @abstractmethod
    def run(self, sql: str) -> None:
        """Run a trusted statement."""

    def create(self, tables: Tables) -> None:
        """Create the tables without rows, and drop earlier ones."""
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
        """Create a unique index on the columns."""
        index, on = self.index_at(table)
        self.run(f"CREATE UNIQUE INDEX {index} ON {on} ({', '.join(map(quoted, columns))})")

    def index_at(self, table: str) -> tuple[str, str]:
        """Return the name of a table's index and of the table, as `CREATE INDEX` writes them."""
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
        """Create a schema for tables."""

    @abstractmethod
    def type(self, kind: str) -> str:
        """Return the engine's type for a kind of column."""

    @abstractmethod
    def literal(self, value: Any) -> str:
        """Return a value as a literal of the engine."""

    @classmethod
    @abstractmethod
    def failures(cls) -> Failures:
        """Return the exceptions that mean missing memory or a refused statement."""


def reason_of(error: BaseException) -> str:
    """Return the kind of an error. Its message may quote the statement, so only names are kept."""
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
    """Return a value as a literal that every engine reads in the same way."""
    if value is None:
        return "NULL"
    if isinstance(value, bool):
        return "TRUE" if value else "FALSE"
    if isinstance(value, int | float):
        return repr(value)
    return "'" + str(value).replace("'", "''") + "'"


def quoted(name: str) -> str:
    """Quote a name."""
    return '"' + name.replace('"', '""') + '"'


def quoted_table(table: str) -> str:
    """Quote the name of a table, with its schema if there is one."""
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
        # Set this before external access is disabled. The default is ".tmp" in the working
        # directory.
        self._connection.execute("SET temp_directory = ''")
        self._connection.execute("SET enable_external_access = false")
        self._connection.execute("SET lock_configuration = true")

    def prepare(self, sql: str) -> None:
        self._single(sql)
        self._fetched(f"EXPLAIN {sql}")

    def rows(self, sql: str) -> list[tuple[Any, ...]]:
        (statement,) = self._single(sql)
        if statement.type != duckdb.StatementType.SELECT:
            raise EngineError("the statement is not a query")
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
        """Check that DuckDB sees exactly one statement."""
        if len(sql) > MAX_STATEMENT_CHARACTERS:
            raise EngineError("the statement is too long")
        try:
            found = self._connection.extract_statements(sql)
        except (duckdb.Error, RuntimeError, MemoryError) as error:
            raise EngineError(reason_of(error)) from None
        if len(found) != 1:
            raise EngineError("there is more than one statement")
        return found

    def _fetched(self, sql: str) -> list[tuple[Any, ...]]:
        timer = threading.Timer(STATEMENT_SECONDS, self._connection.interrupt)
        try:
            timer.start()
            given = self._connection.execute(sql)
            self.names = tuple(str(each[0]) for each in given.description or ())
            found = given.fetchmany(MAX_ROWS + 1)
        except duckdb.InvalidInputException as error:
            # Timestamps with a time zone need a package that is missing.
            kind = UnfetchableError if "pytz" in str(error) else EngineError
            raise kind(reason_of(error)) from None
        except (duckdb.Error, MemoryError, RuntimeError, ValueError) as error:
            raise EngineError(reason_of(error)) from None
        finally:
            timer.cancel()
        if len(found) > MAX_ROWS:
            raise EngineError("the result has too many rows")
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
            raise EngineError("the result has too many rows")
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
    """Return SQLITE_OK or SQLITE_DENY for an action.

    Statements other than queries are only explained.
    """
    if action in _REFUSED_ACTIONS:
        return sqlite3.SQLITE_DENY
    if action == sqlite3.SQLITE_FUNCTION and two in _REFUSED_FUNCTIONS:
        return sqlite3.SQLITE_DENY
    return sqlite3.SQLITE_OK


ENGINES: dict[str, type[Engine]] = {"duckdb": DuckDB, "sqlite": SQLite}


def opened(name: str) -> Engine:
    """Return an engine without tables.

    :raises EngineError: if memory is missing.
    """
    kind = ENGINES[name]
    try:
        return kind()
    except kind.failures() as error:
        raise EngineError(reason_of(error)) from None


def remade(engine: Engine, tables: Tables, different: tuple[str, ...] = ()) -> None:
    """Make the engine hold these tables.

    :param different: a table and its columns that get a unique index.
    :raises EngineError: if the engine refuses the tables.
    """
    try:
        engine.create(tables)
        if different:
            engine.index(different[0], different[1:])
    except engine.failures() as error:
        raise EngineError(reason_of(error)) from None
