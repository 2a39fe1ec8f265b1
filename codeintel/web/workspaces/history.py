"""`/workspace/<id>/history`: all revisions, and how an old one is restored."""

from __future__ import annotations

from typing import Annotated

import msgspec
from flask import Response, request
from msgspec import Meta
from werkzeug.wrappers import Response as BaseResponse

from codeintel.base.errors import ErrorCode, ServiceError
from codeintel.base.text.quantities import size
from codeintel.http.endpoint import services
from codeintel.http.requests.query import read_query
from codeintel.identity.auth.caller import Caller
from codeintel.web.answers import page_answer, render_page
from codeintel.web.blueprint import blueprint
from codeintel.web.login.require_login import read_form, signed_in
from codeintel.web.workspaces.access import (
    SOURCE,
    RevisionNumber,
    address,
    chosen_revision,
    own_session,
)
from codeintel.web.workspaces.restoring import RestoreView, restore_view
from codeintel.web.workspaces.views import RevisionRow, proof_view
from codeintel.web.workspaces.words import origin_words
from codeintel.workspaces.records import WorkspaceRecord

PAGE_REVISIONS = 50


class HistoryQuery(msgspec.Struct, frozen=True):
    """Where the list begins: behind a revision; 0 for at the newest."""

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
    """The revisions, the newest first."""
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
    """What restoring a revision would change."""
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
