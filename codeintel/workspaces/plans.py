"""What has to be written for a wish, as things stand."""

from __future__ import annotations

from collections.abc import Iterable

import msgspec
from sqlalchemy import Connection

from codeintel.base.errors import ErrorCode, ServiceError
from codeintel.contracts.workspaces.records import MAX_FILES, SkippedFile
from codeintel.workspaces.commands import Target, Wish
from codeintel.workspaces.conflicts import Files, no_session
from codeintel.workspaces.records import WorkspaceRecord
from codeintel.workspaces.revisions import (
    KEPT_SKIPPED,
    FileVersion,
    files_at,
    find_revisions,
    referred_bytes,
    referred_to,
    stored_bytes,
    stored_rows,
)
from codeintel.workspaces.storage.contents import present

ROW_BYTES = 512
"""For so many bytes that an account may store it may have one version of a file: about what its row
takes where paths are as long as they are in real life."""


class Plan(msgspec.Struct, frozen=True):
    """What has to be written. `new` are files that are new or changed, `ended` rows of files that
    the next revision has not, or not like this; `deleted` counts those that it has not."""

    session: WorkspaceRecord | None
    target: Target
    new: Files
    ended: list[int]
    deleted: int
    has_new_secrets: bool = False
    """Whether files with secrets, which are not stored, say something else than before."""

    @property
    def is_identical(self) -> bool:
        """Whether the newest revision is what is wanted."""
        is_new = self.session is None or self.has_new_secrets
        return not is_new and not self.new and not self.ended


def plan(
    connection: Connection, account_id: str, wish: Wish, limit: int, *, is_stored: bool = False
) -> Plan | ServiceError:
    """What a wish needs to be written, as things stand now; or why it is refused.

    :param limit: bytes that the account may store.
    :param is_stored: whether the wish's contents have been stored already.
    """
    session = wish.find(connection)
    if session is None and wish.labels is None:
        return no_session()
    newest: dict[str, FileVersion] = {}
    if session is not None:
        newest = files_at(connection, session.id, session.revision)
    before = {path: version.blob for path, version in newest.items()}
    target = wish.target(connection, session, before)
    if isinstance(target, ServiceError):
        return target
    new = {path: blob for path, blob in target.files.items() if before.get(path) != blob}
    ended = [
        version.id for path, version in newest.items() if path in new or path not in target.files
    ]
    deleted = sum(path not in target.files for path in before)
    has_new_secrets = False
    if session is not None:
        [revision] = find_revisions(connection, session.id, session.revision)
        has_new_secrets = _digests(revision.skipped) != _digests(target.skipped[:KEPT_SKIPPED])
    found = Plan(session, target, new, ended, deleted, has_new_secrets)
    refused = None
    if not found.is_identical:
        refused = _too_many(connection, account_id, found, max(limit // ROW_BYTES, MAX_FILES))
    return refused or _too_large(connection, account_id, new, limit, is_stored=is_stored) or found


def _digests(skipped: Iterable[SkippedFile]) -> set[tuple[str, str]]:
    return {(each.path, each.digest) for each in skipped if each.digest}


def _too_many(
    connection: Connection, account_id: str, found: Plan, limit: int
) -> ServiceError | None:
    """A refusal if the account would have more rows than its bytes allow for: files may be empty,
    their paths are not."""
    needed = len(found.new) + min(len(found.target.skipped), KEPT_SKIPPED)
    stored = stored_rows(connection, account_id) if needed else 0
    if stored + needed <= limit:
        return None
    return ServiceError(
        ErrorCode.STORAGE_LIMIT_EXCEEDED,
        f"Workspaces of this account may have {limit:,} versions of files, those "
        f"that were left out too: there are {stored:,}, and this needs {needed:,} more. Delete a "
        "workspace. Nothing is stored.",
        details={"limit": limit, "stored": stored, "needed": needed, "unit": "versions"},
    )


def _too_large(
    connection: Connection, account_id: str, new: Files, limit: int, *, is_stored: bool
) -> ServiceError | None:
    """A refusal if the account would store more bytes than it may. What refers only to contents
    that other files have adds nothing and is always allowed.

    Before contents are stored, all that the account stores counts, whether anything refers to it
    or not. Afterwards, contents of pushes that go on at the same time are among that: then what
    files refer to counts, and of several pushes those fit that come first.
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
        f"Workspaces of this account may store {limit:,} bytes with all revisions: {stored:,} are "
        f"stored, and this needs {needed:,} more. Delete a workspace. Nothing of this is kept.",
        details={"limit": limit, "stored": stored, "needed": needed},
    )
