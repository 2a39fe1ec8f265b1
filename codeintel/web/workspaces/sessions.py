"""`/workspace`: the workspaces of an account, how a page finds one, and how one is deleted."""

from __future__ import annotations

import shlex
from typing import Annotated, Any

import msgspec
from flask import Response, request, url_for
from msgspec import Meta
from werkzeug.wrappers import Response as BaseResponse

from codeintel.base.wording import size
from codeintel.http.endpoint import services
from codeintel.http.protection import shown_origin
from codeintel.http.requests.query import read_query
from codeintel.identity.auth.caller import Caller
from codeintel.web.blueprint import blueprint, page_answer, render_page
from codeintel.web.login.require_login import signed_in
from codeintel.web.schemas.commands import curl
from codeintel.web.workspaces.report_views import report_row
from codeintel.web.workspaces.views import SessionRow, proof_view, storage_view
from codeintel.workspaces.records import RevisionRecord, WorkspaceRecord
from codeintel.workspaces.revisions import CURSOR

RevisionNumber = Annotated[int, Meta(ge=0, le=2**31 - 1)]
"""In an address; 0 is the newest."""
SOURCE = "browser"
"""The kind of client of revisions that these pages make."""
PAGE_SESSIONS = 50
_EXAMPLE = {"name": "shop", "files": {"/app.py": "x = 1\n"}}


def own_session(caller: Caller, workspace_id: str) -> WorkspaceRecord:
    """:raises ServiceError: `not_found`, for another account's too."""
    return services().workspaces.find(caller.account_id, workspace_id)


def chosen_revision(session: WorkspaceRecord, number: int) -> RevisionRecord:
    """A revision, the newest for 0.

    :raises ServiceError: `not_found`.
    """
    return services().workspaces.revision(session, number or None)


def origin() -> str:
    """Return the address of the service, as people reach it."""
    return shown_origin()


def address(name: str, session: WorkspaceRecord, revision: int = 0, **values: Any) -> str:
    """The address of one of its pages. The newest revision stays unnamed, so that it stays the
    newest when another comes.

    :param values: parameters; empty ones are left out.
    """
    if revision and revision != session.revision:
        values["revision"] = revision
    given = {key: value for key, value in values.items() if value}
    return url_for(f"web.{name}", workspace_id=session.id, **given)


class ListQuery(msgspec.Struct, frozen=True):
    """A page of the list: the workspaces behind a cursor."""

    before: Annotated[str, Meta(pattern=CURSOR)] = ""


@blueprint.get("/workspace")
@signed_in
def workspaces(caller: Caller) -> Response:
    """List the workspaces, last synced first."""
    before = read_query(request, ListQuery).before
    shown = services().workspaces.sessions(caller.account_id, PAGE_SESSIONS, before)
    html = render_page(
        "workspace_list.html",
        rows=[_row(each) for each in shown.sessions],
        total=services().workspaces.session_count(caller.account_id),
        older=shown.older,
        is_first=not before,
        storage=storage_view(
            services().workspaces.stored_bytes(caller.account_id),
            services().settings.workspace_bytes(caller.tier),
        ),
        first=_push_command(),
        command=curl(
            origin(), "POST", "/api/workspace/sync", key=True, example=_EXAMPLE, stream=False
        ),
    )
    return page_answer(html)


def _row(session: WorkspaceRecord) -> SessionRow:
    """Return a line of the list, with the counts of the newest report that has a verdict."""
    newest = next(map(report_row, services().proof.verdicts(session, 1)), None)
    return SessionRow(
        session,
        services().workspaces.revision(session).files,
        proof_view(services().proof.status(session)),
        report=newest.summary.revision if newest is not None else 0,
        found=newest.found if newest is not None else 0,
        worst=newest.worst if newest is not None else "",
    )


def _push_command() -> str:
    """Return the push command for a POSIX shell, with the address of this service."""
    url = shlex.quote(origin().rstrip("/"))
    return f"export CODEINTEL_URL={url} CODEINTEL_API_KEY=...\ncodeintel push"


@blueprint.get("/workspace/<workspace_id>/delete")
@signed_in
def ask_to_delete_workspace(caller: Caller, workspace_id: str) -> Response:
    """Ask whether to delete a workspace, and show its size."""
    session = own_session(caller, workspace_id)
    found = services().workspaces
    page = render_page(
        "workspace_delete.html",
        session=session,
        revisions=len(found.revisions(session)),
        newest=found.revision(session),
        size_words=size,
    )
    return page_answer(page)


@blueprint.post("/workspace/<workspace_id>/delete")
@signed_in
def delete_workspace(caller: Caller, workspace_id: str) -> BaseResponse:
    """Delete a workspace with all its revisions and reports."""
    services().workspaces.delete(own_session(caller, workspace_id))
    return Response(
        status=303, headers={"Location": url_for("web.workspaces", notice="workspace-deleted")}
    )
