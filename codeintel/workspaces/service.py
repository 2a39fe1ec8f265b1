"""Workspaces of accounts: pushed, edited, read, deleted."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from functools import partial

from sqlalchemy import Engine, select, update

from codeintel.base.entitlements import Tier
from codeintel.base.errors import ErrorCode, ServiceError
from codeintel.base.greenlets import letting_others_run
from codeintel.contracts.workspaces.paths import without_local_path
from codeintel.contracts.workspaces.records import FileEntry, SkippedFile
from codeintel.contracts.workspaces.selection import RULES, most_telling_first
from codeintel.platform.config import Settings
from codeintel.platform.db.writer import Writer
from codeintel.platform.workers.text_pool import TextPool
from codeintel.runs import idempotency
from codeintel.runs.idempotency import RequestKey
from codeintel.workspaces import revisions
from codeintel.workspaces.checks import Blob, Incoming, blob_of, check, scan, take
from codeintel.workspaces.commands import Edit, Push, Restore, no_session, stale
from codeintel.workspaces.contents import Contents
from codeintel.workspaces.garbage_collector import Collector
from codeintel.workspaces.records import (
    DEMO_SOURCE,
    Changes,
    RevisionRecord,
    Stored,
    WorkspaceRecord,
)
from codeintel.workspaces.requests import Labels, SyncBody, read_labels, read_source
from codeintel.workspaces.tables import FileRow, SessionRow
from codeintel.workspaces.writing import OnRevision, Storing

OnSecrets = Callable[[str, Mapping[str, str], Sequence[SkippedFile]], tuple[SkippedFile, ...]]
"""Analyzes an account's files with secrets, given texts by path and those files."""


