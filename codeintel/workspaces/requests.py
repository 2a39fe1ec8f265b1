"""Request bodies about workspaces, checked for shape and length, and cleaned labels.

Pure functions.
"""

from __future__ import annotations

import hashlib
import re
from typing import Annotated

import msgspec
from msgspec import Meta

from codeintel.base.errors import ErrorCode, ServiceError
from codeintel.contracts.workspaces.paths import is_folder_name, is_local_path, label
from codeintel.contracts.workspaces.records import (
    MAX_FILES,
    MAX_PATH_BYTES,
    LeftOutFile,
)
from codeintel.contracts.workspaces.remotes import without_credentials

# For readers of the API's description. :mod:`codeintel.contracts.workspaces.paths` decides, because
# it also counts bytes, and knows normal forms and colliding paths.
_CONTROL = r"\x00-\x1f\x7f-\x9f\u2028\u2029"
_END = r"[. ]*(?:/|$)"
_NO_DOTS = r"(?!\.{1,2}(?:/|$))"
_NOT_GITS = rf"(?!\.[gG][iI][tT]{_END})(?![gG][iI][tT]~)"
_NOT_OURS = rf"(?!\.[cC][oO][dD][eE][iI][nN][tT][eE][lL]{_END})(?![cC][oO][dD][eE][iI][nN]~)"
_NAME = rf"{_NO_DOTS}{_NOT_GITS}[^/\\:{_CONTROL}]{{1,255}}"
PATTERN = rf"^/{_NOT_OURS}{_NAME}(?:/{_NAME})*$"
"""Names with leading slashes.

None is `.`, `..` or Git's folder, and the first is not codeintel's folder.
"""
FOLDER_PATTERN = rf"^(?!\.{{1,2}}$)(?![A-Za-z]:)[^/\\{_CONTROL}]*$"
"""A name, without a path or a drive, and not `..`. It may be empty."""
LABEL_PATTERN = rf"^[^{_CONTROL}]*$"
"""A text without control characters or line breaks of any kind."""


Revision = Annotated[int, Meta(ge=1, le=2**53)]
_PATHS = {"propertyNames": {"type": "string", "maxLength": MAX_PATH_BYTES, "pattern": PATTERN}}
_PLAIN = {"pattern": LABEL_PATTERN}
UNNAMED = "workspace"
UNKNOWN_SOURCE = "api"
_CONTROL_CHARACTER = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029]")


class SyncBody(msgspec.Struct, frozen=True, kw_only=True, rename="camel"):
    """A workspace on the client's disk."""

    files: Annotated[
        dict[str, str],
        Meta(
            description="All files, text by path; paths begin with `/`.",
            extra_json_schema={**_PATHS, "minProperties": 1, "maxProperties": MAX_FILES},
        ),
    ]
    name: Annotated[
        str,
        Meta(
            max_length=200,
            description="Name of the workspace. Empty: the folder's name.",
            extra_json_schema=_PLAIN,
        ),
    ] = ""
    source: Annotated[
        str,
        Meta(
            max_length=64,
            description="The kind of client, such as `vscode`.",
            extra_json_schema=_PLAIN,
        ),
    ] = "api"
    local_root_name: Annotated[
        str,
        Meta(
            max_length=200,
            description="Name of its folder, never a path.",
            extra_json_schema={"pattern": FOLDER_PATTERN},
        ),
    ] = ""
    branch_name: Annotated[
        str, Meta(max_length=255, description="The Git branch.", extra_json_schema=_PLAIN)
    ] = ""
    remote_url: Annotated[
        str,
        Meta(
            max_length=2_000,
            description="The Git remote; credentials in it are not stored.",
            extra_json_schema=_PLAIN,
        ),
    ] = ""
    base_revision: Annotated[
        Revision | None,
        Meta(description="The client's newest revision. 409 if the workspace has a newer one."),
    ] = None
    skipped: Annotated[
        tuple[LeftOutFile, ...],
        Meta(max_length=10_000, description="Files that the client has excluded, for the record."),
    ] = ()
    trust_dependencies: Annotated[
        bool | None,
        Meta(
            description="Whether to look up direct dependencies in the trust network, which sends "
            "their names to public registries. Absent: unchanged, initially false."
        ),
    ] = None


class EditBody(msgspec.Struct, frozen=True, kw_only=True, rename="camel"):
    """A change to some files of the newest revision."""

    base_revision: Annotated[Revision, Meta(description="The revision that was edited.")]
    changes: Annotated[
        dict[str, str | None],
        Meta(
            min_length=1,
            max_length=2 * MAX_FILES,
            description="New text by path; null deletes the file.",
            extra_json_schema=_PATHS,
        ),
    ]
    source: Annotated[
        str, Meta(max_length=64, description="The kind of client.", extra_json_schema=_PLAIN)
    ] = "api"


class RestoreBody(msgspec.Struct, frozen=True, kw_only=True, rename="camel"):
    """An old revision to restore as the newest."""

    revision: Annotated[Revision, Meta(description="The revision to restore.")]
    base_revision: Annotated[
        Revision | None,
        Meta(description="The client's newest revision. 409 if the workspace has a newer one."),
    ] = None


class ProofBody(msgspec.Struct, frozen=True, kw_only=True, rename="camel"):
    """The options of a repeated analysis."""

    trust_dependencies: Annotated[
        bool | None,
        Meta(description="Whether to look up direct dependencies, as for a push."),
    ] = None


class Labels(msgspec.Struct, frozen=True, kw_only=True):
    """Labels without credentials and without paths of the client's disk."""

    name: str
    source: str
    local_root_name: str
    branch_name: str
    remote_url: str

    @property
    def identity(self) -> str:
        """A digest that pushes of the same workspace share, and those of different workspaces
        do not.
        """
        parts = [self.name, self.remote_url, self.branch_name, self.local_root_name]
        return hashlib.sha256(msgspec.json.encode(parts)).hexdigest()


def read_labels(body: SyncBody) -> Labels:
    """Return the labels of a push.

    :raises ServiceError: `invalid_request` for a folder that is a path, and for control characters.
    """
    if not is_folder_name(body.local_root_name):
        raise _refusal(
            "localRootName",
            "`localRootName` must be the name of a folder: no path, no drive, not `..`.",
        )
    for field, text in (
        ("name", body.name),
        ("branchName", body.branch_name),
        ("remoteUrl", body.remote_url),
    ):
        if _CONTROL_CHARACTER.search(text):
            raise _refusal(field, f"`{field}` must not have control characters.")
    folder = label(body.local_root_name.strip())
    remote = body.remote_url.strip()
    return Labels(
        name=label(body.name.strip()) or folder or UNNAMED,
        source=read_source(body.source),
        local_root_name=folder,
        branch_name=label(body.branch_name.strip()),
        remote_url="" if is_local_path(remote) else without_credentials(remote),
    )


def read_source(text: str) -> str:
    """Return the kind of client.

    :raises ServiceError: `invalid_request` for control characters.
    """
    if _CONTROL_CHARACTER.search(text):
        raise _refusal("source", "`source` must not have control characters.")
    return label(text.strip()) or UNKNOWN_SOURCE


def _refusal(field: str, message: str) -> ServiceError:
    return ServiceError(ErrorCode.INVALID_REQUEST, message, details={"path": field})
