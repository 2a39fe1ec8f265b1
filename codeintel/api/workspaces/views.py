"""/api/workspace: push, edit and pull local workspaces."""

from __future__ import annotations

from flask import Blueprint, Response, request
from msgspec import UNSET

from codeintel.api.workspaces.operations import (
    ARCHIVE,
    BYTES,
    CHANGES,
    DELETE,
    EDIT,
    LIST,
    LIST_REVISIONS,
    READ,
    READ_FILE,
    RESTORE,
    SYNC,
    ChangesQuery,
    ListQuery,
    RevisionList,
    RevisionQuery,
    RevisionView,
    SessionAnswer,
    SessionList,
    archive_response,
    bridge_bytes,
    bridge_entry,
    key_of,
    links,
    sealed,
    session_view,
    stored_response,
)
from codeintel.contracts.workspaces.paths import BRIDGE_PATH
from codeintel.http.endpoint import endpoint, services
from codeintel.http.errors import json_response
from codeintel.identity.auth.caller import Caller
from codeintel.workspaces.requests import EditBody, RestoreBody, SyncBody

blueprint = Blueprint("workspace", __name__, url_prefix="/api/workspace")


@blueprint.post("/sync")
@endpoint(SYNC)
def sync(caller: Caller, body: SyncBody) -> Response:
    """Store it."""
    key = key_of(caller, body)
    return stored_response(services().workspaces.sync(caller.account_id, caller.tier, body, key))


@blueprint.get("")
@endpoint(LIST)
def list_(caller: Caller, query: ListQuery) -> Response:
    """List the account's workspaces."""
    workspaces = services().workspaces
    found = workspaces.sessions(caller.account_id, before=query.before)
    answer = SessionList(
        sessions=[session_view(each, links()) for each in found.sessions],
        older=found.older or None,
        stored_bytes=workspaces.stored_bytes(caller.account_id),
        limit_bytes=services().settings.workspace_bytes(caller.tier),
    )
    return json_response(answer)


@blueprint.get("/<workspace_id>")
@endpoint(READ)
def read(caller: Caller, query: RevisionQuery, workspace_id: str) -> Response:
    """Return the session and its files."""
    workspaces = services().workspaces
    session = workspaces.find(caller.account_id, workspace_id)
    revision = workspaces.revision(session, query.number)
    proof = services().proof.status(session, revision.number)
    files = workspaces.files(session, revision.number)
    files.append(bridge_entry(bridge_bytes(session, revision)))
    answer = SessionAnswer(
        session=session_view(session, links()),
        revision=revision,
        proof_loop=proof,
        bridge=links().bridge(session, revision, proof),
        files=sorted(files, key=lambda entry: entry.path),
    )
    return json_response(answer)


@blueprint.delete("/<workspace_id>")
@endpoint(DELETE)
def delete(caller: Caller, workspace_id: str) -> Response:
    """End it."""
    workspaces = services().workspaces
    workspaces.delete(workspaces.find(caller.account_id, workspace_id))
    response = Response(status=204)
    del response.headers["Content-Type"]  # the response is empty
    return response


@blueprint.get("/<workspace_id>/revisions")
@endpoint(LIST_REVISIONS)
def list_revisions(caller: Caller, workspace_id: str) -> Response:
    """Return the history."""
    workspaces = services().workspaces
    session = workspaces.find(caller.account_id, workspace_id)
    statuses = services().proof.statuses(session)
    views = [
        RevisionView(revision=each, proof_loop=statuses.get(each.number, UNSET))
        for each in workspaces.revisions(session)
    ]
    return json_response(RevisionList(session_id=session.id, revisions=views))


@blueprint.post("/<workspace_id>/revisions")
@endpoint(EDIT)
def edit(caller: Caller, body: EditBody, workspace_id: str) -> Response:
    """Store the changes."""
    stored = services().workspaces.edit(
        caller.account_id,
        caller.tier,
        workspace_id,
        body.base_revision,
        body.changes,
        body.source,
        key_of(caller, body),
    )
    return stored_response(stored)


@blueprint.post("/<workspace_id>/restore")
@endpoint(RESTORE)
def restore(caller: Caller, body: RestoreBody, workspace_id: str) -> Response:
    """Make an old revision the newest."""
    stored = services().workspaces.restore(
        caller.account_id,
        caller.tier,
        workspace_id,
        body.revision,
        body.base_revision,
        "api",
    )
    return stored_response(stored)


@blueprint.get("/<workspace_id>/files/<path:path>")
@endpoint(READ_FILE)
def read_file(caller: Caller, query: RevisionQuery, workspace_id: str, path: str) -> Response:
    """Return the file's bytes as a download, so that browsers never run them."""
    workspaces = services().workspaces
    session = workspaces.find(caller.account_id, workspace_id)
    revision = workspaces.revision(session, query.number)
    if f"/{path}" == BRIDGE_PATH:
        data = bridge_bytes(session, revision)
        digest = bridge_entry(data).sha256
    else:
        entry = workspaces.entry(session, revision.number, f"/{path}")
        digest = entry.sha256
        if request.if_none_match.contains_weak(digest):
            return sealed(Response(status=304), digest)
        data = workspaces.read(session, revision.number, entry.path)
    return sealed(Response(data, mimetype=BYTES), digest)


@blueprint.get("/<workspace_id>/changes")
@endpoint(CHANGES)
def changes(caller: Caller, query: ChangesQuery, workspace_id: str) -> Response:
    """Return the differences."""
    workspaces = services().workspaces
    session = workspaces.find(caller.account_id, workspace_id)
    number = session.revision if query.revision is UNSET else query.revision
    return json_response(workspaces.changes(session, query.since, number))


@blueprint.get("/<workspace_id>/archive.zip")
@endpoint(ARCHIVE)
def archive(caller: Caller, query: RevisionQuery, workspace_id: str) -> Response:
    """Stream the files as a zip file."""
    session = services().workspaces.find(caller.account_id, workspace_id)
    return archive_response(session, query.number)
