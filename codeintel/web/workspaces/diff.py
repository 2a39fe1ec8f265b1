"""`/workspace/<id>/diff`: what lies between two revisions, usually since the last push."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Annotated

import msgspec
from flask import Response, request
from msgspec import Meta

from codeintel.base.text.quantities import size
from codeintel.http.endpoint import services
from codeintel.http.requests.query import read_query
from codeintel.identity.auth.caller import Caller
from codeintel.platform.workers.text_functions import SMALL_CHARACTERS
from codeintel.web.answers import page_answer, render_page
from codeintel.web.blueprint import blueprint
from codeintel.web.login.require_login import signed_in
from codeintel.web.workspaces.access import RevisionNumber, address, chosen_revision, own_session
from codeintel.web.workspaces.words import origin_words
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

_CHOICES = 200
"""Revisions that the form offers."""


class DiffQuery(msgspec.Struct, frozen=True, rename={"since": "from"}):
    """Two revisions, 0 for the last pushed and the newest; and a file, if only one is asked for."""

    since: RevisionNumber = 0
    to: RevisionNumber = 0
    path: Annotated[str, Meta(max_length=1_000)] = ""


@dataclass(frozen=True)
class DiffView:
    """Two revisions and what lies between them; `choices` are others, with how they came about."""

    session: WorkspaceRecord
    old: RevisionRecord
    new: RevisionRecord
    path: str
    files: Sequence[FileChange]
    choices: Sequence[tuple[RevisionRecord, str]]
    is_usual: bool


@blueprint.get("/workspace/<workspace_id>/diff")
@signed_in
def workspace_diff(caller: Caller, workspace_id: str) -> Response:
    """The files that differ, with their lines."""
    session = own_session(caller, workspace_id)
    query = read_query(request, DiffQuery)
    found = services().workspaces.revisions(session)
    new = chosen_revision(session, query.to)
    old = chosen_revision(session, query.since) if query.since else _last_push(found)
    view = DiffView(
        session=session,
        old=old,
        new=new,
        path=query.path,
        files=_files(session, old.number, new.number, query.path),
        choices=_choices(found, old, new),
        is_usual=not query.since and not query.to,
    )
    return page_answer(
        render_page("workspace_diff.html", view=view, address=address, size_words=size)
    )


def _last_push(revisions: Sequence[RevisionRecord]) -> RevisionRecord:
    pushed = (each for each in revisions if each.origin is Origin.PUSH)
    return next(pushed, revisions[-1])


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
    """The newest revisions, and those that are compared, with how they came about."""
    numbers = {each.number for each in chosen}
    return [
        (each, origin_words(each))
        for at, each in enumerate(found)
        if at < _CHOICES or each.number in numbers
    ]
