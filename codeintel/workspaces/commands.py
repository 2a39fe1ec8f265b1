"""Requested changes of a workspace: the files of its next revision, or the reason for rejecting
them.

Each request is checked twice: before contents are stored, and again in the transaction that creates
the revision. It returns its error instead of raising, because other requests may share the
transaction.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Protocol

import msgspec
from sqlalchemy import Connection

from codeintel.base.errors import ErrorCode, ServiceError
from codeintel.contracts.workspaces.paths import collisions
from codeintel.contracts.workspaces.records import SkippedFile
from codeintel.workspaces.checks import SHOWN, Blob, Incoming, check_total, refusal
from codeintel.workspaces.records import Origin, WorkspaceRecord
from codeintel.workspaces.requests import Labels
from codeintel.workspaces.revisions import (
    blobs_at,
    differing,
    find_revisions,
    find_session,
    no_revision,
)

Files = Mapping[str, Blob]


def stale(
    connection: Connection, session: WorkspaceRecord | None, base: int | None, newest: Files
) -> ServiceError | None:
    """Return a conflict if the client's revision is not the newest, or None."""
    if base is None or (session is not None and base == session.revision):
        return None
    before = state_at(connection, session, base) if session is not None else None
    return conflict(session, differing(before, newest) if before is not None else ())


def conflict(session: WorkspaceRecord | None, paths: Iterable[str]) -> ServiceError:
    """Return the error for a changed workspace. `details.paths` are the first differing paths."""
    all_paths = list(paths)
    details: dict[str, Any] = {
        "revision": session.revision if session is not None else 0,
        "paths": all_paths[:SHOWN],
        "total": len(all_paths),
    }
    if session is None:
        told = "This workspace does not exist yet. Push it without `baseRevision`."
    else:
        told = (
            f"The newest revision is {session.revision}, but this request is based on another one. "
            "Fetch the changes, and send the request again with the newest revision as its base."
        )
    return ServiceError(ErrorCode.REVISION_CONFLICT, told, details=details)


def no_session() -> ServiceError:
    """Return the error for an unknown workspace, which is the same for another account's."""
    return ServiceError(ErrorCode.NOT_FOUND, "This workspace does not exist.")


def state_at(connection: Connection, session: WorkspaceRecord, number: int) -> Files | None:
    """Return the files of an older revision, or None if it does not exist."""
    return blobs_at(connection, session.id, number) if number < session.revision else None


class Target(msgspec.Struct, frozen=True):
    """The files of the next revision, and the excluded files."""

    files: Files
    skipped: tuple[SkippedFile, ...]


class RevisionRequest(Protocol):
    """A requested change."""

    @property
    def origin(self) -> Origin:
        """The origin of the new revision."""

    @property
    def source(self) -> str:
        """The kind of client."""

    @property
    def restored_from(self) -> int | None:
        """The revision whose files are restored, or None."""

    @property
    def labels(self) -> Labels | None:
        """The labels of a new session. None rejects a request for an unknown session."""

    @property
    def trust_dependencies(self) -> bool | None:
        """The new value of the setting, or None to keep it."""

    @property
    def texts(self) -> Mapping[str, str]:
        """Texts by digest, which may be new to the account."""

    @property
    def left_out(self) -> tuple[SkippedFile, ...]:
        """Files of this request that are not stored."""

    def find(self, connection: Connection) -> WorkspaceRecord | None:
        """Return the session, or None."""

    def target(
        self, connection: Connection, session: WorkspaceRecord | None, newest: Files
    ) -> Target | ServiceError:
        """Return the files of the next revision, based on the newest."""


class Push(msgspec.Struct, frozen=True, kw_only=True):
    """A push of a whole workspace."""

    account_id: str
    labels: Labels
    incoming: Incoming
    base: int | None
    skipped: tuple[SkippedFile, ...]
    trust_dependencies: bool | None
    origin: Origin = Origin.PUSH
    restored_from: int | None = None

    @property
    def source(self) -> str:
        return self.labels.source

    @property
    def texts(self) -> Mapping[str, str]:
        return self.incoming.texts

    @property
    def left_out(self) -> tuple[SkippedFile, ...]:
        return self.skipped

    def find(self, connection: Connection) -> WorkspaceRecord | None:
        return find_session(connection, self.account_id, identity=self.labels.identity)

    def target(
        self, connection: Connection, session: WorkspaceRecord | None, newest: Files
    ) -> Target | ServiceError:
        files = self.incoming.files
        # A push that equals the newest revision loses nothing, regardless of its base revision.
        if files != newest and (refused := stale(connection, session, self.base, newest)):
            return refused
        return Target(files, self.skipped)


class Edit(msgspec.Struct, frozen=True, kw_only=True):
    """A change to some files. `deleted` ones are removed."""

    account_id: str
    session_id: str
    source: str
    incoming: Incoming
    deleted: frozenset[str]
    base: int
    origin: Origin = Origin.EDIT
    restored_from: int | None = None
    labels: None = None
    trust_dependencies: None = None

    @property
    def texts(self) -> Mapping[str, str]:
        return self.incoming.texts

    @property
    def left_out(self) -> tuple[SkippedFile, ...]:
        return self.incoming.secrets

    def find(self, connection: Connection) -> WorkspaceRecord | None:
        return find_session(connection, self.account_id, session_id=self.session_id)

    def target(
        self, connection: Connection, session: WorkspaceRecord | None, newest: Files
    ) -> Target | ServiceError:
        assert session is not None  # noqa: S101 - nothing is made here
        if self.base != session.revision:
            before = state_at(connection, session, self.base)
            if before is None:
                return conflict(session, ())
            wanted = {**dict.fromkeys(self.deleted), **self.incoming.files}
            changed = [path for path in differing(before, newest) if path in wanted]
            if lost := [path for path in changed if newest.get(path) != wanted[path]]:
                return conflict(session, lost)
        files = {path: blob for path, blob in newest.items() if path not in self.deleted}
        files.update(self.incoming.files)
        try:
            check_total(files)
        except ServiceError as error:
            return error
        if self.incoming.files.keys() - newest.keys() and (problems := collisions(files)):
            return refusal(problems)
        [revision] = find_revisions(connection, session.id, session.revision)
        named = {*files, *(each.path for each in self.incoming.secrets)}
        rest = tuple(each for each in revision.skipped if each.path not in named)
        return Target(files, (*self.incoming.secrets, *rest))


class Restore(msgspec.Struct, frozen=True, kw_only=True):
    """A restore of an old revision's files."""

    account_id: str
    session_id: str
    source: str
    number: int
    base: int | None
    origin: Origin = Origin.RESTORE
    labels: None = None
    trust_dependencies: None = None

    @property
    def restored_from(self) -> int | None:
        return self.number

    @property
    def texts(self) -> Mapping[str, str]:
        return {}

    @property
    def left_out(self) -> tuple[SkippedFile, ...]:
        return ()

    def find(self, connection: Connection) -> WorkspaceRecord | None:
        return find_session(connection, self.account_id, session_id=self.session_id)

    def target(
        self, connection: Connection, session: WorkspaceRecord | None, newest: Files
    ) -> Target | ServiceError:
        assert session is not None  # noqa: S101 - nothing is made here
        found = find_revisions(connection, session.id, self.number)
        if not found:
            return no_revision(self.number)
        files = blobs_at(connection, session.id, self.number)
        if files != newest and (refused := stale(connection, session, self.base, newest)):
            return refused
        return Target(files, found[0].skipped)
