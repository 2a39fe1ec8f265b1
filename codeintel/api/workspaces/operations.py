"""What the endpoints of workspaces promise."""

from __future__ import annotations

from functools import partial
from typing import Annotated

import msgspec
from msgspec import UNSET, Meta, UnsetType

from codeintel.api.workspaces.answers import BYTES, KEY, ZIP
from codeintel.api.workspaces.shapes import RevisionList, SessionAnswer, SessionList, SyncAnswer
from codeintel.base.errors import ErrorCode
from codeintel.base.scopes import Scope
from codeintel.contracts.workspaces.paths import BRIDGE_PATH
from codeintel.contracts.workspaces.records import MAX_TOTAL_BYTES
from codeintel.http.operation import Answer, Link, Operation
from codeintel.workspaces.records import Changes
from codeintel.workspaces.requests import EditBody, RestoreBody, Revision, SyncBody

operation = partial(Operation, tag="Workspaces", authenticated=True, scope=Scope.WORKSPACE_WRITE)
"""What all endpoints of workspaces have in common."""
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
        "The bridge file, which every workspace has.",
    ),
)
_STORED = {
    201: Answer("A new revision.", SyncAnswer, enveloped=False, links=_LINKS),
    200: Answer(
        "Nothing differs from the newest revision.", SyncAnswer, enveloped=False, links=_LINKS
    ),
}
_FIRST = {"files": {"/main.py": "print('hello')\n"}, "name": "hello", "localRootName": "hello"}


class RevisionQuery(msgspec.Struct, frozen=True):
    """Which revision."""

    revision: Annotated[Revision, Meta(description="Absent: the newest.")] | UnsetType = UNSET

    @property
    def number(self) -> int | None:
        """None for the newest."""
        return None if self.revision is UNSET else self.revision


class ChangesQuery(msgspec.Struct, frozen=True):
    """Between which revisions."""

    since: Annotated[Revision, Meta(description="The revision that the client has.")]
    revision: (
        Annotated[Revision, Meta(description="The one that it wants; absent: the newest.")]
        | UnsetType
    ) = UNSET


SYNC = operation(
    summary="Push a workspace",
    description=(
        "Stores all files of a workspace as its next revision, whole or not at all. A push of "
        "the same name, folder, branch and remote goes to the same session; one that changes "
        "nothing makes no revision. Files that hold secrets are left out and named."
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
    description="The account's sessions, the one synced last first.",
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
    description="For good, with all its revisions and reports.",
    answers={204: Answer("It is deleted.")},
    errors=(ErrorCode.NOT_FOUND,),
)
LIST_REVISIONS = operation(
    summary="List the revisions of a workspace",
    description="The newest first, without their files and what was left out of them.",
    answers={200: Answer("The revisions.", RevisionList, enveloped=False)},
    errors=(ErrorCode.NOT_FOUND,),
)
EDIT = operation(
    summary="Edit files of a workspace",
    description=(
        "Stores changes to some files as the next revision, whole or not at all. What others "
        "have changed in other files since the base revision stays."
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
    description="Makes a new revision with the files of an old one. No revision is lost.",
    body=RestoreBody,
    body_example={"revision": 1, "baseRevision": 2},
    answers=_STORED,
    errors=(ErrorCode.NOT_FOUND, ErrorCode.REVISION_CONFLICT, ErrorCode.OVERLOADED),
)
READ_FILE = operation(
    summary="Read a file of a workspace",
    description=(
        "Its bytes as they were pushed, always to be saved and never to be shown. `ETag` is "
        "their SHA-256: with `If-None-Match` the answer to the same content is a 304."
    ),
    query=RevisionQuery,
    answers={200: Answer("The file.", media_type=BYTES), 304: Answer("The client has it.")},
    errors=(ErrorCode.NOT_FOUND,),
)
CHANGES = operation(
    summary="Compare two revisions of a workspace",
    description="The files that differ, in either direction of time.",
    query=ChangesQuery,
    answers={200: Answer("What differs.", Changes, enveloped=False)},
    errors=(ErrorCode.NOT_FOUND,),
)
ARCHIVE = operation(
    summary="Download a workspace",
    description="All files of a revision as a zip file, the bridge file too.",
    query=RevisionQuery,
    answers={200: Answer("The zip file.", media_type=ZIP)},
    errors=(ErrorCode.NOT_FOUND,),
)
