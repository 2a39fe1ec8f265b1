"""`/workspace`: the workspaces of an account; and how one is deleted."""

from __future__ import annotations

import shlex
from typing import Annotated

import msgspec
from flask import Response, request, url_for
from msgspec import Meta
from werkzeug.wrappers import Response as BaseResponse

from codeintel.base.text.quantities import size
from codeintel.http.endpoint import services
from codeintel.http.requests.query import read_query
from codeintel.identity.auth.caller import Caller
from codeintel.web.answers import page_answer, render_page
from codeintel.web.blueprint import blueprint
from codeintel.web.login.require_login import signed_in
from codeintel.web.samples import curl
from codeintel.web.workspaces.access import origin, own_session
from codeintel.web.workspaces.views import SessionRow, proof_view
from codeintel.web.workspaces.words import storage_view

PAGE_SESSIONS = 50
_EXAMPLE = {"name": "shop", "files": {"/app.py": "x = 1\n"}}


class ListQuery(msgspec.Struct, frozen=True):
    """Which page of the list."""

    page: Annotated[int, Meta(ge=1, le=10**6)] = 1


@blueprint.get("/workspace")
@signed_in
def workspaces(caller: Caller) -> Response:
    """All of them, the one synced last first."""
    page = read_query(request, ListQuery).page
    sessions = services().workspaces.sessions(caller.account_id)
    begin = (page - 1) * PAGE_SESSIONS
    shown = sessions[begin : begin + PAGE_SESSIONS]
    html = render_page(
        "workspace_list.html",
        rows=[
            SessionRow(
                each,
                services().workspaces.revision(each).files,
                proof_view(services().proof.status(each)),
            )
            for each in shown
        ],
        total=len(sessions),
        begin=begin,
        page=page,
        pages=-(-len(sessions) // PAGE_SESSIONS),
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


def _push_command() -> str:
    """For a POSIX shell, with this service's address."""
    url = shlex.quote(origin().rstrip("/"))
    return f"export CODEINTEL_URL={url} CODEINTEL_API_KEY=...\ncodeintel push"


@blueprint.get("/workspace/<workspace_id>/delete")
@signed_in
def ask_to_delete_workspace(caller: Caller, workspace_id: str) -> Response:
    """Which one it is, and what goes with it."""
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
    """Delete it, with all its revisions and reports."""
    services().workspaces.delete(own_session(caller, workspace_id))
    return Response(
        status=303, headers={"Location": url_for("web.workspaces", notice="workspace-deleted")}
    )
