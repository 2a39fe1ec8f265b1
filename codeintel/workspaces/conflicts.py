"""Why a workspace is not changed or not found: refusals, returned or raised by others."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from sqlalchemy import Connection

from codeintel.base.errors import ErrorCode, ServiceError
from codeintel.workspaces.checks import SHOWN, Blob
from codeintel.workspaces.records import WorkspaceRecord
from codeintel.workspaces.revisions import blobs_at, differing

Files = Mapping[str, Blob]


def stale(
    connection: Connection, session: WorkspaceRecord | None, base: int | None, newest: Files
) -> ServiceError | None:
    """A conflict if the client has another revision than the newest."""
    if base is None or (session is not None and base == session.revision):
        return None
    before = state_at(connection, session, base) if session is not None else None
    return conflict(session, differing(before, newest) if before is not None else ())


def conflict(session: WorkspaceRecord | None, paths: Iterable[str]) -> ServiceError:
    """The workspace has gone on. `details.paths` are the first of those that differ."""
    all_paths = list(paths)
    details: dict[str, Any] = {
        "revision": session.revision if session is not None else 0,
        "paths": all_paths[:SHOWN],
        "total": len(all_paths),
    }
    if session is None:
        told = "There is no such workspace yet: push it without `baseRevision`."
    else:
        told = (
            f"The newest revision is {session.revision}, not the one that this began with: fetch "
            "what has changed, and send it again with that revision as the base."
        )
    return ServiceError(ErrorCode.REVISION_CONFLICT, told, details=details)


def no_session() -> ServiceError:
    """The same for what is another account's and for what never was."""
    return ServiceError(ErrorCode.NOT_FOUND, "There is no such workspace.")


def state_at(connection: Connection, session: WorkspaceRecord, number: int) -> Files | None:
    """The files of an older revision; None if there is none of this number."""
    return blobs_at(connection, session.id, number) if number < session.revision else None
