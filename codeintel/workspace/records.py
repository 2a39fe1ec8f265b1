"""Workspaces as they are pushed, stored and shown."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from enum import StrEnum
from typing import Annotated

import msgspec
from msgspec import UNSET, Meta, UnsetType

from codeintel.moments import Moment

MAX_FILES = 2_000
MAX_FILE_BYTES = 1024 * 1024
MAX_TOTAL_BYTES = 20 * 1024 * 1024
"""Of the files of one revision, and of the body of a push."""
MAX_PATH_BYTES = 1_000
GROUP_BYTES = 2 * 1024 * 1024
"""Of contents that are held at once while many are read."""


class Origin(StrEnum):
    """How a revision came about."""

    PUSH = "push"
    EDIT = "edit"
    RESTORE = "restore"


class ProofState(StrEnum):
    """How far the proof loop is with a revision, and what came of it."""

    QUEUED = "queued"
    RUNNING = "running"
    PASSED = "passed"
    FAILED = "failed"
    INCOMPLETE = "incomplete"
    SKIPPED = "skipped"


class SkippedFile(msgspec.Struct, frozen=True, omit_defaults=True):
    """A file that is not stored, and why: a rule's name, or the client's own reason."""

    path: Annotated[str, Meta(min_length=1, max_length=1_000)]
    reason: Annotated[str, Meta(min_length=1, max_length=200)]
    line: Annotated[int, Meta(ge=1, le=2**31 - 1)] = 1
    """Of a secret: where it stands."""
    digest: Annotated[str, Meta(max_length=64)] = ""
    """Set by the service alone, where a file with a secret was analysed: the SHA-256 of its text
    without the secret."""


class FileEntry(msgspec.Struct, frozen=True):
    """A file of a revision: `size` in bytes, `sha256` of these bytes in hexadecimal."""

    path: str
    sha256: str
    size: int


class ProofStatus(msgspec.Struct, frozen=True, kw_only=True, rename="camel", omit_defaults=True):
    """How the proof loop stands with a session: with its newest revision, unless `revision` names
    an older one. `reason` says why it was skipped or what decided; while it runs, `done` files of
    `total` are analysed, and `note` says what is done."""

    status: ProofState
    revision: int
    report_id: str | UnsetType = UNSET
    reason: str | UnsetType = UNSET
    done: int | UnsetType = UNSET
    total: int | UnsetType = UNSET
    note: str | UnsetType = UNSET
    started_at: Moment | UnsetType = UNSET
    finished_at: Moment | UnsetType = UNSET


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
