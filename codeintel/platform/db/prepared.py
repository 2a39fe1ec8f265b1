"""Statements of the hot path, compiled once.

SQLAlchemy looks each statement up in its cache and puts the parameters together anew each time it
is executed, which costs more than SQLite does. Those that every run needs are compiled once for
each dialect and handed to the driver as text.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from sqlalchemy import Connection, CursorResult
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
