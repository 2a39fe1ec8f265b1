"""The operations on workspaces: their parameters, bodies and answers."""

from __future__ import annotations

from functools import partial
from typing import Annotated

import msgspec
from flask import Response, request
from msgspec import UNSET, Meta, UnsetType

from codeintel.base.entitlements import Scope
from codeintel.base.errors import ErrorCode
from codeintel.base.timestamps import Moment
from codeintel.contracts.workspaces.paths import BRIDGE_PATH
from codeintel.contracts.workspaces.records import (
    MAX_TOTAL_BYTES,
    FileEntry,
    ProofStatus,
    SkippedFile,
)
from codeintel.http.endpoint import services
from codeintel.http.errors import json_response, unversioned
from codeintel.http.operation import IDEMPOTENCY_KEY, Answer, Header, Link, Operation
from codeintel.http.streams import limit_writes
from codeintel.identity.auth.caller import Caller
from codeintel.runs.idempotency import RequestKey, request_key
from codeintel.workspaces.checks import blob_of, in_turns
from codeintel.workspaces.reading import zip_pieces
from codeintel.workspaces.records import (
    Bridge,
    Changes,
    Links,
    RevisionRecord,
    Stored,
    WorkspaceRecord,
    bridge_text,
)
from codeintel.workspaces.requests import EditBody, RestoreBody, Revision, SyncBody
from codeintel.workspaces.revisions import CURSOR, MOST_SESSIONS


class FileCounts(msgspec.Struct, frozen=True):
    """The outcome of a push: the number of `stored` files, which are new or changed, the number of
    `unchanged` files, and the `skipped` files, which the client omitted or which hold secrets.
    """

    stored: int
    unchanged: int
    skipped: tuple[SkippedFile, ...]


class SyncAnswer(msgspec.Struct, frozen=True, kw_only=True, rename="camel"):
    """A stored workspace. `environment_url` is its online editor. `editor_uri` opens its remote in
    a local editor. `bridge` is the content of `/.codeintel/local-ide-bridge.json`.
    """

    session_id: str
    revision: int
    environment_url: str
    editor_uri: str
    reports_url: str
    proof_loop: ProofStatus
    bridge: Bridge
    files: FileCounts


class SessionView(msgspec.Struct, frozen=True, kw_only=True, rename="camel"):
    """A session: a workspace of the account, with its newest revision."""

    session_id: str
    name: str
    source: str
    local_root_name: str
    branch_name: str
    remote_url: str
    revision: int
    trust_dependencies: bool
    created_at: Moment
    synced_at: Moment
    environment_url: str
    editor_uri: str
    reports_url: str


class SessionList(msgspec.Struct, frozen=True, kw_only=True, rename="camel"):
    """Sessions of the account, most recently synced first, and the total size of all in bytes.

    `older` is the value of `before` for the next page, null at the end.
    """

    sessions: list[SessionView]
    older: str | None
    stored_bytes: int
    limit_bytes: int


class SessionAnswer(msgspec.Struct, frozen=True, kw_only=True, rename="camel"):
    """A session at a revision, with its files by path, including the bridge file."""

    session: SessionView
    revision: RevisionRecord
    proof_loop: ProofStatus
    bridge: Bridge
    files: list[FileEntry]


class RevisionView(msgspec.Struct, frozen=True, kw_only=True, rename="camel", omit_defaults=True):
    """A revision in the history. `proof_loop` is set if an analysis was requested."""

    revision: RevisionRecord
    proof_loop: ProofStatus | UnsetType = UNSET


class RevisionList(msgspec.Struct, frozen=True, kw_only=True, rename="camel"):
    """All revisions of a session, newest first."""

    session_id: str
    revisions: list[RevisionView]


def session_view(session: WorkspaceRecord, links: Links) -> SessionView:
    """Convert a session to its form in the API."""
    return SessionView(
        session_id=session.id,
        name=session.name,
        source=session.source,
        local_root_name=session.local_root_name,
        branch_name=session.branch_name,
        remote_url=session.remote_url,
        revision=session.revision,
        trust_dependencies=session.trust_dependencies,
        created_at=session.created_at,
        synced_at=session.synced_at,
        environment_url=links.environment(session.id),
        editor_uri=links.editor(session),
        reports_url=links.reports(session.id),
    )


