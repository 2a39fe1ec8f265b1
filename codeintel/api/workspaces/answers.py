"""What the endpoints of workspaces have in common: addresses, the bridge file, keys of requests."""

from __future__ import annotations

from functools import partial

import msgspec
from flask import Response, request

from codeintel.api.workspaces.shapes import SyncAnswer, sync_answer
from codeintel.contracts.workspaces.paths import BRIDGE_PATH
from codeintel.contracts.workspaces.records import FileEntry
from codeintel.http.endpoint import services
from codeintel.http.envelope import json_response, unversioned
from codeintel.http.operation import IDEMPOTENCY_KEY, Header
from codeintel.http.requests.connection import limit_writes
from codeintel.identity.auth.caller import Caller
from codeintel.runs.idempotency import RequestKey, request_key
from codeintel.workspaces.checks import blob_of, in_turns
from codeintel.workspaces.links import Links, bridge_text
from codeintel.workspaces.records import RevisionRecord, Stored, WorkspaceRecord
from codeintel.workspaces.requests import EditBody, SyncBody
from codeintel.workspaces.storage.archive import zip_pieces

ZIP = "application/zip"
BYTES = "application/octet-stream"
KEY = Header(
    IDEMPOTENCY_KEY.name,
    "Any text that the client chooses for this one request. Sent again with the same body, the "
    "request is not done again: the answer names the revision that it has made.",
    IDEMPOTENCY_KEY.schema,
)


def links() -> Links:
    """The addresses of sessions, as the client reaches the service."""
    return Links(services().settings.public_url or request.url_root)


def key_of(caller: Caller, body: SyncBody | EditBody) -> RequestKey | None:
    """The key of the request, if it has one. The body is told by digests of its texts: they need
    not be written out once more."""
    sent = request.headers.get(KEY.name)
    if sent is None:
        return None
    field = "files" if isinstance(body, SyncBody) else "changes"
    texts = {path: text for path, text in getattr(body, field).items() if text is not None}
    digests = {path: blob_of(text).sha256 for path, text in in_turns(texts)}
    told = {path: digests.get(path) for path in getattr(body, field)}
    rest = {**msgspec.structs.asdict(body), field: told}
    return request_key(caller.account_id, request.path, sent, msgspec.json.encode(rest))


def stored_response(stored: Stored) -> Response:
    """What a push or an edit is answered: 201 for a new revision, else 200."""
    answer: SyncAnswer = sync_answer(
        stored, links(), services().proof.status(stored.session, stored.revision.number)
    )
    return json_response(unversioned(answer), 201 if stored.is_new else 200)


def bridge_bytes(session: WorkspaceRecord, revision: RevisionRecord) -> bytes:
    """The bridge file of a revision, as it is now."""
    proof = services().proof.status(session, revision.number)
    return bridge_text(links().bridge(session, revision, proof)).encode()


def bridge_entry(text: bytes) -> FileEntry:
    """The bridge file among the others."""
    return FileEntry(BRIDGE_PATH, *blob_of(text.decode()))


def sealed(response: Response, digest: str) -> Response:
    """A response with somebody's file: to be saved, and nothing that a browser would run."""
    response.set_etag(digest)
    response.headers["Content-Disposition"] = "attachment"
    response.headers["Content-Security-Policy"] = "sandbox"
    return response


def archive_response(session: WorkspaceRecord, number: int | None) -> Response:
    """A revision as a zip file, packed while it is sent.

    :raises ServiceError: `not_found` for a revision that is not there.
    """
    workspaces = services().workspaces
    revision = workspaces.revision(session, number)
    pieces = zip_pieces(
        workspaces.files(session, revision.number),
        partial(workspaces.contents, session.account_id),
        revision.created_at,
        {BRIDGE_PATH: bridge_bytes(session, revision)},
    )
    limit_writes(request)
    response = Response(pieces, mimetype=ZIP, direct_passthrough=True)
    name = f"{session.id}-{revision.number}.zip"
    response.headers["Content-Disposition"] = f'attachment; filename="{name}"'
    response.headers["Content-Security-Policy"] = "sandbox"
    return response
