"""Give users a copy of their data, and delete it on request."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from sqlalchemy import Connection, Engine, Table, delete, exists, or_, select, tuple_, update

from codeintel.base.errors import ServiceError
from codeintel.base.greenlets import give_way
from codeintel.contracts.states import RunState
from codeintel.identity import ledger
from codeintel.identity.accounts import account_deleted
from codeintel.identity.audit import Actor, AuditKind, AuditRow, record
from codeintel.identity.keys.service import Keys
from codeintel.identity.sessions import Sessions
from codeintel.identity.tables import IdentityRow, SessionRow, SignInLinkRow
from codeintel.operations.personal_data.exporting import Export
from codeintel.platform.db.models import (
    Account,
    ApiKey,
    Balance,
    Hold,
    IdempotencyKey,
    LedgerEntry,
    RunRow,
    now_ms,
)
from codeintel.platform.db.writer import Writer
from codeintel.runs.scans.tables import ScanContentRow, ScanResultRow, ScanRow
from codeintel.workspaces.garbage_collector import Collector
from codeintel.workspaces.revisions import ENDED
from codeintel.workspaces.tables import (
    ContentRow,
    FileResultRow,
    SessionRow as WorkspaceRow,
)

BATCH = 500
ACCOUNTS = 100
"""The maximum number of accounts per round."""
_TABLES: tuple[Any, ...] = (
    RunRow,
    IdempotencyKey,
    FileResultRow,
    ContentRow,
    ScanResultRow,
    ScanContentRow,
    ScanRow,
    ApiKey,
    SessionRow,
    SignInLinkRow,
    IdentityRow,
)
"""The tables that are emptied completely, in addition to the workspaces."""
_HAS_ENDED = Hold.state != ledger.PENDING
_IS_OF_ITS_LIFE = AuditRow.kind != AuditKind.ACCOUNT_DELETED
"""Events that are deleted. The event of the account's deletion remains."""


class Purger:
    """Deletes the stored data of deleted accounts."""

    def __init__(self, engine: Engine, writer: Writer) -> None:
        self._engine = engine
        self._writer = writer
        self._workspaces = Collector(engine, writer)

    def purge(self, account_id: str) -> None:
        """Delete all rows of a deleted account, except for the accounting."""
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
        """Continue interrupted deletions, and delete rows that were added during a deletion. Return
        the number of affected accounts.
        """
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


REASON = "account_deleted"
UNSAID = "(deleted with the account)"
"""Replaces the operator's texts in entries of the ledger."""


def nobodys_address(account_id: str) -> str:
    """Return the address of a deleted account. It can receive no messages (RFC 6761)."""
    return f"{account_id}@deleted.invalid"


class Deletion:
    """Deletes accounts: immediately for their users, then row by row.

    Three things remain for the accounting: the account's row under an unused address, its balance
    of zero, and its entries in the ledger, whose sum is that balance.
    """

    def __init__(self, engine: Engine, writer: Writer, keys: Keys, sessions: Sessions) -> None:
        self._writer = writer
        self._keys = keys
        self._sessions = sessions
        self._purger = Purger(engine, writer)

    def delete(self, account_id: str, actor: Actor) -> None:
        """Delete an account with all its data permanently. Its credits are forfeited, and its
        address becomes free.

        :raises ServiceError: `unauthorized` if another request has just deleted it.
        """
        refusal = self._writer.run(
            lambda connection: _close(connection, account_id, actor), order=account_id
        )
        if refusal is not None:
            raise refusal
        self._keys.forget_known()
        self._sessions.forget_known()
        self._purger.purge(account_id)


def _close(connection: Connection, account_id: str, actor: Actor) -> ServiceError | None:
    """End all access to the account and its active work."""
    ledger.lock(connection, account_id)  # lock the ledger first, like all writers of the account
    there = select(Account.id).where(Account.id == account_id, Account.deleted_ms.is_(None))
    if connection.scalar(there.with_for_update()) is None:
        return account_deleted()
    _end_runs(connection, account_id)
    _close_books(connection, account_id)
    for model in (SignInLinkRow, SessionRow, IdentityRow, ApiKey):
        connection.execute(delete(model).where(model.account_id == account_id))
    # Its workspaces become unreachable now. Their rows are deleted later, a few at a time.
    mine = WorkspaceRow.account_id == account_id
    connection.execute(update(WorkspaceRow).where(mine).values(revision=ENDED))
    connection.execute(
        update(Account)
        .where(Account.id == account_id)
        .values(email=nobodys_address(account_id), unlimited=False, deleted_ms=now_ms())
    )
    record(connection, AuditKind.ACCOUNT_DELETED, account_id, Actor(_kind(actor)))
    return None


def _kind(actor: Actor) -> str:
    """Return the kind of an actor, without the id of its session."""
    return actor.name.partition(":")[0]


def _end_runs(connection: Connection, account_id: str) -> None:
    """End the account's runs. Their processes check the rows and stop."""
    connection.execute(
        update(RunRow)
        .where(RunRow.account_id == account_id, RunRow.state == RunState.RUNNING)
        .values(
            state=RunState.CANCELLED,
            epoch=RunRow.epoch + 1,
            charged=0,
            reason=REASON,
            finished_ms=now_ms(),
        )
    )


def _close_books(connection: Connection, account_id: str) -> None:
    """Release holds, set the balance to zero and remove texts of users."""
    connection.execute(
        update(Hold)
        .where(Hold.account_id == account_id, Hold.state == ledger.PENDING)
        .values(state=ledger.VOIDED)
    )
    connection.execute(update(Balance).where(Balance.account_id == account_id).values(held=0))
    left = ledger.read_balance(connection, account_id).posted
    if left:
        ledger.post_entry(connection, account_id, "forfeit", -left, reason="account deleted")
    connection.execute(
        update(LedgerEntry)
        .where(LedgerEntry.account_id == account_id, LedgerEntry.kind == "grant")
        .values(reason=UNSAID)
    )


class PersonalData:
    """Exports and deletes the data of accounts."""

    def __init__(self, engine: Engine, writer: Writer, keys: Keys, sessions: Sessions) -> None:
        self._engine = engine
        self._writer = writer
        self._deletion = Deletion(engine, writer, keys, sessions)
        self._purger = Purger(engine, writer)

    def export(self, account_id: str) -> Iterator[bytes]:
        """Yield the pieces of a zip file with all stored data of an account."""
        return Export(self._engine, account_id).pieces()

    def note_export(self, account_id: str, actor: Actor) -> None:
        """Record an export in the audit log."""
        self._writer.run(
            lambda connection: record(connection, AuditKind.ACCOUNT_EXPORTED, account_id, actor),
            order=account_id,
        )

    def delete(self, account_id: str, actor: Actor) -> None:
        """Delete an account with all its data permanently, except for the accounting.

        :raises ServiceError: `unauthorized` if another request has just deleted it.
        """
        self._deletion.delete(account_id, actor)

    def sweep(self) -> int:
        """Continue interrupted deletions. Return the number of accounts."""
        return self._purger.sweep()