def sync_answer(stored: Stored, links: Links, proof: ProofStatus) -> SyncAnswer:
    """Return the answer to a push or an edit."""
    session = stored.session
    return SyncAnswer(
        session_id=session.id,
        revision=stored.revision.number,
        environment_url=links.environment(session.id),
        editor_uri=links.editor(session),
        reports_url=links.reports(session.id),
        proof_loop=proof,
        bridge=links.bridge(session, stored.revision, proof),
        files=FileCounts(stored.stored, stored.unchanged, stored.revision.skipped),
    )


ZIP = "application/zip"
BYTES = "application/octet-stream"
KEY = Header(
    IDEMPOTENCY_KEY.name,
    "A unique value of printable ASCII for this request. If you send it again with the same body, "
    "the answer names the revision that the first request created.",
    IDEMPOTENCY_KEY.schema,
)


def links() -> Links:
    """Return the addresses of sessions, as the client reaches the service."""
    return Links(services().settings.public_url or request.url_root)


def key_of(caller: Caller, body: SyncBody | EditBody) -> RequestKey | None:
    """Return the key of the request, or None. It contains digests of the texts, so that the body
    need not be serialized again.
    """
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
    """Return the response to a push or an edit: 201 for a new revision, otherwise 200."""
    answer: SyncAnswer = sync_answer(
        stored, links(), services().proof.status(stored.session, stored.revision.number)
    )
    return json_response(unversioned(answer), 201 if stored.is_new else 200)


def bridge_bytes(session: WorkspaceRecord, revision: RevisionRecord) -> bytes:
    """Return the current bridge file of a revision."""
    proof = services().proof.status(session, revision.number)
    return bridge_text(links().bridge(session, revision, proof)).encode()


def bridge_entry(text: bytes) -> FileEntry:
    """Return the bridge file's entry in the list of files."""
    return FileEntry(BRIDGE_PATH, *blob_of(text.decode()))


def sealed(response: Response, digest: str) -> Response:
    """Prepare a response with a user's file for download, so that browsers never run it."""
    response.set_etag(digest)
    response.headers["Content-Disposition"] = "attachment"
    response.headers["Content-Security-Policy"] = "sandbox"
    return response


