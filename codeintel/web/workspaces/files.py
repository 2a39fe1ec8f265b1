"""Files of a workspace to keep: one as it is, or all in an archive."""

from __future__ import annotations

from typing import Annotated

import msgspec
from flask import Response, request
from msgspec import Meta

from codeintel.api.workspaces.operations import BYTES, archive_response, bridge_bytes
from codeintel.contracts.workspaces.paths import BRIDGE_PATH
from codeintel.http.endpoint import services
from codeintel.http.requests.query import read_query
from codeintel.identity.auth.caller import Caller
from codeintel.web.blueprint import blueprint
from codeintel.web.login.require_login import signed_in
from codeintel.web.untrusted_text import visible_plain
from codeintel.web.workspaces.access import RevisionNumber, chosen_revision, own_session
from codeintel.workspaces.records import RevisionRecord, WorkspaceRecord

_NEVER_SHOWN = {"Content-Security-Policy": "sandbox; default-src 'none'"}
"""Whatever stands in a file: no browser runs it with the rights of this service."""
_PRIVATE = {"Cache-Control": "private, no-store"}


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
    """A file byte for byte, as a download; the bridge file, too."""
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
    """All files of a revision."""
    session = own_session(caller, workspace_id)
    response = archive_response(session, read_query(request, ArchiveQuery).revision or None)
    response.headers.extend(_PRIVATE)
    return response


def _content(session: WorkspaceRecord, revision: RevisionRecord, path: str) -> bytes:
    if path != BRIDGE_PATH:
        return services().workspaces.read(session, revision.number, path)
    return bridge_bytes(session, revision)
