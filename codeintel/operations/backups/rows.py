"""Rows of tables as lines, and lines as rows: the same from and for every database."""

from __future__ import annotations

import binascii
from base64 import b64decode
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

import msgspec
from sqlalchemy import Connection, LargeBinary, Table, Text, insert, select
from sqlalchemy.exc import SQLAlchemyError
from sqlalchemy.sql.type_api import TypeEngine

from codeintel.operations.backups.errors import BackupError, ForeignFileError
from codeintel.operations.backups.manifest import TablePart

FEW, MANY = 20, 1_000
"""Rows that are fetched at once: of tables whose rows may be large, and of others."""
BATCH_ROWS, BATCH_BYTES = 500, 4 * 1024 * 1024
"""How much is stored at once, at most."""
_ENCODER = msgspec.json.Encoder()
_DECODER = msgspec.json.Decoder(list[Any])


def row_lines(connection: Connection, table: Table) -> Iterator[bytes]:
    """The rows of a table, a line each, as the connection's transaction sees them."""
    is_large = any(_is_large(column.type) for column in table.columns)
    query = select(table).execution_options(yield_per=FEW if is_large else MANY)
    for row in connection.execute(query):
        yield _ENCODER.encode(list(row)) + b"\n"


def store_lines(
    connection: Connection, table: Table, part: TablePart, lines: Iterable[bytes]
) -> None:
    """Insert the rows that the lines have.

    :raises BackupError: for rows that the database does not take.
    """
    if not set(part.columns) <= set(table.columns.keys()):
        raise ForeignFileError(f"{part.path} has columns that there are not in its revision")
    decode = _row_decoder(table, part)
    for batch in _batches(lines):
        rows = [decode(line) for line in batch]
        try:
            connection.execute(insert(table), rows)
        except SQLAlchemyError as error:
            reason = str(getattr(error, "orig", error)).splitlines()[0]
            raise BackupError(
                f"The database does not take rows of the table {table.name}: {reason}. "
                "Nothing was changed."
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
