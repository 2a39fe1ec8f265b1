"""Delete sessions, and contents without references."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from sqlalchemy import (
    ColumnElement,
    Connection,
    CursorResult,
    Engine,
    delete,
    exists,
    select,
    tuple_,
    update,
)

from codeintel.base.greenlets import give_way
from codeintel.identity import ledger
from codeintel.platform.db.models import IdempotencyKey, new_id, now_ms
from codeintel.platform.db.writer import Writer
from codeintel.workspaces.contents import delete_unused, in_parts
from codeintel.workspaces.revisions import ENDED
from codeintel.workspaces.tables import (
    ContentRow,
    FileRow,
    ReportRow,
    RevisionRow,
    SessionRow,
)

KEPT_MS = 3600 * 1000
"""How long contents without a reference are kept, because they are stored before the revision
that references them. Contents of deleted sessions are deleted immediately.
"""
BATCH = 1_000
"""Rows that are deleted in one transaction."""
LOOKED_AT = 20_000
"""Contents that one round checks. The next round continues after them."""


class Collector:
    """Deletes in small steps, so that others can write in between."""

    def __init__(self, engine: Engine, writer: Writer) -> None:
        self._engine = engine
        self._writer = writer
        self._position = ("", "")

    def delete(self, account_id: str, session_id: str) -> None:
        """Delete a session.

        It immediately becomes invisible, and its workspace can be pushed again.
        """

        def end(connection: Connection) -> None:
            ledger.lock(connection, account_id)  # as every writer of a revision does
            connection.execute(
                update(SessionRow)
                .where(SessionRow.id == session_id, SessionRow.account_id == account_id)
                .values(revision=ENDED, identity=new_id("ended"))
            )
            connection.execute(
                delete(IdempotencyKey).where(
                    IdempotencyKey.account_id == account_id,
                    IdempotencyKey.made.startswith(f"{session_id}:", autoescape=True),
                )
            )

        self._writer.run(end, order=account_id)
        self._delete_rows(account_id, session_id)

    def collect(self) -> int:
        """Delete contents without a reference for an hour, and return their number.

        This also finishes the deletion of sessions that a dead process left half deleted.
        """
        with self._engine.connect() as connection:
            query = select(SessionRow.account_id, SessionRow.id).where(SessionRow.revision == ENDED)
            ended = connection.execute(query).all()
        for account_id, session_id in ended:
            self._delete_rows(account_id, session_id)
        cutoff = now_ms() - KEPT_MS
        deleted = 0
        for _ in range(0, LOOKED_AT, BATCH):
            garbage, is_last = self._look(cutoff)
            for account_id in sorted({account for account, _ in garbage}):
                digests = [digest for account, digest in garbage if account == account_id]
                deleted += self._writer.run(
                    _deleting(account_id, digests, cutoff), order=account_id
                )
            if is_last:
                break
            give_way()
        return deleted

    def _look(self, cutoff: int) -> tuple[list[tuple[str, str]], bool]:
        """Return the garbage among the next contents, and whether they were the last."""
        key = tuple_(ContentRow.account_id, ContentRow.sha256)
        query = (
            select(ContentRow.account_id, ContentRow.sha256, _is_garbage(cutoff))
            .where(key > tuple_(*self._position))
            .order_by(ContentRow.account_id, ContentRow.sha256)
            .limit(BATCH)
        )
        with self._engine.connect() as connection:
            rows = connection.execute(query).all()
        is_last = len(rows) < BATCH
        self._position = ("", "") if is_last else (rows[-1][0], rows[-1][1])
        return [(account, digest) for account, digest, is_garbage in rows if is_garbage], is_last

    def _delete_rows(self, account_id: str, session_id: str) -> None:
        while self._writer.run(
            lambda connection: _delete_files(connection, account_id, session_id), order=account_id
        ):
            give_way()
        few = select(ReportRow.id).where(ReportRow.session_id == session_id).limit(BATCH // 10)
        self._repeat(account_id, lambda: delete(ReportRow).where(ReportRow.id.in_(few)))
        numbers = (
            select(RevisionRow.number).where(RevisionRow.session_id == session_id).limit(BATCH)
        )
        self._repeat(
            account_id,
            lambda: delete(RevisionRow).where(
                RevisionRow.session_id == session_id, RevisionRow.number.in_(numbers)
            ),
        )
        last = [
            delete(ReportRow).where(ReportRow.session_id == session_id),  # from a proof in progress
            delete(SessionRow).where(SessionRow.id == session_id),
        ]
        self._writer.run(
            lambda connection: [connection.execute(each) for each in last], order=account_id
        )

    def _repeat(self, account_id: str, statement: Callable[[], Any]) -> None:
        """Execute a statement, with a transaction each time, until it deletes no rows."""

        def work(connection: Connection) -> int:
            result: CursorResult[Any] = connection.execute(statement())
            return result.rowcount

        while self._writer.run(work, order=account_id):
            give_way()


def _is_garbage(cutoff: int) -> ColumnElement[bool]:
    referred = exists().where(
        FileRow.account_id == ContentRow.account_id, FileRow.sha256 == ContentRow.sha256
    )
    return (ContentRow.stored_ms < cutoff) & ~referred


def _delete_files(connection: Connection, account_id: str, session_id: str) -> int:
    """Delete some files of a session, and their contents if no other file has them.

    Return the number of files.
    """
    some = select(FileRow.id).where(FileRow.session_id == session_id).limit(BATCH)
    gone = delete(FileRow).where(FileRow.id.in_(some)).returning(FileRow.sha256)
    digests = list(connection.scalars(gone))
    for part in in_parts(set(digests)):
        delete_unused(connection, account_id, part)
    return len(digests)


def _deleting(account_id: str, digests: list[str], cutoff: int) -> Callable[[Connection], int]:
    """Return a piece of work that deletes contents, if they are still garbage."""

    def work(connection: Connection) -> int:
        ledger.lock(connection, account_id)  # a push must not reference them meanwhile
        garbage = select(ContentRow.sha256).where(
            ContentRow.account_id == account_id,
            ContentRow.sha256.in_(digests),
            _is_garbage(cutoff),
        )
        return sum(
            delete_unused(connection, account_id, some)
            for some in in_parts(connection.scalars(garbage).all())
        )

    return work
