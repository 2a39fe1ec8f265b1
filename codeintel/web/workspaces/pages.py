"""`/workspace/<id>`: the online editing environment. Without scripts files are read and searched;
with them they are edited, too."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Annotated

import msgspec
from flask import Response, request, url_for
from msgspec import Meta

from codeintel.base.errors import ErrorCode, ServiceError
from codeintel.base.text.quantities import size
from codeintel.contracts.workspaces.records import FileEntry
from codeintel.http.endpoint import services
from codeintel.http.requests.query import read_query
from codeintel.identity.auth.caller import Caller
from codeintel.platform.workers.text_functions import TextWorkError
from codeintel.web.answers import page_answer, render_page
from codeintel.web.blueprint import blueprint
from codeintel.web.login.require_login import signed_in
from codeintel.web.workspaces.access import RevisionNumber, address, chosen_revision, own_session
from codeintel.web.workspaces.tree import tree
from codeintel.web.workspaces.views import (
    EnvironmentView,
    FileView,
    editor_settings,
    file_view,
    first_file,
    proof_view,
)
from codeintel.workspaces.records import Links, RevisionRecord, WorkspaceRecord
from codeintel.workspaces.search import SEARCH, SearchView, part_of, search


class EnvironmentQuery(msgspec.Struct, frozen=True):
    """Which file of which revision, and what to search for."""

    path: Annotated[str, Meta(max_length=1_000)] = ""
    revision: RevisionNumber = 0
    line: Annotated[int, Meta(ge=0, le=2**31 - 1)] = 0
    q: Annotated[str, Meta(max_length=200)] = ""
    case: bool = False


@blueprint.get("/workspace/<workspace_id>")
@signed_in
def workspace(caller: Caller, workspace_id: str) -> Response:
    """The environment."""
    session = own_session(caller, workspace_id)
    query = read_query(request, EnvironmentQuery)
    view = _view(session, chosen_revision(session, query.revision), query)
    page = render_page(
        "workspace.html",
        view=view,
        size_words=size,
        address=address,
        editor_uri=_editor_uri(session),
    )
    return page_answer(page, 404 if view.missing else 200)


def _view(
    session: WorkspaceRecord, revision: RevisionRecord, query: EnvironmentQuery
) -> EnvironmentView:
    workspaces = services().workspaces
    files = {entry.path: entry for entry in workspaces.files(session, revision.number)}
    path = query.path or ("" if query.q else first_file(files))
    return EnvironmentView(
        session=session,
        revision=revision,
        is_newest=revision.number == session.revision,
        proof=proof_view(services().proof.status(session, revision.number)),
        tree=tree(files.values(), path),
        file=_file(session, revision, files[path], query.line) if path in files else None,
        missing=path if path not in files else "",
        search=_search(session, files, query) if query.q else None,
        settings=editor_settings(
            session,
            revision.number,
            path=path if path in files else "",
            line=query.line,
            csrf=services().browsers.form_token(request),
            addresses=_addresses(session),
        ),
    )


def _file(
    session: WorkspaceRecord, revision: RevisionRecord, entry: FileEntry, line: int
) -> FileView:
    content = services().workspaces.read(session, revision.number, entry.path)
    return file_view(entry.path, entry.size, line, part_of(content.decode(errors="replace"), line))


def _search(
    session: WorkspaceRecord, files: Mapping[str, FileEntry], query: EnvironmentQuery
) -> SearchView:
    read = partial(services().workspaces.contents, session.account_id)
    find = partial(services().pool.texts.run, session.account_id, SEARCH)
    try:
        return search([*files.values()], read, query.q, find, is_exact=query.case)
    except TextWorkError:
        raise ServiceError(
            ErrorCode.OVERLOADED,
            "The search took too long: look for a shorter text, or match case.",
            retry_after=5,
        ) from None


def _addresses(session: WorkspaceRecord) -> dict[str, str]:
    here = address("workspace", session)
    return {
        "token": url_for("web.playground_token"),
        "here": here,
        "history": address("workspace_history", session),
        "diff": address("workspace_diff", session),
        "reports": f"{here}/reports",
        "zip": address("workspace_archive", session),
        "account": url_for("web.account"),
        "signIn": url_for("web.sign_in", next=here),
    }


def _editor_uri(session: WorkspaceRecord) -> str:
    """A link that opens the remote in the editor it came from; empty if there is none."""
    links = Links("")
    uri = links.editor(session)
    return "" if uri == links.environment(session.id) else uri
