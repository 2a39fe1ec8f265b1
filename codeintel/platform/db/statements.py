"""Statements: compiled once, bounded in time, and the database's clock for leases."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

import gevent
import msgspec
from sqlalchemy import BigInteger, Connection, CursorResult, select
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.ext.compiler import compiles
from sqlalchemy.sql.base import Executable
from sqlalchemy.sql.elements import ClauseElement
from sqlalchemy.sql.functions import FunctionElement

from codeintel.platform.db.models import now_ms


class Prepared:
    """A statement with only `bindparam`s or constants that need no conversion: text, whole
    numbers, null.
    """

    def __init__(self, statement: Executable) -> None:
        assert isinstance(statement, ClauseElement)  # noqa: S101 - for the type checker
        self._statement = statement
        self._compiled: dict[str, tuple[str, tuple[str, ...] | None, dict[str, Any]]] = {}

    def execute(self, connection: Connection, parameters: Mapping[str, Any]) -> CursorResult[Any]:
        """Execute it on a connection."""
        found = self._compiled.get(connection.dialect.name)
        if found is None:
            found = self._compiled[connection.dialect.name] = self._compile(connection, parameters)
        text, order, constants = found
        values = {**constants, **parameters}
        if order is None:
            return connection.exec_driver_sql(text, values)
        return connection.exec_driver_sql(text, tuple([values[name] for name in order]))

    def _compile(
        self, connection: Connection, parameters: Mapping[str, Any]
    ) -> tuple[str, tuple[str, ...] | None, dict[str, Any]]:
        compiled: Any = self._statement.compile(
            dialect=connection.dialect, column_keys=list(parameters)
        )
        constants = {
            name: value for name, value in compiled.params.items() if name not in parameters
        }
        order = compiled.positiontup
        return str(compiled), tuple(order) if order is not None else None, constants


def insert_into(connection: Connection, table: Any) -> Any:
    """Return an `INSERT` in the dialect of the connection's database.

    It has `on_conflict_do_nothing` and `on_conflict_do_update`, which SQLAlchemy only offers per
    dialect.

    :param table: a mapped class.
    """
    made = postgresql.insert if connection.dialect.name == "postgresql" else sqlite.insert
    return made(table)


_PATIENT = "codeintel_patient"


@contextmanager
def patient() -> Iterator[None]:
    """Let this greenlet's statements within the block take as long as the server allows."""
    greenlet, before = gevent.getcurrent(), is_patient()
    setattr(greenlet, _PATIENT, True)
    try:
        yield
    finally:
        setattr(greenlet, _PATIENT, before)


def is_patient() -> bool:
    """Return whether this greenlet works in the background."""
    return bool(getattr(gevent.getcurrent(), _PATIENT, False))


APART_SECONDS = 5.0
"""Difference in seconds from which two clocks are too far apart, so that displayed times are
wrong.
"""


class database_now_ms(FunctionElement[int]):  # noqa: N801 - it reads as SQL's functions do
    """The time by the database's clock, in milliseconds since 1970 (UTC), in any statement.

    Leases are written and compared by this clock. A node whose own clock is ahead would take work
    from live processes. The value is constant within a statement, so an index on the compared
    column can be used.
    """

    type = BigInteger()
    inherit_cache = True
    name = "database_now_ms"


@compiles(database_now_ms, "postgresql")
def _postgresql(*_: Any, **__: Any) -> str:
    # Not now(), which is when the transaction started. Nor clock_timestamp(), which no index
    # serves.
    return "CAST(floor(extract(epoch FROM statement_timestamp()) * 1000) AS BIGINT)"


@compiles(database_now_ms, "sqlite")
def _sqlite(*_: Any, **__: Any) -> str:
    # unixepoch('subsec') needs SQLite 3.42. 2440587.5 is the Julian day of 1970-01-01.
    return "CAST(round((julianday('now') - 2440587.5) * 86400000) AS INTEGER)"


class Skew(msgspec.Struct, frozen=True):
    """How far this node's clock is from the database's.

    `ahead_ms` is negative if the node is behind. It is exact to `uncertainty_ms`, which is half of
    the time that the database took to answer.
    """

    ahead_ms: float
    uncertainty_ms: float

    @property
    def is_apart(self) -> bool:
        """Whether the clocks are certainly more than 5 s apart."""
        return abs(self.ahead_ms) - self.uncertainty_ms > APART_SECONDS * 1000


def skew_of(theirs_ms: float, took: float, ours_ms: float | None = None) -> Skew:
    """Return the skew, from an answer that has just arrived.

    :param theirs_ms: the time of the other clock.
    :param took: seconds from the question to the answer; the clock was read about half way.
    :param ours_ms: the time here when the answer arrived; now if None.
    """
    half = took * 1000 / 2
    here = now_ms() if ours_ms is None else ours_ms
    return Skew(here - half - theirs_ms, half)


def measure_skew(connection: Connection) -> Skew:
    """Return the skew against the database.

    The connection is open, so only the query takes time.
    """
    began = time.monotonic()
    theirs: int = connection.execute(_NOW).scalar_one()
    return skew_of(theirs, time.monotonic() - began)


_NOW = select(database_now_ms())
