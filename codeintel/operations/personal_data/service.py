"""What a person may ask for: a copy of everything, and its end."""

from __future__ import annotations

from collections.abc import Iterator

from sqlalchemy import Engine

from codeintel.identity.audit.log import Actor, AuditKind, record
from codeintel.identity.keys.service import Keys
from codeintel.identity.sessions import Sessions
from codeintel.operations.personal_data.deleting import Deletion
from codeintel.operations.personal_data.exporting import Export
from codeintel.operations.personal_data.purging import Purger
from codeintel.platform.db.writer import Writer


class PersonalData:
    """The data of all accounts."""

    def __init__(self, engine: Engine, writer: Writer, keys: Keys, sessions: Sessions) -> None:
        self._engine = engine
        self._writer = writer
        self._deletion = Deletion(engine, writer, keys, sessions)
        self._purger = Purger(engine, writer)

    def export(self, account_id: str) -> Iterator[bytes]:
        """The pieces of a zip file with all that is stored of an account."""
        return Export(self._engine, account_id).pieces()

    def note_export(self, account_id: str, actor: Actor) -> None:
        """Note in the audit log that somebody took a copy."""
        self._writer.run(
            lambda connection: record(connection, AuditKind.ACCOUNT_EXPORTED, account_id, actor),
            order=account_id,
        )

    def delete(self, account_id: str, actor: Actor) -> None:
        """Delete an account with all that is stored of it but the books, for good.

        :raises ServiceError: `unauthorized` if somebody has just deleted it.
        """
        self._deletion.delete(account_id, actor)

    def sweep(self) -> int:
        """Go on with deletions whose process ended; returns how many accounts there were."""
        return self._purger.sweep()
