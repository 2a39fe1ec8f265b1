"""`/workspace/<id>/history` and `/diff`: revisions, their differences, and restoring one."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Annotated

import msgspec
from flask import Response, request
from msgspec import Meta
from werkzeug.wrappers import Response as BaseResponse

from codeintel.base.errors import ErrorCode, ServiceError
from codeintel.base.wording import size
from codeintel.contracts.workspaces.records import FileEntry
from codeintel.http.endpoint import services
from codeintel.http.requests.query import read_query
from codeintel.identity.auth.caller import Caller
from codeintel.platform.workers.text_functions import SMALL_CHARACTERS
from codeintel.web.blueprint import blueprint, page_answer, render_page
from codeintel.web.login.require_login import read_form, signed_in
from codeintel.web.workspaces.sessions import (
    SOURCE,
    RevisionNumber,
    address,
    chosen_revision,
    own_session,
)
from codeintel.web.workspaces.views import RevisionRow, origin_words, proof_view
from codeintel.workspaces.diff import (
    DIFF,
    FEW_STEPS,
    UNSHOWN,
    FileChange,
    Pair,
    compared,
    file_changes,
)
from codeintel.workspaces.records import Changes, Origin, RevisionRecord, WorkspaceRecord

SHOWN_PATHS = 200
PAGE_REVISIONS = 50
_CHOICES = 200
"""Revisions that the form offers."""


@dataclass(frozen=True)
class PathList:
    """Some paths under a title; `more` counts those that are left out."""

    title: str
    paths: tuple[str, ...]
    more: int

    @property
    def total(self) -> int:
        """Return the number of paths."""
        return len(self.paths) + self.more


@dataclass(frozen=True)
class RestoreView:
    """The revision, and the effect of restoring it on the files. `late` are the paths that a newer
    revision has changed since the page was shown; None without a newer one."""

    session: WorkspaceRecord
    revision: RevisionRecord
    lists: tuple[PathList, ...]
    late: PathList | None


def restore_view(
    session: WorkspaceRecord,
    revision: RevisionRecord,
    changes: Changes,
    now: Iterable[FileEntry],
    *,
    is_late: bool,
    paths: Iterable[str],
) -> RestoreView:
    """
    :param changes: from the newest revision to the one to restore.
    :param now: the files of the newest.
    :param is_late: whether the newest came since the page was shown; `paths` differ in it.
    """
    there = {entry.path for entry in now}
    changed = [entry.path for entry in changes.changed]
    lists = (
        path_list("Will be reverted", (path for path in changed if path in there)),
        path_list("Will be restored", (path for path in changed if path not in there)),
        path_list("Will be deleted", changes.deleted),
    )
    late = path_list("Changed in the meantime", paths) if is_late else None
    return RestoreView(session, revision, tuple(each for each in lists if each.paths), late)


def path_list(title: str, paths: Iterable[str]) -> PathList:
    """Return the first paths, sorted."""
    found = sorted(paths)
    return PathList(title, tuple(found[:SHOWN_PATHS]), max(0, len(found) - SHOWN_PATHS))


class HistoryQuery(msgspec.Struct, frozen=True):
    """A page of the list: the revisions before this one, 0 for the newest ones."""

    before: RevisionNumber = 0


class RestoreQuery(msgspec.Struct, frozen=True):
    """The revision to restore."""

    revision: Annotated[int, Meta(ge=1, le=2**31 - 1)]


class RestoreForm(msgspec.Struct, frozen=True, rename="camel"):
    """A revision to restore, and the newest one when the page was shown."""

    revision: Annotated[int, Meta(ge=1, le=2**31 - 1)]
    base_revision: Annotated[int, Meta(ge=1, le=2**31 - 1)]


@blueprint.get("/workspace/<workspace_id>/history")
@signed_in
def workspace_history(caller: Caller, workspace_id: str) -> Response:
    """List the revisions, newest first."""
    session = own_session(caller, workspace_id)
    before = read_query(request, HistoryQuery).before
    found = services().workspaces.revisions(session)
    behind = [each for each in found if not before or each.number < before]
    shown = behind[:PAGE_REVISIONS]
    proofs = services().proof.statuses(session)
    page = render_page(
        "workspace_history.html",
        session=session,
        rows=[
            RevisionRow(
                each,
                origin_words(each),
                proof_view(proofs[each.number]) if each.number in proofs else None,
                each.number == session.revision,
                has_older=each.number > found[-1].number,
            )
            for each in shown
        ],
        is_first=not before,
        older=shown[-1].number if len(behind) > len(shown) else 0,
        address=address,
        size_words=size,
    )
    return page_answer(page)


@blueprint.get("/workspace/<workspace_id>/restore")
@signed_in
def ask_to_restore(caller: Caller, workspace_id: str) -> Response:
    """Show the changes that restoring a revision would make."""
    session = own_session(caller, workspace_id)
    return page_answer(_restore_page(_restore_view(session, read_query(request, RestoreQuery))))


@blueprint.post("/workspace/<workspace_id>/restore")
@signed_in
def restore_workspace(caller: Caller, workspace_id: str) -> BaseResponse:
    """Make a new revision with the files of an old one. If another came meanwhile, say which of its
    files would be lost, and ask again."""
    session = own_session(caller, workspace_id)
    form = read_form(RestoreForm)
    try:
        services().workspaces.restore(
            caller.account_id,
            caller.tier,
            session.id,
            form.revision,
            form.base_revision,
            SOURCE,
        )
    except ServiceError as error:
        if error.code is not ErrorCode.REVISION_CONFLICT:
            raise
        now = own_session(caller, workspace_id)
        view = _restore_view(now, RestoreQuery(form.revision), error)
        return page_answer(_restore_page(view), error.code.status)
    location = address("workspace", session, notice="workspace-restored")
    return Response(status=303, headers={"Location": location})


def _restore_view(
    session: WorkspaceRecord, query: RestoreQuery, conflict: ServiceError | None = None
) -> RestoreView:
    revision = chosen_revision(session, query.revision)
    changes = services().workspaces.changes(session, session.revision, revision.number)
    now = services().workspaces.files(session, session.revision)
    paths = conflict.details.get("paths", ()) if conflict is not None else ()
    return restore_view(session, revision, changes, now, is_late=conflict is not None, paths=paths)


def _restore_page(view: RestoreView) -> str:
    return render_page("workspace_restore.html", view=view, address=address)


class DiffQuery(msgspec.Struct, frozen=True, rename={"since": "from"}):
    """Two revisions, and optionally one file. 0 stands for the newest revision, and for the last
    pushed one or the one before the newest."""

    since: RevisionNumber = 0
    to: RevisionNumber = 0
    path: Annotated[str, Meta(max_length=1_000)] = ""


@dataclass(frozen=True)
class DiffView:
    """Two revisions and their differences. `choices` are other revisions with their origins."""

    session: WorkspaceRecord
    old: RevisionRecord
    new: RevisionRecord
    path: str
    files: Sequence[FileChange]
    choices: Sequence[tuple[RevisionRecord, str]]
    is_since_push: bool


@blueprint.get("/workspace/<workspace_id>/diff")
@signed_in
def workspace_diff(caller: Caller, workspace_id: str) -> Response:
    """Show the files that differ, with their lines."""
    session = own_session(caller, workspace_id)
    query = read_query(request, DiffQuery)
    found = services().workspaces.revisions(session)
    new = chosen_revision(session, query.to)
    old = chosen_revision(session, query.since) if query.since else _usual_old(found, new)
    view = DiffView(
        session=session,
        old=old,
        new=new,
        path=query.path,
        files=_files(session, old.number, new.number, query.path),
        choices=_choices(found, old, new),
        is_since_push=not (query.since or query.to)
        and (old.origin is Origin.PUSH and new.origin is not Origin.PUSH),
    )
    return page_answer(
        render_page("workspace_diff.html", view=view, address=address, size_words=size)
    )


def _usual_old(revisions: Sequence[RevisionRecord], new: RevisionRecord) -> RevisionRecord:
    """Return the last pushed revision. If that is the new one, return the one before it, so that no
    revision is compared with itself unless it is the only one."""
    pushed = next((each for each in revisions if each.origin is Origin.PUSH), revisions[-1])
    if pushed.number != new.number:
        return pushed
    return next((each for each in revisions if each.number < new.number), new)


def _files(session: WorkspaceRecord, old: int, new: int, path: str) -> Sequence[FileChange]:
    workspaces = services().workspaces
    changes = workspaces.changes(session, old, new)
    if path:
        changes = Changes(
            since=changes.since,
            revision=changes.revision,
            changed=tuple(each for each in changes.changed if each.path == path),
            deleted=tuple(each for each in changes.deleted if each == path),
        )
    before = {entry.path: entry for entry in workspaces.files(session, old)}
    read = partial(workspaces.contents, session.account_id)
    return file_changes(changes, before, read, partial(_compare, session.account_id))


def _compare(account_id: str, pairs: Iterable[Pair], size: int) -> Iterable[FileChange]:
    """The changes of some files: found here where a few steps will do, else in a worker process."""
    if size <= SMALL_CHARACTERS:
        pairs = list(pairs)
        found = list(compared(pairs, FEW_STEPS))
        if UNSHOWN.isdisjoint(each.told for each in found):
            return found
    return services().pool.texts.run(account_id, DIFF, pairs)


def _choices(
    found: Sequence[RevisionRecord], *chosen: RevisionRecord
) -> Sequence[tuple[RevisionRecord, str]]:
    """Return the newest revisions and the compared ones, with their origins."""
    numbers = {each.number for each in chosen}
    return [
        (each, origin_words(each))
        for at, each in enumerate(found)
        if at < _CHOICES or each.number in numbers
    ]
