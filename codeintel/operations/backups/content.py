"""Read and write the content of a database, its schema and rows, in a format for all kinds of
databases.
"""

from __future__ import annotations

import binascii
from base64 import b64decode
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

import msgspec
from alembic import command
from alembic.migration import MigrationContext
from sqlalchemy import (
    BigInteger,
    Connection,
    Integer,
    LargeBinary,
    MetaData,
    Table,
    Text,
    func,
    insert,
    select,
    text,
)
from sqlalchemy.exc import SQLAlchemyError
from sqlalchemy.sql.type_api import TypeEngine

from codeintel.operations.backups.archive import BackupError, ForeignFileError, TablePart
from codeintel.platform.db.migrate import alembic_config
from codeintel.platform.db.models import Base

VERSION_TABLE = "alembic_version"
_MADE_WITH_THE_SCHEMA = frozenset({VERSION_TABLE, "facts"})
"""Tables that have rows even in an unused database."""


def revision_of(connection: Connection) -> str | None:
    """Return the revision of the database, or None before the first migration."""
    return MigrationContext.configure(connection).get_current_revision()


def upgrade(connection: Connection, revision: str) -> None:
    """Apply migrations up to a revision, in the connection's transaction."""
    command.upgrade(alembic_config(connection), revision)


def tables_of(connection: Connection) -> list[Table]:
    """Return the existing tables of codeintel, referenced tables first."""
    known = _known()
    found = MetaData()
    found.reflect(connection, only=lambda name, _: name in known)
    return list(found.sorted_tables)


def is_empty(connection: Connection) -> bool:
    """Return whether a restore would overwrite nothing."""
    return not any(
        connection.execute(select(text("1")).select_from(table).limit(1)).first()
        for table in tables_of(connection)
        if table.name not in _MADE_WITH_THE_SCHEMA
    )


def drop_all(connection: Connection) -> None:
    """Drop the tables of codeintel only."""
    for table in reversed(tables_of(connection)):
        table.drop(connection)


def restart_counters(connection: Connection) -> None:
    """Set PostgreSQL's sequences to numbers after the restored rows."""
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
    import codeintel.identity.audit
    import codeintel.identity.tables
    import codeintel.platform.jobs.store
    import codeintel.trust.tables
    import codeintel.workspaces.tables  # noqa: F401 - they add themselves to the metadata

    return frozenset(Base.metadata.tables) | {VERSION_TABLE}


FEW, MANY = 20, 1_000
"""Rows per fetch, for tables with large rows and for others."""
BATCH_ROWS, BATCH_BYTES = 500, 4 * 1024 * 1024
"""The maximum rows and bytes per insertion."""
_ENCODER = msgspec.json.Encoder()
_DECODER = msgspec.json.Decoder(list[Any])


def row_lines(connection: Connection, table: Table) -> Iterator[bytes]:
    """Yield the rows of a table as lines, as the connection's transaction sees them."""
    is_large = any(_is_large(column.type) for column in table.columns)
    query = select(table).execution_options(yield_per=FEW if is_large else MANY)
    for row in connection.execute(query):
        yield _ENCODER.encode(list(row)) + b"\n"


def store_lines(
    connection: Connection, table: Table, part: TablePart, lines: Iterable[bytes]
) -> None:
    """Insert the rows in the lines.

    :raises BackupError: for rows that the database rejects.
    """
    if not set(part.columns) <= set(table.columns.keys()):
        raise ForeignFileError(f"{part.path} has columns that its revision lacks")
    decode = _row_decoder(table, part)
    for batch in _batches(lines):
        rows = [decode(line) for line in batch]
        try:
            connection.execute(insert(table), rows)
        except SQLAlchemyError as error:
            reason = str(getattr(error, "orig", error)).splitlines()[0]
            raise BackupError(
                f"The database rejects rows of the table {table.name}: {reason}. Nothing was "
                "changed."
            ) from None


def _is_large(type_: TypeEngine[Any]) -> bool:
    return isinstance(type_, LargeBinary | Text)


def _row_decoder(table: Table, part: TablePart) -> Callable[[bytes], dict[str, Any]]:
    binary = [
        position
        for position, name in enumerate(part.columns)
        if isinstance(table.columns[name].type, LargeBinary)
    ]

    def decode(line: bytes) -> dict[str, Any]:
        try:
            values = _DECODER.decode(line)
            for position in binary:
                if values[position] is not None:
                    values[position] = b64decode(values[position], validate=True)
            return dict(zip(part.columns, values, strict=True))
        except (msgspec.MsgspecError, binascii.Error, ValueError, IndexError, TypeError):
            raise ForeignFileError(f"a row in {part.path} is damaged") from None

    return decode


def _batches(lines: Iterable[bytes]) -> Iterator[Sequence[bytes]]:
    batch: list[bytes] = []
    size = 0
    for line in lines:
        batch.append(line)
        size += len(line)
        if len(batch) >= BATCH_ROWS or size >= BATCH_BYTES:
            yield batch
            batch, size = [], 0
    if batch:
        yield batch
