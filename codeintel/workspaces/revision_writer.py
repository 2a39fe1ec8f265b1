"""From a wish to a revision: contents first, then the one transaction that refers to them."""

from __future__ import annotations

import msgspec
from sqlalchemy import Engine

from codeintel.base.errors import ErrorCode, ServiceError
from codeintel.base.tiers import Tier
from codeintel.platform.config import Settings
from codeintel.platform.db.writer import Writer
from codeintel.runs import idempotency
from codeintel.runs.idempotency import RequestKey
from codeintel.workspaces.commands import Wish
from codeintel.workspaces.conflicts import no_session
from codeintel.workspaces.plans import plan
from codeintel.workspaces.records import Stored
from codeintel.workspaces.revisions import count_new, find_revision, find_session
from codeintel.workspaces.storage.contents import Contents
from codeintel.workspaces.writing import Lacking, OnRevision, Repeated, write

TRIES = 3


class Storing:
    """Fulfils wishes.

    :param on_revision: told of each new revision.
    """

    def __init__(
        self,
        engine: Engine,
        writer: Writer,
        settings: Settings,
        contents: Contents,
        on_revision: OnRevision,
    ) -> None:
        self._engine = engine
        self._writer = writer
        self._settings = settings
        self._contents = contents
        self._on_revision = on_revision

    def store(self, account_id: str, tier: Tier, wish: Wish, key: RequestKey | None) -> Stored:
        """Fulfil a wish, or raise why not. Contents go ahead, a piece at a time: the transaction
        that everybody waits for has only rows to write."""
        limit = self._settings.workspace_bytes(tier)
        for _ in range(TRIES):
            if key is not None and (made := idempotency.find_made(self._engine, key)):
                return self._made_before(account_id, made, wish)
            with self._engine.connect() as connection:
                found = plan(connection, account_id, wish, limit)
            if isinstance(found, ServiceError):
                raise found
            needed = {blob.sha256 for blob in found.new.values()}
            texts = {digest: text for digest, text in wish.texts.items() if digest in needed}
            self._contents.store(account_id, texts)
            done = self._writer.run(
                lambda connection: write(
                    connection, account_id, wish, limit, key, self._on_revision
                ),
                order=account_id,
            )
            if isinstance(done, ServiceError):
                self._contents.discard(account_id, texts)
                raise done
            if not isinstance(done, Repeated | Lacking):
                return done
        raise ServiceError(
            ErrorCode.OVERLOADED, "The workspace changes all the time: wait.", retry_after=5
        )

    def _made_before(self, account_id: str, made: str, wish: Wish) -> Stored:
        """The answer to a request that came before."""
        session_id, number, is_new = made.rsplit(":", 2)
        with self._engine.connect() as connection:
            session = find_session(connection, account_id, session_id=session_id)
            if session is None:
                raise no_session()
            revision = find_revision(connection, session.id, int(number))
            stored = 0
            if is_new == "1":
                stored = count_new(connection, session.id, revision.number)
        return Stored(
            session=session,
            revision=msgspec.structs.replace(revision, skipped=wish.left_out),
            is_new=is_new == "1",
            stored=stored,
            unchanged=revision.files - stored,
        )
