"""Workspaces as they are stored and shown, with their URLs."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from enum import StrEnum

import msgspec

from codeintel.base.timestamps import Moment
from codeintel.base.version import API_VERSION
from codeintel.contracts.workspaces.records import FileEntry, ProofStatus, SkippedFile
from codeintel.contracts.workspaces.remotes import editor_uri

GROUP_BYTES = 2 * 1024 * 1024
"""Size of the contents that are in memory at a time while many are read."""


DEMO_SOURCE = "codeintel demo"
"""The kind of client of the demo's workspace. It only marks the workspace, and grants nothing."""


class Origin(StrEnum):
    """The origin of a revision."""

    PUSH = "push"
    EDIT = "edit"
    RESTORE = "restore"


class WorkspaceRecord(msgspec.Struct, frozen=True, kw_only=True, rename="camel"):
    """A builder session in the database."""

    id: str
    account_id: str
    name: str
    source: str
    local_root_name: str
    branch_name: str
    remote_url: str
    revision: int
    trust_dependencies: bool
    created_at: Moment
    synced_at: Moment

    @property
    def is_demo(self) -> bool:
        """Whether it is the demo's workspace."""
        return self.source == DEMO_SOURCE


class RevisionRecord(msgspec.Struct, frozen=True, kw_only=True, rename="camel"):
    """A revision without its files.

    `changed` is the number of files that differ from the previous revision, including deleted ones.
    `bytes` is the size of all files.
    """

    number: int
    origin: Origin
    source: str
    restored_from: int | None
    files: int
    bytes: int
    changed: int
    skipped: tuple[SkippedFile, ...]
    created_at: Moment


class Changes(msgspec.Struct, frozen=True, kw_only=True, rename="camel"):
    """The changes between two revisions of a session."""

    since: int
    revision: int
    changed: tuple[FileEntry, ...]
    deleted: tuple[str, ...]


class Stored(msgspec.Struct, frozen=True, kw_only=True):
    """The result of a push or an edit.

    `is_new` says whether it created a revision, which an identical push does not. `stored` counts
    files with new content, and files that are new or changed in the session. `unchanged` counts the
    rest.
    """

    session: WorkspaceRecord
    revision: RevisionRecord
    is_new: bool
    stored: int
    unchanged: int


def in_groups(entries: Iterable[FileEntry]) -> Iterator[list[FileEntry]]:
    """Yield groups of files whose contents have about two megabytes together, unless one
    alone is larger.
    """
    group: list[FileEntry] = []
    size = 0
    for entry in entries:
        if group and size + entry.size > GROUP_BYTES:
            yield group
            group, size = [], 0
        group.append(entry)
        size += entry.size
    if group:
        yield group


class Bridge(msgspec.Struct, frozen=True, kw_only=True, rename="camel"):
    """The content of `/.codeintel/local-ide-bridge.json`, by which an editor finds its
    session again.
    """

    api_version: str
    session_id: str
    revision: int
    name: str
    synced_at: Moment
    environment_url: str
    editor_uri: str
    reports_url: str
    api_url: str
    proof_loop: ProofStatus


class Links:
    """The URLs of sessions.

    :param origin: under which clients reach the service, without a final slash.
    """

    def __init__(self, origin: str) -> None:
        self._origin = origin.rstrip("/")

    def environment(self, session_id: str) -> str:
        """Return the URL of the online editing environment."""
        return f"{self._origin}/workspace/{session_id}"

    def reports(self, session_id: str) -> str:
        """Return the URL of the reports page."""
        return f"{self._origin}/workspace/{session_id}/reports"

    def api(self, session_id: str) -> str:
        """Return the URL of the session in the API."""
        return f"{self._origin}/api/workspace/{session_id}"

    def editor(self, session: WorkspaceRecord) -> str:
        """Return a link that opens the remote in the session's editor, or the environment."""
        return editor_uri(session.remote_url, session.source, self.environment(session.id))

    def bridge(
        self, session: WorkspaceRecord, revision: RevisionRecord, proof: ProofStatus
    ) -> Bridge:
        """Return the bridge file of a revision."""
        return Bridge(
            api_version=API_VERSION,
            session_id=session.id,
            revision=revision.number,
            name=session.name,
            synced_at=revision.created_at,
            environment_url=self.environment(session.id),
            editor_uri=self.editor(session),
            reports_url=self.reports(session.id),
            api_url=self.api(session.id),
            proof_loop=proof,
        )


def bridge_text(bridge: Bridge) -> str:
    """Return the bridge file's text on disk."""
    return msgspec.json.format(msgspec.json.encode(bridge), indent=2).decode() + "\n"
