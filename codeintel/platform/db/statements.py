"""Statements: compiled once, inserting what may be there already, and who may wait for them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

import gevent
from sqlalchemy import Connection, CursorResult
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.sql.base import Executable
from sqlalchemy.sql.elements import ClauseElement


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
