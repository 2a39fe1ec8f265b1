"""Workspaces as they are stored and shown."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from enum import StrEnum

import msgspec

from codeintel.base.timestamps import Moment
from codeintel.contracts.workspaces.records import FileEntry, SkippedFile

GROUP_BYTES = 2 * 1024 * 1024
"""Of contents that are held at once while many are read."""


class Origin(StrEnum):
    """How a revision came about."""

    PUSH = "push"
    EDIT = "edit"
    RESTORE = "restore"


class WorkspaceRecord(msgspec.Struct, frozen=True, kw_only=True, rename="camel"):
    """A builder session as the database has it."""

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


class RevisionRecord(msgspec.Struct, frozen=True, kw_only=True, rename="camel"):
    """A revision without its files. `changed` counts those that differ from the one before, deleted
    ones too; `bytes` are those of all files."""

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
    """What lies between two revisions of a session."""

    since: int
    revision: int
    changed: tuple[FileEntry, ...]
    deleted: tuple[str, ...]


class Stored(msgspec.Struct, frozen=True, kw_only=True):
    """What became of a push or an edit. `is_new` tells whether it made a revision: an identical
    push makes none. `stored` counts files whose content was new to the account or whose path was
    new to the session or changed; `unchanged` the rest."""

    session: WorkspaceRecord
    revision: RevisionRecord
    is_new: bool
    stored: int
    unchanged: int


def in_groups(entries: Iterable[FileEntry]) -> Iterator[list[FileEntry]]:
    """Files whose contents are about two megabytes together, unless one alone is larger."""
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
