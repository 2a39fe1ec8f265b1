"""The rows of sessions, revisions and files: read, and written within a transaction."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any, NamedTuple

import msgspec
from sqlalchemy import (
    BigInteger,
    ColumnElement,
    Connection,
    Row,
    String,
    func,
    insert,
    literal,
    or_,
    select,
    tuple_,
    update,
)

from codeintel.base.errors import ErrorCode, ServiceError
from codeintel.base.timestamps import from_milliseconds
from codeintel.contracts.workspaces.records import SkippedFile
from codeintel.workspaces.checks import Blob
from codeintel.workspaces.contents import in_parts
from codeintel.workspaces.records import Origin, RevisionRecord, WorkspaceRecord
from codeintel.workspaces.tables import ContentRow, FileRow, RevisionRow, SessionRow

KEPT_SKIPPED = 1_000
"""Maximum number of excluded files that are stored with a revision."""
ENDED = 0
"""Revision of a session that is being deleted, so that it is invisible."""
MOST_SESSIONS = 200
"""Sessions in one page of the list, unless the caller wants fewer."""
CURSOR = r"^([0-9]{1,18}\.wsp_[0-9a-z]{1,28})?$"
"""A cursor of the list of sessions, or nothing."""
_SKIPPED = msgspec.json.Decoder(tuple[SkippedFile, ...])


class FileVersion(NamedTuple):
    """A row of a file."""

    id: int
    blob: Blob


def find_session(
    connection: Connection, account_id: str, *, session_id: str = "", identity: str = ""
) -> WorkspaceRecord | None:
    """Return the account's session of this id or identity, or None."""
    which = SessionRow.id == session_id if session_id else SessionRow.identity == identity
    query = select(*SessionRow.__table__.columns).where(
        SessionRow.account_id == account_id, which, SessionRow.revision != ENDED
    )
    row = connection.execute(query).one_or_none()
    return session_record(row) if row is not None else None


class SessionsPage(NamedTuple):
    """Some sessions of an account. `older` is the cursor behind which the list continues, empty at
    its end."""

    sessions: list[WorkspaceRecord]
    older: str


def find_sessions(
    connection: Connection, account_id: str, limit: int, before: str = ""
) -> SessionsPage:
    """Return sessions of an account, the last synced one first.

    :param before: a cursor, `synced_ms.id`.
    """
    query = select(*SessionRow.__table__.columns).where(
        SessionRow.account_id == account_id, SessionRow.revision != ENDED
    )
    if before:
        synced, _, session_id = before.partition(".")
        # Compare rows as one value, so that the database uses an index.
        place = tuple_(literal(int(synced), BigInteger), literal(session_id, String))
        query = query.where(place > tuple_(SessionRow.synced_ms, SessionRow.id))
    newest = query.order_by(SessionRow.synced_ms.desc(), SessionRow.id.desc()).limit(limit + 1)
    rows = connection.execute(newest).all()
    last = rows[limit - 1] if len(rows) > limit else None
    return SessionsPage(
        [session_record(row) for row in rows[:limit]],
        f"{last.synced_ms}.{last.id}" if last is not None else "",
    )


def count_sessions(connection: Connection, account_id: str) -> int:
    """Return the number of sessions of an account."""
    query = select(func.count()).where(
        SessionRow.account_id == account_id, SessionRow.revision != ENDED
    )
    return connection.scalar(query) or 0


def session_record(row: Row[Any]) -> WorkspaceRecord:
    """Return a row of `workspace_sessions` as a record."""
    return WorkspaceRecord(
        id=row.id,
        account_id=row.account_id,
        name=row.name,
        source=row.source,
        local_root_name=row.local_root_name,
        branch_name=row.branch_name,
        remote_url=row.remote_url,
        revision=row.revision,
        trust_dependencies=row.trust_dependencies,
        created_at=from_milliseconds(row.created_ms),
        synced_at=from_milliseconds(row.synced_ms),
    )


def find_revisions(
    connection: Connection, session_id: str, number: int | None = None
) -> list[RevisionRecord]:
    """Return one revision, or all revisions, the newest first and without skipped files."""
    query = select(
        *(column for column in RevisionRow.__table__.columns if column.name != "skipped")
    )
    query = query.where(RevisionRow.session_id == session_id)
    if number is not None:
        query = query.add_columns(RevisionRow.skipped).where(RevisionRow.number == number)
    rows = connection.execute(query.order_by(RevisionRow.number.desc())).all()
    return [_revision_record(row._mapping) for row in rows]


def number_at(connection: Connection, session_id: str, moment_ms: int) -> int | None:
    """Return the number of the newest revision at a time, in milliseconds since 1970."""
    found: int | None = connection.scalar(
        select(RevisionRow.number)
        .where(RevisionRow.session_id == session_id, RevisionRow.created_ms <= moment_ms)
        .order_by(RevisionRow.number.desc())
        .limit(1)
    )
    return found


def find_revision(connection: Connection, session_id: str, number: int) -> RevisionRecord:
    """Return one revision.

    :raises ServiceError: `not_found`.
    """
    found = find_revisions(connection, session_id, number)
    if not found:
        raise no_revision(number)
    return found[0]


