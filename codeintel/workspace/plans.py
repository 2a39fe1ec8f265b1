"""What has to be written for a wish, as things stand."""

from __future__ import annotations

import msgspec
from sqlalchemy import Connection

from codeintel.errors import ErrorCode, ServiceError
from codeintel.workspace.conflicts import Files, no_session
from codeintel.workspace.records import MAX_FILES, WorkspaceRecord
from codeintel.workspace.revisions import (
    KEPT_SKIPPED,
    FileVersion,
    files_at,
    referred_to,
    stored_bytes,
    stored_rows,
)
from codeintel.workspace.wishes import Target, Wish

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

    @property
    def is_identical(self) -> bool:
        """Whether the newest revision is what is wanted."""
        return self.session is not None and not self.new and not self.ended


def plan(connection: Connection, account_id: str, wish: Wish, limit: int) -> Plan | ServiceError:
    """What a wish needs to be written, as things stand now; or why it is refused.

    :param limit: bytes that the account may store.
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
    found = Plan(session, target, new, ended, deleted)
    refused = None
    if not found.is_identical:
        refused = _too_many(connection, account_id, found, max(limit // ROW_BYTES, MAX_FILES))
    return refused or _too_large(connection, account_id, new, limit) or found


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
    connection: Connection, account_id: str, new: Files, limit: int
) -> ServiceError | None:
    """A refusal if the account would store more bytes than it may. What adds none always may."""
    sizes = {blob.sha256: blob.size for blob in new.values()}
    there = referred_to(connection, account_id, sizes)
    needed = sum(size for digest, size in sizes.items() if digest not in there)
    if not needed:
        return None
    stored = stored_bytes(connection, account_id)
    if stored + needed <= limit:
        return None
    return ServiceError(
        ErrorCode.STORAGE_LIMIT_EXCEEDED,
        f"Workspaces of this account may have {limit:,} bytes with all revisions: there are "
        f"{stored:,}, and this needs {needed:,} more. Delete a workspace. Nothing is stored.",
        details={"limit": limit, "stored": stored, "needed": needed},
    )
