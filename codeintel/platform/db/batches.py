"""Delete many rows in small batches, so that others can write in between.

A statement that deletes everything old takes time in proportion to the number of rows. It blocks
the writer, and beyond PostgreSQL's time limit it never succeeds.
"""

from __future__ import annotations

import time
from functools import partial
from typing import Any

import gevent
from sqlalchemy import ColumnElement, Connection, Engine, delete, func, inspect, select, tuple_
from sqlalchemy.orm import InstrumentedAttribute

from codeintel.platform.db.models import Base
from codeintel.platform.db.writer import Writer

FIRST_ROWS, FEWEST_ROWS, MOST_ROWS = 1_000, 500, 4_000
TARGET_SECONDS = 0.1
"""Target duration of one transaction, in seconds. The size of batches adapts to it."""


class Old:
    """Rows of a table that may be deleted.

    :param model: the class that is mapped to the table.
    :param order: an indexed column. The condition is a range of it, so that the next batch is
        found without reading other rows.
    """

    def __init__(
        self, model: type[Base], condition: ColumnElement[bool], order: InstrumentedAttribute[Any]
    ) -> None:
        self.model = model
        self.condition = condition
        self.order = order

    def some(self, most: int, begin: int | None) -> Any:
        """Return a query for the first rows: the least and greatest order, and their number.

        :param begin: the least order that remains, if known. Without it, PostgreSQL would read past
            all deleted rows each time until they are vacuumed.
        """
        query = select(self.order.label("at")).where(self.condition)
        if begin is not None:
            query = query.where(self.order >= begin)
        first = query.order_by(self.order).limit(most).subquery()
        return select(func.min(first.c.at), func.max(first.c.at), func.count())

    def between(self, least: int, end: int) -> Any:
        """Return a statement that deletes the rows from one order value up to before another."""
        return delete(self.model).where(self.condition, self.order >= least, self.order < end)

    def at(self, value: int, most: int) -> Any:
        """Return a statement that deletes some of the rows with one order value."""
        key = list(inspect(self.model).primary_key)
        these = select(*key).where(self.condition, self.order == value).limit(most)
        return delete(self.model).where(tuple_(*key).in_(these))


class BatchDeleter:
    """Deletes rows in batches, each in its own transaction.

    A query outside the transaction finds where a batch ends, so the transaction only deletes.
    """

    def __init__(self, engine: Engine, writer: Writer) -> None:
        self._engine = engine
        self._writer = writer
        self._sizes: dict[str, int] = {}

    def delete(self, old: Old, deadline: float = float("inf")) -> tuple[int, bool]:
        """Delete old rows until a deadline on the monotonic clock.

        Returns the number of deleted rows and whether none are left. After each batch it pauses for
        as long as the batch took, so that it never takes more than half of the writer's time.
        """
        deleted, name, begin = 0, old.model.__tablename__, None
        while time.monotonic() < deadline:
            most = self._sizes.get(name, FIRST_ROWS)
            with self._engine.connect() as connection:
                least, greatest, count = connection.execute(old.some(most + 1, begin)).one()
            if not count:
                return deleted, True
            began, is_last = time.monotonic(), count <= most
            end = greatest + 1 if is_last else greatest
            # Never more than `most` rows. Any number of rows may share one value.
            statement = old.between(least, end) if least < end else old.at(least, most)
            deleted += self._writer.run(partial(_execute, statement=statement))
            if is_last:
                return deleted, True
            begin, took = end, time.monotonic() - began
            self._sizes[name] = _next_size(most, took)
            gevent.sleep(took)
        return deleted, False


def _next_size(rows: int, took: float) -> int:
    if took > TARGET_SECONDS:
        return max(FEWEST_ROWS, rows // 2)
    if took < TARGET_SECONDS / 3:
        return min(MOST_ROWS, rows * 2)
    return rows


def _execute(connection: Connection, statement: Any) -> int:
    return connection.execute(statement).rowcount
