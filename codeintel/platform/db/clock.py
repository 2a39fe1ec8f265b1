"""The database's clock: the one that leases are written and compared by.

Every node has a clock, and a node whose clock is ahead would take work from those that live. What
several nodes have to agree on is told by the one clock that they share.
"""

from __future__ import annotations

import time
from typing import Any

import msgspec
from sqlalchemy import BigInteger, Connection, select
from sqlalchemy.ext.compiler import compiles
from sqlalchemy.sql.functions import FunctionElement

from codeintel.platform.db.models import now_ms

APART_SECONDS = 5.0
"""From here on two clocks are too far apart: times that are shown are wrong."""


class database_now_ms(FunctionElement[int]):  # noqa: N801 - it reads as SQL's functions do
    """The time by the database's clock, in milliseconds since 1970 (UTC), in any statement.

    It is the same throughout a statement, so an index on what it is compared with can be used.
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
