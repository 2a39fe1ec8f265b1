"""The contents of files: stored once for each account, and compressed where that helps."""

from __future__ import annotations

import zlib
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from itertools import islice
from typing import Any, TypeVar

from sqlalchemy import Connection, Engine, delete, exists, select, update

from codeintel.base.greenlets import give_way
from codeintel.identity import ledger
from codeintel.platform.db.models import now_ms
from codeintel.platform.db.statements import insert_into
from codeintel.platform.db.writer import Writer
from codeintel.runs.scans.tables import ScanResultRow
from codeintel.workspaces.checks import in_turns
from codeintel.workspaces.tables import ContentRow, FileResultRow, FileRow

PIECE_BYTES = 1024 * 1024
"""Bytes that are written in one transaction, because the writer lets no other greenlet run
meanwhile.
"""
AT_ONCE = 500
"""Digests in one statement. SQLite and PostgreSQL limit the number of parameters."""
T = TypeVar("T")


class Contents:
    """The contents of all accounts."""

    def __init__(self, engine: Engine, writer: Writer) -> None:
        self._engine = engine
        self._writer = writer

    def store(self, account_id: str, texts: Mapping[str, str]) -> None:
        """Store texts by their digests.

        Unreferenced contents are deleted after an hour. So contents may be stored before their
        references, in separate transactions.
        """
        with self._engine.connect() as connection:
            there = present(connection, account_id, texts)
        # First, because existing contents may be about to be deleted.
        for some in in_parts(there):
            self._writer.run(_touching(account_id, some), order=account_id)
        lacking = {digest: text for digest, text in texts.items() if digest not in there}
        for piece in _pieces(account_id, lacking):
            self._writer.run(_inserting(piece), order=account_id)

    def discard(self, account_id: str, digests: Collection[str]) -> None:
        """Delete unreferenced contents, so that a rejected push does not use up storage."""
        for some in in_parts(digests):
            self._writer.run(
                lambda connection, some=some: delete_unused(  # type: ignore[misc]
                    connection, account_id, some
                ),
                order=account_id,
            )

    def read(self, account_id: str, digests: Collection[str]) -> dict[str, bytes]:
        """Return the contents that the account has, by digest."""
        found: dict[str, bytes] = {}
        for some in in_parts(digests):
            query = select(ContentRow.sha256, ContentRow.packed, ContentRow.data).where(
                ContentRow.account_id == account_id, ContentRow.sha256.in_(some)
            )
            with self._engine.connect() as connection:
                rows = connection.execute(query).all()
            for digest, is_packed, data in rows:
                found[digest] = zlib.decompress(data) if is_packed else bytes(data)
            give_way()
        return found


def present(connection: Connection, account_id: str, digests: Collection[str]) -> set[str]:
    """Return the digests whose contents the account has."""
    found: set[str] = set()
    for some in in_parts(digests):
        query = select(ContentRow.sha256).where(
            ContentRow.account_id == account_id, ContentRow.sha256.in_(some)
        )
        found.update(connection.scalars(query))
    return found


def delete_unused(connection: Connection, account_id: str, digests: Collection[str]) -> int:
    """Delete contents that no file references, with their results and those that scans reuse.

    Return their number.

    A push that has stored them without a reference yet stores them again.
    """
    ledger.lock(connection, account_id)  # as every writer of a revision does
    unused = (
        delete(ContentRow)
        .where(
            ContentRow.account_id == account_id,
            ContentRow.sha256.in_(digests),
            ~exists().where(
                FileRow.account_id == ContentRow.account_id, FileRow.sha256 == ContentRow.sha256
            ),
        )
        .returning(ContentRow.sha256)
    )
    deleted = list(connection.scalars(unused))
    for results in (FileResultRow, ScanResultRow) if deleted else ():
        connection.execute(
            delete(results).where(results.account_id == account_id, results.sha256.in_(deleted))
        )
    return len(deleted)


def in_parts(items: Iterable[T], size: int = AT_ONCE) -> Iterator[list[T]]:
    """Yield the items in lists that fit into one statement."""
    rest = iter(items)
    while part := list(islice(rest, size)):
        yield part


def pack(data: bytes) -> tuple[bool, bytes]:
    """Return whether the data is compressed, and the data.

    It is compressed if that saves a tenth.
    """
    packed = zlib.compress(data, 1)
    return (True, packed) if len(packed) * 10 <= len(data) * 9 else (False, data)


def _pieces(account_id: str, texts: Mapping[str, str]) -> Iterator[list[dict[str, Any]]]:
    """Yield the rows of contents, in pieces of about a megabyte."""
    piece: list[dict[str, Any]] = []
    size = 0
    for digest, text in in_turns(texts):
        data = text.encode()
        is_packed, kept = pack(data)
        row = {
            "account_id": account_id,
            "sha256": digest,
            "size": len(data),
            "packed": is_packed,
            "data": kept,
        }
        piece.append(row)
        size += len(kept)
        if size >= PIECE_BYTES or len(piece) >= AT_ONCE:
            yield piece
            piece, size = [], 0
    if piece:
        yield piece


def _inserting(rows: list[dict[str, Any]]) -> Callable[[Connection], None]:
    """Return a piece of work that adds contents. Contents that another process has added stay."""

    def work(connection: Connection) -> None:
        statement = insert_into(connection, ContentRow)
        now = now_ms()
        connection.execute(
            statement.on_conflict_do_update(
                index_elements=["account_id", "sha256"], set_={"stored_ms": now}
            ),
            [{**row, "stored_ms": now} for row in rows],
        )

    return work


def _touching(account_id: str, digests: list[str]) -> Callable[[Connection], None]:
    """Return a piece of work that keeps contents from deletion for another hour."""

    def work(connection: Connection) -> None:
        connection.execute(
            update(ContentRow)
            .where(ContentRow.account_id == account_id, ContentRow.sha256.in_(digests))
            .values(stored_ms=now_ms())
        )

    return work
