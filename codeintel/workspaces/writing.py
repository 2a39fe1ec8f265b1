"""Turn a requested change into a revision: plan it, store its contents, write it in one
transaction.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

import msgspec
from sqlalchemy import Connection, Engine, insert, update

from codeintel.base.entitlements import Tier
from codeintel.base.errors import ErrorCode, ServiceError
from codeintel.base.timestamps import from_milliseconds
from codeintel.contracts.workspaces.records import MAX_FILES, SkippedFile
from codeintel.contracts.workspaces.selection import is_telling
from codeintel.identity import ledger
from codeintel.identity.accounts import account_deleted, is_open
from codeintel.platform.config import Settings
from codeintel.platform.db.models import new_id, now_ms
from codeintel.platform.db.writer import Writer
from codeintel.runs import idempotency
from codeintel.runs.idempotency import RequestKey
from codeintel.workspaces.commands import Files, RevisionRequest, Target, no_session
from codeintel.workspaces.contents import Contents, present
from codeintel.workspaces.records import RevisionRecord, Stored, WorkspaceRecord
from codeintel.workspaces.requests import Labels
from codeintel.workspaces.revisions import (
    KEPT_SKIPPED,
    FileVersion,
    change_files,
    count_new,
    files_at,
    find_revision,
    find_revisions,
    find_session,
    insert_revision,
    referred_bytes,
    referred_to,
    stored_bytes,
    stored_rows,
)
from codeintel.workspaces.tables import SessionRow

ROW_BYTES = 512
"""Stored bytes of an account's limit per file version, which is about the size of a row with
realistic paths.
"""
OnRevision = Callable[[Connection, WorkspaceRecord], None]
"""Called for each new revision in its transaction."""
TRIES = 3


class Plan(msgspec.Struct, frozen=True):
    """The required changes.

    `new` are files that are new or changed. `ended` are rows of files that the next revision lacks
    or changes. `deleted` is the number of files that it lacks.
    """

    session: WorkspaceRecord | None
    target: Target
    new: Files
    ended: list[int]
    deleted: int
    has_new_omissions: bool = False
    """Whether files that count for the verdict and are not stored came, went or changed."""

    @property
    def is_identical(self) -> bool:
        """Whether the newest revision already equals the target."""
        is_new = self.session is None or self.has_new_omissions
        return not is_new and not self.new and not self.ended


def plan(
    connection: Connection,
    account_id: str,
    request: RevisionRequest,
    limit: int,
    *,
    is_stored: bool = False,
) -> Plan | ServiceError:
    """Return what a change needs to write, in the current state, or the reason for rejecting it.

    :param limit: bytes that the account may store.
    :param is_stored: whether the change's contents have been stored already.
    """
    session = request.find(connection)
    if session is None and request.labels is None:
        return no_session()
    newest: dict[str, FileVersion] = {}
    if session is not None:
        newest = files_at(connection, session.id, session.revision)
    before = {path: version.blob for path, version in newest.items()}
    target = request.target(connection, session, before)
    if isinstance(target, ServiceError):
        return target
    new = {path: blob for path, blob in target.files.items() if before.get(path) != blob}
    ended = [
        version.id for path, version in newest.items() if path in new or path not in target.files
    ]
    deleted = sum(path not in target.files for path in before)
    has_new_omissions = False
    if session is not None:
        [revision] = find_revisions(connection, session.id, session.revision)
        kept = target.skipped[:KEPT_SKIPPED]
        has_new_omissions = _telling(revision.skipped) != _telling(kept)
    found = Plan(session, target, new, ended, deleted, has_new_omissions)
    refused = None
    if not found.is_identical:
        refused = _too_many(connection, account_id, found, max(limit // ROW_BYTES, MAX_FILES))
    return refused or _too_large(connection, account_id, new, limit, is_stored=is_stored) or found


def _telling(skipped: Iterable[SkippedFile]) -> set[tuple[str, str, str]]:
    return {(each.path, each.reason, each.digest) for each in skipped if is_telling(each)}


def _too_many(
    connection: Connection, account_id: str, found: Plan, limit: int
) -> ServiceError | None:
    """Return an error if the account would have more rows than its bytes allow.

    Rows are limited, because files may be empty but their paths are not.
    """
    needed = len(found.new) + min(len(found.target.skipped), KEPT_SKIPPED)
    stored = stored_rows(connection, account_id) if needed else 0
    if stored + needed <= limit:
        return None
    return ServiceError(
        ErrorCode.STORAGE_LIMIT_EXCEEDED,
        f"The account's workspaces may have {limit:,} versions of files, including skipped files. "
        f"They have {stored:,}, and this request needs {needed:,} more. Nothing was stored. Delete "
        "a workspace.",
        details={"limit": limit, "stored": stored, "needed": needed, "unit": "versions"},
    )


def _too_large(
    connection: Connection, account_id: str, new: Files, limit: int, *, is_stored: bool
) -> ServiceError | None:
    """Return an error if the account would store more bytes than allowed.

    A change with contents that other files already have adds nothing and is always allowed. Before
    contents are stored, all contents of the account count, referenced or not. Afterwards, those
    include contents of concurrent pushes. So then only referenced contents count, and the first
    pushes that fit succeed.
    """
    sizes = {blob.sha256: blob.size for blob in new.values()}
    unshared = sizes.keys() - referred_to(connection, account_id, sizes)
    if not is_stored:
        unshared -= present(connection, account_id, unshared)
    needed = sum(sizes[digest] for digest in unshared)
    if not needed:
        return None
    count = referred_bytes if is_stored else stored_bytes
    stored = count(connection, account_id)
    if stored + needed <= limit:
        return None
    return ServiceError(
        ErrorCode.STORAGE_LIMIT_EXCEEDED,
        f"The account's workspaces may have {limit:,} bytes in all revisions. They have "
        f"{stored:,}, and this request needs {needed:,} more. Nothing was stored. Delete a "
        "workspace.",
        details={"limit": limit, "stored": stored, "needed": needed},
    )


class Repeated(msgspec.Struct, frozen=True):
    """The request was sent before: something was created under its key."""


class Lacking(msgspec.Struct, frozen=True):
    """Stored contents are missing, because another process has deleted them."""


def write(
    connection: Connection,
    account_id: str,
    request: RevisionRequest,
    limit: int,
    key: RequestKey | None,
    on_revision: OnRevision,
) -> Stored | Repeated | Lacking | ServiceError:
    """Create the requested revision, if it is still allowed.

    Any result except :class:`Stored` has changed nothing.
    """
    # All writes for an account are serialized, before any key is taken. Otherwise two processes
    # could deadlock.
    ledger.lock(connection, account_id)
    if not is_open(connection, account_id):
        return account_deleted()
    found = plan(connection, account_id, request, limit, is_stored=True)
    if isinstance(found, ServiceError):
        return found
    needed = {blob.sha256 for blob in found.new.values()}
    if len(present(connection, account_id, needed)) < len(needed):
        return Lacking()
    old = found.session
    session_id = old.id if old is not None else new_id("wsp")
    number = (old.revision if old is not None else 0) + (0 if found.is_identical else 1)
    made = f"{session_id}:{number}:{0 if found.is_identical else 1}"
    if key is not None and not idempotency.claim(connection, key, made):
        return Repeated()
    session = _written_session(connection, account_id, session_id, number, request, old)
    if found.is_identical:
        [revision] = find_revisions(connection, session.id, number)
    else:
        revision = _written_revision(connection, session, found, request)
        on_revision(connection, session)
    return Stored(
        session=session,
        revision=msgspec.structs.replace(revision, skipped=request.left_out),
        is_new=not found.is_identical,
        stored=len(found.new),
        unchanged=len(found.target.files) - len(found.new),
    )


def _written_session(
    connection: Connection,
    account_id: str,
    session_id: str,
    number: int,
    request: RevisionRequest,
    old: WorkspaceRecord | None,
) -> WorkspaceRecord:
    now = now_ms()
    if old is None:
        assert request.labels is not None  # noqa: S101 - else the plan was refused
        return _made_session(connection, account_id, session_id, number, request, request.labels)
    session = msgspec.structs.replace(
        old,
        revision=number,
        synced_at=from_milliseconds(now),
        source=request.labels.source if request.labels is not None else old.source,
        trust_dependencies=(
            old.trust_dependencies
            if request.trust_dependencies is None
            else request.trust_dependencies
        ),
    )
    connection.execute(
        update(SessionRow)
        .where(SessionRow.id == old.id)
        .values(
            revision=number,
            synced_ms=now,
            source=session.source,
            trust_dependencies=session.trust_dependencies,
        )
    )
    return session


def _made_session(
    connection: Connection,
    account_id: str,
    session_id: str,
    number: int,
    request: RevisionRequest,
    labels: Labels,
) -> WorkspaceRecord:
    now = now_ms()
    session = WorkspaceRecord(
        id=session_id,
        account_id=account_id,
        name=labels.name,
        source=labels.source,
        local_root_name=labels.local_root_name,
        branch_name=labels.branch_name,
        remote_url=labels.remote_url,
        revision=number,
        trust_dependencies=bool(request.trust_dependencies),
        created_at=from_milliseconds(now),
        synced_at=from_milliseconds(now),
    )
    connection.execute(
        insert(SessionRow).values(
            id=session_id,
            account_id=account_id,
            identity=labels.identity,
            name=labels.name,
            source=labels.source,
            local_root_name=labels.local_root_name,
            branch_name=labels.branch_name,
            remote_url=labels.remote_url,
            revision=number,
            trust_dependencies=session.trust_dependencies,
            created_ms=now,
            synced_ms=now,
        )
    )
    return session


def _written_revision(
    connection: Connection, session: WorkspaceRecord, found: Plan, request: RevisionRequest
) -> RevisionRecord:
    files = found.target.files
    revision = RevisionRecord(
        number=session.revision,
        origin=request.origin,
        source=request.source,
        restored_from=request.restored_from,
        files=len(files),
        bytes=sum(blob.size for blob in files.values()),
        changed=len(found.new) + found.deleted,
        skipped=found.target.skipped,
        created_at=session.synced_at,
    )
    insert_revision(connection, session.id, revision)
    change_files(connection, session, revision.number, found.ended, found.new)
    return revision


class Storing:
    """Stores requested changes.

    :param on_revision: called for each new revision.
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

    def store(
        self, account_id: str, tier: Tier, request: RevisionRequest, key: RequestKey | None
    ) -> Stored:
        """Store a change, or raise the reason why not.

        Contents are stored first, in pieces, so that the transaction that others wait for only
        writes rows.
        """
        limit = self._settings.workspace_bytes(tier)
        for _ in range(TRIES):
            if key is not None and (made := idempotency.find_made(self._engine, key)):
                return self._made_before(account_id, made, request)
            with self._engine.connect() as connection:
                found = plan(connection, account_id, request, limit)
            if isinstance(found, ServiceError):
                raise found
            needed = {blob.sha256 for blob in found.new.values()}
            texts = {digest: text for digest, text in request.texts.items() if digest in needed}
            self._contents.store(account_id, texts)
            done = self._writer.run(
                lambda connection: write(
                    connection, account_id, request, limit, key, self._on_revision
                ),
                order=account_id,
            )
            if isinstance(done, ServiceError):
                self._contents.discard(account_id, texts)
                raise done
            if not isinstance(done, Repeated | Lacking):
                return done
        raise ServiceError(
            ErrorCode.OVERLOADED, "The workspace changes too often. Try again later.", retry_after=5
        )

    def _made_before(self, account_id: str, made: str, request: RevisionRequest) -> Stored:
        """Return the answer to a repeated request."""
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
            revision=msgspec.structs.replace(revision, skipped=request.left_out),
            is_new=is_new == "1",
            stored=stored,
            unchanged=revision.files - stored,
        )