def archive_response(session: WorkspaceRecord, number: int | None) -> Response:
    """Stream a revision as a zip file that is packed on the fly.

    :raises ServiceError: `not_found` for an unknown revision.
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


operation = partial(Operation, tag="Workspaces", authenticated=True, scope=Scope.WORKSPACE_WRITE)
"""Return an operation with the common options of all workspace endpoints."""
_ID = {"workspace_id": "$response.body#/sessionId"}
_LINKS = (
    *(
        Link(name, _ID)
        for name in (
            *("workspace.read", "workspace.list_revisions", "workspace.archive"),
            *("workspace.edit", "workspace.restore", "workspace.delete"),
            *("workspace_proof.read_proof", "workspace_proof.request_proof"),
            *("workspace_proof.follow_proof", "workspace_proof.list_reports"),
            "workspace_proof.read_report",
        )
    ),
    Link("workspace.changes", {**_ID, "since": "$response.body#/revision"}),
    Link(
        "workspace.read_file",
        {**_ID, "path": BRIDGE_PATH.removeprefix("/")},
        "The bridge file of the workspace.",
    ),
)
_STORED = {
    201: Answer("A new revision.", SyncAnswer, enveloped=False, links=_LINKS),
    200: Answer("No changes from the newest revision.", SyncAnswer, enveloped=False, links=_LINKS),
}
_FIRST = {"files": {"/main.py": "print('hello')\n"}, "name": "hello", "localRootName": "hello"}


class ListQuery(msgspec.Struct, frozen=True):
    """A page of the list."""

    before: Annotated[
        str,
        Meta(pattern=CURSOR, description="`older` of the page before. The first page by default."),
    ] = ""


class RevisionQuery(msgspec.Struct, frozen=True):
    """The revision to use."""

    revision: (
        Annotated[Revision, Meta(description=("The newest revision by default."))] | UnsetType
    ) = UNSET

    @property
    def number(self) -> int | None:
        """The number of the revision, or None for the newest."""
        return None if self.revision is UNSET else self.revision


class ChangesQuery(msgspec.Struct, frozen=True):
    """The revisions to compare."""

    since: Annotated[Revision, Meta(description="The revision that the client has.")]
    revision: (
        Annotated[Revision, Meta(description="The requested revision. The newest by default.")]
        | UnsetType
    ) = UNSET


SYNC = operation(
    summary="Push a workspace",
    description=(
        "Stores all files of a workspace as its next revision, or nothing if a file fails. Pushes "
        "with the same name, folder, branch and remote use the same session. A push without "
        "changes creates no revision. Files with secrets are omitted and listed."
    ),
    body=SyncBody,
    body_limit=MAX_TOTAL_BYTES,
    body_example={**_FIRST, "source": "vscode", "branchName": "main"},
    answers=_STORED,
    headers=(KEY,),
    errors=(
        ErrorCode.STORAGE_LIMIT_EXCEEDED,
        ErrorCode.REVISION_CONFLICT,
        ErrorCode.IDEMPOTENCY_CONFLICT,
        ErrorCode.OVERLOADED,
    ),
)
LIST = operation(
    summary="List the workspaces",
    description=f"The account's sessions, most recently synced first, in pages of {MOST_SESSIONS}.",
    query=ListQuery,
    answers={200: Answer("The sessions.", SessionList, enveloped=False)},
)
READ = operation(
    summary="Read a workspace",
    description="The session at a revision, with digest and size of each file.",
    query=RevisionQuery,
    answers={200: Answer("The session.", SessionAnswer, enveloped=False)},
    errors=(ErrorCode.NOT_FOUND,),
)
DELETE = operation(
    summary="Delete a workspace",
    description="Permanent. Also deletes all revisions and reports.",
    answers={204: Answer("The workspace was deleted.")},
    errors=(ErrorCode.NOT_FOUND,),
)
LIST_REVISIONS = operation(
    summary="List the revisions of a workspace",
    description="Newest first, without their files and their omitted files.",
    answers={200: Answer("The revisions.", RevisionList, enveloped=False)},
    errors=(ErrorCode.NOT_FOUND,),
)
EDIT = operation(
    summary="Edit files of a workspace",
    description=(
        "Stores changes to some files as the next revision, or nothing if a file fails. Changes "
        "that others made to other files since the base revision are kept."
    ),
    body=EditBody,
    body_limit=MAX_TOTAL_BYTES,
    body_example={"baseRevision": 1, "changes": {"/main.py": "print('hi')\n", "/old.py": None}},
    answers=_STORED,
    headers=(KEY,),
    errors=(
        ErrorCode.NOT_FOUND,
        ErrorCode.STORAGE_LIMIT_EXCEEDED,
        ErrorCode.REVISION_CONFLICT,
        ErrorCode.IDEMPOTENCY_CONFLICT,
        ErrorCode.OVERLOADED,
    ),
)
RESTORE = operation(
    summary="Restore a revision of a workspace",
    description="Creates a new revision with the files of an old one. All revisions remain.",
    body=RestoreBody,
    body_example={"revision": 1, "baseRevision": 2},
    answers=_STORED,
    errors=(ErrorCode.NOT_FOUND, ErrorCode.REVISION_CONFLICT, ErrorCode.OVERLOADED),
)
READ_FILE = operation(
    summary="Read a file of a workspace",
    description=(
        "The unchanged bytes of the file, as a download. `ETag` is their SHA-256 digest. With "
        "`If-None-Match`, unchanged content returns 304."
    ),
    query=RevisionQuery,
    answers={200: Answer("The file.", media_type=BYTES), 304: Answer("Not modified.")},
    errors=(ErrorCode.NOT_FOUND,),
)
CHANGES = operation(
    summary="Compare two revisions of a workspace",
    description="The files that differ between two revisions in any order.",
    query=ChangesQuery,
    answers={200: Answer("The differences.", Changes, enveloped=False)},
    errors=(ErrorCode.NOT_FOUND,),
)
ARCHIVE = operation(
    summary="Download a workspace",
    description="All files of a revision as a zip file, including the bridge file.",
    query=RevisionQuery,
    answers={200: Answer("The zip file.", media_type=ZIP)},
    errors=(ErrorCode.NOT_FOUND,),
)
