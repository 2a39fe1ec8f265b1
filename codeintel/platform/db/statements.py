"""Statements: compiled once, bounded in time, and the database's clock that leases go by."""

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
    """A statement whose parameters are all `bindparam`s or constants, of types that need no
    conversion: text, whole numbers, null."""

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
    """An `INSERT` in the dialect of the connection's database, with `on_conflict_do_nothing` and
    `on_conflict_do_update`, which SQLAlchemy has only for each dialect.

    :param table: a mapped class.
    """
    made = postgresql.insert if connection.dialect.name == "postgresql" else sqlite.insert
    return made(table)


_PATIENT = "codeintel_patient"


@contextmanager
def patient() -> Iterator[None]:
    """Within the block this greenlet's statements may take as long as the server lets them."""
    greenlet, before = gevent.getcurrent(), is_patient()
    setattr(greenlet, _PATIENT, True)
    try:
        yield
    finally:
        setattr(greenlet, _PATIENT, before)


def is_patient() -> bool:
    """Whether this greenlet works in the background."""
    return bool(getattr(gevent.getcurrent(), _PATIENT, False))


APART_SECONDS = 5.0
"""From here on two clocks are too far apart: times that are shown are wrong."""


class database_now_ms(FunctionElement[int]):  # noqa: N801 - it reads as SQL's functions do
    """The time by the database's clock, in milliseconds since 1970 (UTC), in any statement.

    Leases are written and compared by it: a node whose own clock is ahead would take work from
    those that live. It is the same throughout a statement, so an index on
    what it is compared with can be used.
    """

    type = BigInteger()
    inherit_cache = True
    name = "database_now_ms"


@compiles(database_now_ms, "postgresql")
def _postgresql(*_: Any, **__: Any) -> str:
    # Not now(): that is when the transaction began. Nor clock_timestamp(): no index serves it.
    return "CAST(floor(extract(epoch FROM statement_timestamp()) * 1000) AS BIGINT)"


@compiles(database_now_ms, "sqlite")
def _sqlite(*_: Any, **__: Any) -> str:
    # unixepoch('subsec') needs SQLite 3.42; 2440587.5 is the Julian day of 1970-01-01.
    return "CAST(round((julianday('now') - 2440587.5) * 86400000) AS INTEGER)"


class Skew(msgspec.Struct, frozen=True):
    """How far this node's clock is from the database's. `ahead_ms` is negative where the node is
    behind; it is exact to `uncertainty_ms`, half of the time that the database took to answer."""

    ahead_ms: float
    uncertainty_ms: float

    @property
    def is_apart(self) -> bool:
        """Whether the clocks are certainly more than 5 s apart."""
        return abs(self.ahead_ms) - self.uncertainty_ms > APART_SECONDS * 1000


def skew_of(theirs_ms: float, took: float, ours_ms: float | None = None) -> Skew:
    """The skew, from an answer that has just come.

    :param theirs_ms: the time that the other clock has told.
    :param took: seconds from the question to the answer; the clock was read about half way.
    :param ours_ms: the time here when the answer came; now if None.
    """
    half = took * 1000 / 2
    here = now_ms() if ours_ms is None else ours_ms
    return Skew(here - half - theirs_ms, half)


def measure_skew(connection: Connection) -> Skew:
    """Ask the database for its time. The connection is open: only the question takes time."""
    began = time.monotonic()
    theirs: int = connection.execute(_NOW).scalar_one()
    return skew_of(theirs, time.monotonic() - began)


_NOW = select(database_now_ms())
