"""What an engine does: a database in memory that prepares and runs single statements."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable
from types import MappingProxyType
from typing import Any

from codeintel.engine.equivalence.sql.engines.values import Data, Tables

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
