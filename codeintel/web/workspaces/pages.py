"""`/workspace/<id>`: the online editing environment. Without scripts files are read and searched;
with them they are edited, too."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from typing import Annotated, Any

import msgspec
from flask import Response, request, url_for
from msgspec import Meta

from codeintel.api.workspaces.operations import BYTES, archive_response, bridge_bytes
from codeintel.base.errors import ErrorCode, ServiceError
from codeintel.base.language_table import LANGUAGES
from codeintel.base.wording import size
from codeintel.contracts.workspaces.paths import BRIDGE_PATH
from codeintel.contracts.workspaces.records import FileEntry
from codeintel.http.endpoint import services
from codeintel.http.protection import shown_origin
from codeintel.http.requests.query import read_query
from codeintel.identity.auth.caller import Caller
from codeintel.platform.workers.text_functions import TextWorkError
from codeintel.runs.capability_types import RuleQuery
from codeintel.web.blueprint import blueprint, page_answer, render_page
from codeintel.web.login.require_login import signed_in, visitor
from codeintel.web.playground.views import PlaygroundView, playground_view
from codeintel.web.text import visible_plain
from codeintel.web.workspaces.report_findings import worst_finding
from codeintel.web.workspaces.report_views import JUDGED
from codeintel.web.workspaces.sessions import RevisionNumber, address, chosen_revision, own_session
from codeintel.web.workspaces.views import (
    PROOF,
    EnvironmentView,
    FileView,
    editor_settings,
    file_view,
    first_file,
    proof_view,
    tree,
)
from codeintel.workspaces.records import Links, Origin, RevisionRecord, WorkspaceRecord
from codeintel.workspaces.search import SEARCH, SearchView, part_of, search

_NEVER_SHOWN = {"Content-Security-Policy": "sandbox; default-src 'none'"}
"""Keeps browsers from running a file with the rights of this service."""
_PRIVATE = {"Cache-Control": "private, no-store"}


class EnvironmentQuery(msgspec.Struct, frozen=True):
    """A file of a revision, and a text to search for."""

    path: Annotated[str, Meta(max_length=1_000)] = ""
    revision: RevisionNumber = 0
    line: Annotated[int, Meta(ge=0, le=2**31 - 1)] = 0
    q: Annotated[str, Meta(max_length=200)] = ""
    case: bool = False


@blueprint.get("/workspace/<workspace_id>")
@signed_in
def workspace(caller: Caller, workspace_id: str) -> Response:
    """Show the editing environment."""
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
    path, line = query.path, query.line
    if not path and not query.q:
        path, line = _first_place(session, revision, files)
    return EnvironmentView(
        session=session,
        revision=revision,
        is_newest=revision.number == session.revision,
        proof=proof_view(services().proof.status(session, revision.number)),
        tree=tree(files.values(), path),
        file=_file(session, revision, files[path], line) if path in files else None,
        missing=path if path not in files else "",
        search=_search(session, files, query) if query.q else None,
        settings=editor_settings(
            session,
            revision.number,
            path=path if path in files else "",
            line=line,
            has_report=services().proof.status(session, revision.number).status in JUDGED,
            csrf=services().browsers.form_token(request),
            addresses=_addresses(session),
        ),
    )


def _first_place(
    session: WorkspaceRecord, revision: RevisionRecord, files: Mapping[str, FileEntry]
) -> tuple[str, int]:
    """Return the file and line to begin with: the worst finding, else the README."""
    try:
        report = services().proof.report(session, revision.number)
    except ServiceError:
        return first_file(files), 0
    worst = worst_finding(each for each in report.findings if each.path in files)
    if worst is None:
        return first_file(files), 0
    return worst.path, worst.finding.range.start_line


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
            "The search took too long. Search for a shorter text, or match case.",
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
    """Return the link that opens the remote in its editor, empty without a remote."""
    links = Links("")
    uri = links.editor(session)
    return "" if uri == links.environment(session.id) else uri


@dataclass(frozen=True)
class EditorView:
    """`settings` are for the script; `runs` are the tasks, languages and models of the form."""

    settings: Mapping[str, Any]
    runs: PlaygroundView


def editor_view(settings: Mapping[str, Any], session: WorkspaceRecord) -> EditorView:
    """
    :param settings: the settings of the page itself.
    """
    runs = playground_view(
        services().catalogue.capabilities(RuleQuery()),
        {},
        is_signed_in=True,
        origin=shown_origin(),
        available=_available(),
        addresses={"runs": url_for("web.runs") + "/", "rules": url_for("web.finding_titles")},
    )
    own = {
        "id": session.id,
        "name": session.name,
        "pushed": _pushed(session),
        "names": {name: title for title, each in LANGUAGES.items() for name in each.files.split()},
        "proof": {state.value: title for state, title in PROOF.items()},
    }
    known = {name: value for name, value in settings.items() if name != "files"}
    return EditorView({**runs.settings, **own, **known}, runs)


def _pushed(session: WorkspaceRecord) -> int:
    """Return the number of the last pushed revision, 0 for none."""
    revisions = services().workspaces.revisions(session)
    return next((each.number for each in revisions if each.origin is Origin.PUSH), 0)


def _available() -> int | None:
    caller = visitor()
    return None if caller.unlimited else services().ledger.balance(caller.account_id).available


blueprint.add_app_template_global(editor_view)


class RawQuery(msgspec.Struct, frozen=True):
    """A file of a revision."""

    path: Annotated[str, Meta(min_length=1, max_length=1_000)]
    revision: RevisionNumber = 0


class ArchiveQuery(msgspec.Struct, frozen=True):
    """A revision."""

    revision: RevisionNumber = 0


@blueprint.get("/workspace/<workspace_id>/raw")
@signed_in
def workspace_raw(caller: Caller, workspace_id: str) -> Response:
    """Return a file as a download, byte for byte."""
    session = own_session(caller, workspace_id)
    query = read_query(request, RawQuery)
    revision = chosen_revision(session, query.revision)
    content = _content(session, revision, query.path)
    response = Response(content, mimetype=BYTES, headers={**_NEVER_SHOWN, **_PRIVATE})
    name = visible_plain(query.path.rpartition("/")[2])
    response.headers.set("Content-Disposition", "attachment", filename=name or "file")
    return response


@blueprint.get("/workspace/<workspace_id>/archive.zip")
@signed_in
def workspace_archive(caller: Caller, workspace_id: str) -> Response:
    """Return the files of a revision as a ZIP archive."""
    session = own_session(caller, workspace_id)
    response = archive_response(session, read_query(request, ArchiveQuery).revision or None)
    response.headers.extend(_PRIVATE)
    return response


def _content(session: WorkspaceRecord, revision: RevisionRecord, path: str) -> bytes:
    if path != BRIDGE_PATH:
        return services().workspaces.read(session, revision.number, path)
    return bridge_bytes(session, revision)
