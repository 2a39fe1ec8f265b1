"""What a client says about its workspace beside the files: cleaned, and told from others. Pure."""

from __future__ import annotations

import hashlib
import re

import msgspec

from codeintel.base.errors import ErrorCode, ServiceError
from codeintel.contracts.workspaces.local_paths import is_folder_name, is_local_path, label
from codeintel.contracts.workspaces.remotes import without_credentials
from codeintel.workspaces.requests import SyncBody

UNNAMED = "workspace"
UNKNOWN_SOURCE = "api"
_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029]")


class Labels(msgspec.Struct, frozen=True, kw_only=True):
    """Without credentials, and without paths of the client's disk."""

    name: str
    source: str
    local_root_name: str
    branch_name: str
    remote_url: str

    @property
    def identity(self) -> str:
        """What two pushes of one workspace have in common, and those of two do not."""
        parts = [self.name, self.remote_url, self.branch_name, self.local_root_name]
        return hashlib.sha256(msgspec.json.encode(parts)).hexdigest()


def read_labels(body: SyncBody) -> Labels:
    """The labels of a push.

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
        if _CONTROL.search(text):
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
    """The kind of client that something came from.

    :raises ServiceError: `invalid_request` for control characters.
    """
    if _CONTROL.search(text):
        raise _refusal("source", "`source` must not have control characters.")
    return label(text.strip()) or UNKNOWN_SOURCE


def _refusal(field: str, message: str) -> ServiceError:
    return ServiceError(ErrorCode.INVALID_REQUEST, message, details={"path": field})
