"""Inserting rows of which some may be there already."""

from __future__ import annotations

from typing import Any

from sqlalchemy import Connection
from sqlalchemy.dialects import postgresql, sqlite


def insert_into(connection: Connection, table: Any) -> Any:
    """An `INSERT` in the dialect of the connection's database, with `on_conflict_do_nothing` and
    `on_conflict_do_update`, which SQLAlchemy has only for each dialect.

    :param table: a mapped class.
    """
    made = postgresql.insert if connection.dialect.name == "postgresql" else sqlite.insert
    return made(table)
