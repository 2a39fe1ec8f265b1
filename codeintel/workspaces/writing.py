"""How a revision comes about: written whole in one transaction, or not at all."""

from __future__ import annotations

from collections.abc import Callable

import msgspec
from sqlalchemy import Connection, insert, update

from codeintel.base.errors import ServiceError
from codeintel.base.timestamps import moment
from codeintel.identity import ledger
from codeintel.identity.accounts import account_deleted, is_open
from codeintel.platform.db.models import new_id, now_ms
from codeintel.runs import idempotency
from codeintel.runs.idempotency import RequestKey
from codeintel.workspaces.commands import Wish
from codeintel.workspaces.labels import Labels
from codeintel.workspaces.plans import Plan, plan
from codeintel.workspaces.records import RevisionRecord, Stored, WorkspaceRecord
from codeintel.workspaces.revisions import change_files, find_revisions, insert_revision
from codeintel.workspaces.storage.contents import present
from codeintel.workspaces.storage.tables import SessionRow

OnRevision = Callable[[Connection, WorkspaceRecord], None]
"""Told of each new revision in its transaction."""


class Repeated(msgspec.Struct, frozen=True):
    """The request came before: something was made under its key."""


class Lacking(msgspec.Struct, frozen=True):
    """Contents are not there that were to be: somebody deleted them meanwhile."""


def write(
    connection: Connection,
    account_id: str,
    wish: Wish,
    limit: int,
    key: RequestKey | None,
    on_revision: OnRevision,
) -> Stored | Repeated | Lacking | ServiceError:
    """Make the revision that is wanted, if nothing speaks against it any more. Anything else than
    :class:`Stored` has changed nothing."""
    # All that is written for an account comes one after the other, and before any key is taken:
    # two processes would otherwise wait for each other in a circle.
    ledger.lock(connection, account_id)
    if not is_open(connection, account_id):
        return account_deleted()
    found = plan(connection, account_id, wish, limit, is_stored=True)
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
    session = _written_session(connection, account_id, session_id, number, wish, old)
    if found.is_identical:
        [revision] = find_revisions(connection, session.id, number)
    else:
        revision = _written_revision(connection, session, found, wish)
        on_revision(connection, session)
    return Stored(
        session=session,
        revision=msgspec.structs.replace(revision, skipped=wish.left_out),
        is_new=not found.is_identical,
        stored=len(found.new),
        unchanged=len(found.target.files) - len(found.new),
    )


def _written_session(
    connection: Connection,
    account_id: str,
    session_id: str,
    number: int,
    wish: Wish,
    old: WorkspaceRecord | None,
) -> WorkspaceRecord:
    now = now_ms()
    if old is None:
        assert wish.labels is not None  # noqa: S101 - else the plan was refused
        return _made_session(connection, account_id, session_id, number, wish, wish.labels)
    session = msgspec.structs.replace(
        old,
        revision=number,
        synced_at=moment(now),
        source=wish.labels.source if wish.labels is not None else old.source,
        trust_dependencies=(
            old.trust_dependencies if wish.trust_dependencies is None else wish.trust_dependencies
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
    wish: Wish,
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
        trust_dependencies=bool(wish.trust_dependencies),
        created_at=moment(now),
        synced_at=moment(now),
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
    connection: Connection, session: WorkspaceRecord, found: Plan, wish: Wish
) -> RevisionRecord:
    files = found.target.files
    revision = RevisionRecord(
        number=session.revision,
        origin=wish.origin,
        source=wish.source,
        restored_from=wish.restored_from,
        files=len(files),
        bytes=sum(blob.size for blob in files.values()),
        changed=len(found.new) + found.deleted,
        skipped=found.target.skipped,
        created_at=session.synced_at,
    )
    insert_revision(connection, session.id, revision)
    change_files(connection, session, revision.number, found.ended, found.new)
    return revision