def no_revision(number: int) -> ServiceError:
    """Return the error for an unknown revision."""
    return ServiceError(ErrorCode.NOT_FOUND, f"The workspace has no revision {number}.")


def _revision_record(row: Mapping[Any, Any]) -> RevisionRecord:
    return RevisionRecord(
        number=row["number"],
        origin=Origin(row["origin"]),
        source=row["source"],
        restored_from=row["restored_from"],
        files=row["files"],
        bytes=row["bytes"],
        changed=row["changed"],
        skipped=_SKIPPED.decode(row["skipped"]) if "skipped" in row else (),
        created_at=from_milliseconds(row["created_ms"]),
    )


def stands_in(number: int) -> ColumnElement[bool]:
    """Return a condition on a file's row: whether a revision has it."""
    return (FileRow.since <= number) & or_(FileRow.until.is_(None), FileRow.until > number)


def files_at(connection: Connection, session_id: str, number: int) -> dict[str, FileVersion]:
    """Return the files of a revision, sorted by path."""
    query = select(FileRow.path, FileRow.id, FileRow.sha256, FileRow.size).where(
        FileRow.session_id == session_id, stands_in(number)
    )
    rows = sorted(connection.execute(query), key=lambda row: row.path)
    return {row.path: FileVersion(row.id, Blob(row.sha256, row.size)) for row in rows}


def blobs_at(connection: Connection, session_id: str, number: int) -> dict[str, Blob]:
    """Return the blobs of a revision's files, sorted by path."""
    found = files_at(connection, session_id, number)
    return {path: version.blob for path, version in found.items()}


def count_new(connection: Connection, session_id: str, number: int) -> int:
    """Return the number of files in a revision that are new or changed."""
    found = connection.scalar(
        select(func.count()).where(FileRow.session_id == session_id, FileRow.since == number)
    )
    return found or 0


def differing(one: Mapping[str, Blob], other: Mapping[str, Blob]) -> list[str]:
    """Return the paths at which two states of a workspace differ, sorted."""
    return sorted(path for path in {*one, *other} if one.get(path) != other.get(path))


def stored_bytes(connection: Connection, account_id: str) -> int:
    """Return the size of all contents stored for the account, including unreferenced ones.

    A quota that counted less could be evaded by deleting.
    """
    query = select(func.coalesce(func.sum(ContentRow.size), 0))
    return int(connection.scalar(query.where(ContentRow.account_id == account_id)) or 0)


def referred_bytes(connection: Connection, account_id: str) -> int:
    """Return the size of all files in the account's revisions, with equal contents counted once."""
    contents = (
        select(FileRow.sha256, FileRow.size).where(FileRow.account_id == account_id).distinct()
    ).subquery()
    return int(connection.scalar(select(func.coalesce(func.sum(contents.c.size), 0))) or 0)


def stored_rows(connection: Connection, account_id: str) -> int:
    """Return the number of file versions of the account, plus the files that its revisions
    have excluded.
    """
    versions = select(func.count()).where(FileRow.account_id == account_id)
    left_out = (
        select(func.coalesce(func.sum(RevisionRow.left_out), 0))
        .join(SessionRow, SessionRow.id == RevisionRow.session_id)
        .where(SessionRow.account_id == account_id)
    )
    return sum(int(connection.scalar(query) or 0) for query in (versions, left_out))


def referred_to(connection: Connection, account_id: str, digests: Collection[str]) -> set[str]:
    """Return the digests that files of the account reference."""
    found: set[str] = set()
    for some in in_parts(digests):
        query = select(FileRow.sha256).where(
            FileRow.account_id == account_id, FileRow.sha256.in_(some)
        )
        found.update(connection.scalars(query))
    return found


def insert_revision(connection: Connection, session_id: str, revision: RevisionRecord) -> None:
    """Insert the row of a revision."""
    kept = revision.skipped[:KEPT_SKIPPED]
    connection.execute(
        insert(RevisionRow).values(
            session_id=session_id,
            number=revision.number,
            origin=revision.origin,
            source=revision.source,
            restored_from=revision.restored_from,
            files=revision.files,
            bytes=revision.bytes,
            changed=revision.changed,
            left_out=len(kept),
            skipped=msgspec.json.encode(kept).decode(),
            created_ms=round(revision.created_at.timestamp() * 1000),
        )
    )


def change_files(
    connection: Connection,
    session: WorkspaceRecord,
    number: int,
    ended: Collection[int],
    new: Mapping[str, Blob],
) -> None:
    """End some rows of files before a revision, and insert new ones that start with it."""
    for some in in_parts(ended):
        connection.execute(update(FileRow).where(FileRow.id.in_(some)).values(until=number))
    rows = [
        {
            "session_id": session.id,
            "account_id": session.account_id,
            "path": path,
            "since": number,
            "until": None,
            "sha256": blob.sha256,
            "size": blob.size,
        }
        for path, blob in new.items()
    ]
    if rows:
        connection.execute(insert(FileRow), rows)
