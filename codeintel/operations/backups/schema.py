"""The schema of a database, as it is rather than as the models would have it."""

from __future__ import annotations

from alembic import command
from alembic.migration import MigrationContext
from sqlalchemy import BigInteger, Connection, Integer, MetaData, Table, func, select, text

from codeintel.platform.db.migrate import alembic_config
from codeintel.platform.db.models import Base

VERSION_TABLE = "alembic_version"
_MADE_WITH_THE_SCHEMA = frozenset({VERSION_TABLE, "facts"})
"""What has rows in a database that nobody has used yet."""


def revision_of(connection: Connection) -> str | None:
    """The revision that the database has; None before the first migration."""
    return MigrationContext.configure(connection).get_current_revision()


def upgrade(connection: Connection, revision: str) -> None:
    """Apply migrations up to a revision, in the connection's transaction."""
    command.upgrade(alembic_config(connection), revision)


def tables_of(connection: Connection) -> list[Table]:
    """The tables of codeintel that are there, those first that others refer to."""
    known = _known()
    found = MetaData()
    found.reflect(connection, only=lambda name, _: name in known)
    return list(found.sorted_tables)


def is_empty(connection: Connection) -> bool:
    """Whether there is nothing that a restore would overwrite."""
    return not any(
        connection.execute(select(text("1")).select_from(table).limit(1)).first()
        for table in tables_of(connection)
        if table.name not in _MADE_WITH_THE_SCHEMA
    )


def drop_all(connection: Connection) -> None:
    """Drop the tables of codeintel, and no others."""
    for table in reversed(tables_of(connection)):
        table.drop(connection)


def restart_counters(connection: Connection) -> None:
    """Have PostgreSQL number new rows behind those that were stored with their numbers."""
    if connection.dialect.name != "postgresql":
        return
    for table in tables_of(connection):
        for column in table.primary_key.columns:
            if isinstance(column.type, Integer | BigInteger):
                _restart(connection, table, column.name)


def _restart(connection: Connection, table: Table, column: str) -> None:
    names = {"table": table.name, "column": column}
    sequence = connection.scalar(text("SELECT pg_get_serial_sequence(:table, :column)"), names)
    if sequence is None:
        return
    last = connection.scalar(select(func.max(table.columns[column])))
    if last is not None:
        connection.execute(select(func.setval(sequence, last)))


def _known() -> frozenset[str]:
    import codeintel.identity.audit.tables
    import codeintel.identity.tables
    import codeintel.platform.jobs.tables
    import codeintel.trust.tables
    import codeintel.workspaces.storage.tables  # noqa: F401 - they add themselves to the metadata

    return frozenset(Base.metadata.tables) | {VERSION_TABLE}
