"""Deleting the rows of deleted accounts, a little at a time, so that others can write meanwhile."""

from __future__ import annotations

from typing import Any

from sqlalchemy import Connection, Engine, Table, delete, exists, or_, select, tuple_

from codeintel.base.concurrency.pace import give_way
from codeintel.identity.audit.log import AuditKind
from codeintel.identity.audit.tables import AuditRow
from codeintel.identity.credits import ledger
from codeintel.identity.tables import IdentityRow, SessionRow, SignInLinkRow
from codeintel.platform.db.models import Account, ApiKey, Hold, IdempotencyKey, RunRow
from codeintel.platform.db.writer import Writer
from codeintel.workspaces.garbage_collector import Collector
from codeintel.workspaces.storage.tables import (
    ContentRow,
    FileResultRow,
    SessionRow as WorkspaceRow,
)

BATCH = 500
ACCOUNTS = 100
"""So many accounts are looked after in one round."""
_TABLES: tuple[Any, ...] = (
    RunRow,
    IdempotencyKey,
    FileResultRow,
    ContentRow,
    ApiKey,
    SessionRow,
    SignInLinkRow,
    IdentityRow,
)
"""What nothing stays of, beside the workspaces."""
_HAS_ENDED = Hold.state != ledger.PENDING
_IS_OF_ITS_LIFE = AuditRow.kind != AuditKind.ACCOUNT_DELETED
"""Which events are deleted: that the account was deleted is still told."""


class Purger:
    """Deletes what was stored of accounts that are deleted."""

    def __init__(self, engine: Engine, writer: Writer) -> None:
        self._engine = engine
        self._writer = writer
        self._workspaces = Collector(engine, writer)

    def purge(self, account_id: str) -> None:
        """Delete all rows of a deleted account but those of the books."""
        query = select(WorkspaceRow.id).where(WorkspaceRow.account_id == account_id)
        with self._engine.connect() as connection:
            sessions = connection.scalars(query).all()
        for session_id in sessions:
            self._workspaces.delete(account_id, session_id)
        for model in _TABLES:
            self._delete(account_id, model.__table__, model.account_id == account_id)
        for model, is_due in ((Hold, _HAS_ENDED), (AuditRow, _IS_OF_ITS_LIFE)):
            self._delete(account_id, _table(model), (model.account_id == account_id) & is_due)

    def sweep(self) -> int:
        """Go on where a process ended before it was through, and delete what came in while an
        account was deleted; returns with how many accounts there was something to do."""
        left = [
            exists().where(model.account_id == Account.id) for model in (*_TABLES, WorkspaceRow)
        ]
        left.append(exists().where(AuditRow.account_id == Account.id, _IS_OF_ITS_LIFE))
        query = select(Account.id).where(Account.deleted_ms.is_not(None), or_(*left))
        with self._engine.connect() as connection:
            found = connection.scalars(query.limit(ACCOUNTS)).all()
        for account_id in found:
            self.purge(account_id)
        return len(found)

    def _delete(self, account_id: str, table: Table, which: Any) -> None:
        key = list(table.primary_key.columns)
        some = select(*key).where(which).limit(BATCH)

        def work(connection: Connection) -> int:
            return connection.execute(delete(table).where(tuple_(*key).in_(some))).rowcount

        while self._writer.run(work, order=account_id):
            give_way()


def _table(model: Any) -> Table:
    table: Table = model.__table__
    return table