class Workspaces:
    """The sessions of all accounts.

    :param on_revision: called for each new revision.
    :param texts: reads the texts of pushes.
    """

    def __init__(
        self,
        engine: Engine,
        writer: Writer,
        settings: Settings,
        on_revision: OnRevision,
        texts: TextPool,
    ) -> None:
        self._engine = engine
        self._writer = writer
        self._texts = texts
        self._contents = Contents(engine, writer)
        self._storing = Storing(engine, writer, settings, self._contents, on_revision)
        self._collector = Collector(engine, writer)
        self.on_secrets: OnSecrets | None = None
        """Analyzes the files with secrets of a push, because they are not stored."""

    def sync(
        self, account_id: str, tier: Tier, body: SyncBody, key: RequestKey | None = None
    ) -> Stored:
        """Store a push completely, or not at all.

        It creates a session or a revision, or nothing if it is identical. A repeated request with
        the same key gets the first answer again.

        :raises ServiceError: `invalid_request` with `details.files`, each with path and reason;
            `payload_too_large`, `storage_limit_exceeded`, `revision_conflict` with
            `details.revision` and `details.paths`; `idempotency_conflict`.
        """
        if not body.files:
            raise ServiceError(
                ErrorCode.INVALID_REQUEST,
                "`files` must not be empty: a workspace has at least one file.",
                details={"path": "files"},
            )
        check(body.files)
        labels = read_labels(body)
        self._refuse_stale(account_id, labels, body, key)
        scanned = partial(scan, self._texts, account_id)
        incoming = take(body.files, self._newest(account_id, labels), scanned)
        incoming = self._looked_at(account_id, incoming, body.files)
        request = Push(
            account_id=account_id,
            labels=labels,
            incoming=incoming,
            base=body.base_revision,
            skipped=(*incoming.secrets, *self._left_out(account_id, body)),
            trust_dependencies=body.trust_dependencies,
        )
        return self._storing.store(account_id, tier, request, key)

    def edit(
        self,
        account_id: str,
        tier: Tier,
        session_id: str,
        base_revision: int,
        changes: Mapping[str, str | None],
        source: str,
        key: RequestKey | None = None,
    ) -> Stored:
        """Change some files.

        Other changes since the base revision stay. Changes to the same files are a conflict.
        Deleting a missing file has no effect.

        :raises ServiceError: as :meth:`sync`, and `not_found`.
        """
        self.find(account_id, session_id)
        texts = {path: text for path, text in changes.items() if text is not None}
        check(texts)
        incoming = take(texts, {}, partial(scan, self._texts, account_id))
        incoming = self._looked_at(account_id, incoming, texts)
        deleted = frozenset(changes) - texts.keys()
        request = Edit(
            account_id=account_id,
            session_id=session_id,
            source=read_source(source),
            incoming=incoming,
            deleted=deleted,
            base=base_revision,
        )
        return self._storing.store(account_id, tier, request, key)

    def restore(
        self,
        account_id: str,
        tier: Tier,
        session_id: str,
        number: int,
        base_revision: int | None,
        source: str,
    ) -> Stored:
        """Create a new revision with the files of an old one.

        :raises ServiceError: as :meth:`edit`.
        """
        request = Restore(
            account_id=account_id,
            session_id=session_id,
            source=read_source(source),
            number=number,
            base=base_revision,
        )
        return self._storing.store(account_id, tier, request, None)

    def sessions(
        self, account_id: str, limit: int = revisions.MOST_SESSIONS, before: str = ""
    ) -> revisions.SessionsPage:
        """Return sessions of an account, the last synced one first.

        :param before: the cursor of an earlier page.
        """
        with self._engine.connect() as connection:
            return revisions.find_sessions(connection, account_id, limit, before)

    def session_count(self, account_id: str) -> int:
        """Return the number of sessions of an account."""
        with self._engine.connect() as connection:
            return revisions.count_sessions(connection, account_id)

    def demo(self, account_id: str) -> WorkspaceRecord | None:
        """Return the demo's session of an account, or None."""
        query = select(*SessionRow.__table__.columns).where(
            SessionRow.account_id == account_id,
            SessionRow.source == DEMO_SOURCE,
            SessionRow.revision != revisions.ENDED,
        )
        with self._engine.connect() as connection:
            row = connection.execute(query.limit(1)).one_or_none()
        return revisions.session_record(row) if row is not None else None

    def find(self, account_id: str, session_id: str) -> WorkspaceRecord:
        """Return a session of the account.

        :raises ServiceError: `not_found`, also for another account's session.
        """
        if not session_id or not _is_text(session_id):
            raise no_session()
        with self._engine.connect() as connection:
            found = revisions.find_session(connection, account_id, session_id=session_id)
        if found is None:
            raise no_session()
        return found

    def revisions(self, session: WorkspaceRecord) -> list[RevisionRecord]:
        """Return all revisions, the newest first, without skipped files. :meth:`revision`
        includes them.
        """
        with self._engine.connect() as connection:
            return revisions.find_revisions(connection, session.id)

    def revision(self, session: WorkspaceRecord, number: int | None = None) -> RevisionRecord:
        """Return one revision, or the newest for None.

        :raises ServiceError: `not_found`.
        """
        with self._engine.connect() as connection:
            return revisions.find_revision(connection, session.id, number or session.revision)

    def revision_at(self, session: WorkspaceRecord, moment_ms: int) -> int | None:
        """Return the number of the newest revision at a time, in milliseconds since 1970."""
        with self._engine.connect() as connection:
            return revisions.number_at(connection, session.id, moment_ms)

    def files(self, session: WorkspaceRecord, number: int) -> list[FileEntry]:
        """Return the files of a revision by path, without the bridge file."""
        with self._engine.connect() as connection:
            found = revisions.blobs_at(connection, session.id, number)
        return [FileEntry(path, blob.sha256, blob.size) for path, blob in found.items()]

    def entry(self, session: WorkspaceRecord, number: int, path: str) -> FileEntry:
        """Return one file of a revision, except the bridge file.

        :raises ServiceError: `not_found`.
        """
        query = select(FileRow.path, FileRow.sha256, FileRow.size).where(
            FileRow.session_id == session.id, FileRow.path == path, revisions.stands_in(number)
        )
        row = None
        if _is_text(path):
            with self._engine.connect() as connection:
                row = connection.execute(query).one_or_none()
        if row is None:
            raise ServiceError(ErrorCode.NOT_FOUND, f"Revision {number} has no such file.")
        return FileEntry(*row)

    def read(self, session: WorkspaceRecord, number: int, path: str) -> bytes:
        """Return the content of a file of a revision, except the bridge file.

        :raises ServiceError: `not_found`.
        """
        digest = self.entry(session, number, path).sha256
        found = self.contents(session.account_id, [digest])
        if digest not in found:  # the session has just been deleted
            raise ServiceError(ErrorCode.NOT_FOUND, f"Revision {number} has no such file.")
        return found[digest]

    def contents(self, account_id: str, digests: Collection[str]) -> dict[str, bytes]:
        """Return contents of the account by SHA-256. Request a few megabytes at a time."""
        return self._contents.read(account_id, digests)

    def changes(self, session: WorkspaceRecord, since: int, revision: int) -> Changes:
        """Return the changes between two revisions, in either direction.

        :raises ServiceError: `not_found` for an unknown revision.
        """
        with self._engine.connect() as connection:
            for number in (since, revision):
                revisions.find_revision(connection, session.id, number)
            before = revisions.blobs_at(connection, session.id, since)
            after = revisions.blobs_at(connection, session.id, revision)
        paths = revisions.differing(before, after)
        return Changes(
            since=since,
            revision=revision,
            changed=tuple(FileEntry(path, *after[path]) for path in paths if path in after),
            deleted=tuple(path for path in paths if path not in after),
        )

    def allow_trust(self, session: WorkspaceRecord, allowed: bool) -> None:
        """Set whether names of its dependencies may be looked up."""
        statement = (
            update(SessionRow)
            .where(SessionRow.id == session.id, SessionRow.account_id == session.account_id)
            .values(trust_dependencies=allowed)
        )
        self._writer.run(lambda connection: connection.execute(statement), order=session.account_id)

    def stored_bytes(self, account_id: str) -> int:
        """Return the number of bytes that count against the account's storage."""
        with self._engine.connect() as connection:
            return revisions.stored_bytes(connection, account_id)

    def delete(self, session: WorkspaceRecord) -> None:
        """Delete a session with all revisions and reports, and contents that no other session
        has, permanently.
        """
        self._collector.delete(session.account_id, session.id)

    def collect(self) -> int:
        """Delete unreferenced contents that were last sent an hour ago, in one round.

        Return their number.
        """
        return self._collector.collect()

    def _looked_at(self, account_id: str, incoming: Incoming, texts: Mapping[str, str]) -> Incoming:
        """Return the files with details about those that contain secrets."""
        if self.on_secrets is None or not incoming.secrets:
            return incoming
        return incoming._replace(secrets=self.on_secrets(account_id, texts, incoming.secrets))

    def _left_out(self, account_id: str, body: SyncBody) -> tuple[SkippedFile, ...]:
        """Return the files that the client has excluded.

        For a file with a secret, the client may have sent the text without the secret, which is
        analyzed.
        """
        texts: dict[str, str] = {}
        secrets: list[SkippedFile] = []
        others: list[SkippedFile] = []
        for each in letting_others_run(body.skipped):
            told = without_local_path(each)
            is_sent = told.path in body.files or told.path in texts
            if each.text and told.reason in RULES and not is_sent:
                texts[told.path] = each.text
                secrets.append(told)
            else:
                others.append(told)
        if self.on_secrets is not None and secrets:
            secrets = list(self.on_secrets(account_id, texts, secrets))
        return (*secrets, *most_telling_first(letting_others_run(others)))

    def _refuse_stale(
        self, account_id: str, labels: Labels, body: SyncBody, key: RequestKey | None
    ) -> None:
        """Reject a push with an old base revision before its files are scanned for secrets.

        This applies if it lacks or changes a file of the newest revision, because excluding secrets
        cannot fix that.

        :raises ServiceError: `revision_conflict`; `idempotency_conflict`.
        """
        base = body.base_revision
        if base is None or (key is not None and idempotency.find_made(self._engine, key)):
            return
        with self._engine.connect() as connection:
            session = revisions.find_session(connection, account_id, identity=labels.identity)
            if session is None or session.revision == base:
                return
            newest = revisions.blobs_at(connection, session.id, session.revision)
            texts = body.files
            if all(path in texts and blob_of(texts[path]) == blob for path, blob in newest.items()):
                return
            if refused := stale(connection, session, base, newest):
                raise refused

    def _newest(self, account_id: str, labels: Labels) -> dict[str, Blob]:
        """Return the current files of a session, or none if the session does not exist."""
        with self._engine.connect() as connection:
            session = revisions.find_session(connection, account_id, identity=labels.identity)
            if session is None:
                return {}
            return revisions.blobs_at(connection, session.id, session.revision)


def _is_text(path: str) -> bool:
    """Return whether a database accepts the text. PostgreSQL rejects U+0000."""
    try:
        path.encode()
    except UnicodeEncodeError:
        return False
    return "\0" not in path
