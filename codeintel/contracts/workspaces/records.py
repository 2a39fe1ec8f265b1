"""The records that the client and the service exchange about a pushed folder, and its limits."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated

import msgspec
from msgspec import UNSET, Meta, UnsetType

from codeintel.base.timestamps import Moment

MAX_FILES = 2_000
MAX_FILE_BYTES = 1024 * 1024
MAX_TOTAL_BYTES = 20 * 1024 * 1024
"""The limit for the files of a revision, and for the body of a push."""
MAX_PATH_BYTES = 1_000


class ProofState(StrEnum):
    """The progress and outcome of the proof loop for a revision."""

    QUEUED = "queued"
    RUNNING = "running"
    PASSED = "passed"
    FAILED = "failed"
    INCOMPLETE = "incomplete"
    SKIPPED = "skipped"


class SkippedFile(msgspec.Struct, frozen=True, omit_defaults=True):
    """A file that is not stored, and why: the name of a rule, or the client's reason."""

    path: Annotated[str, Meta(min_length=1, max_length=1_000)]
    reason: Annotated[str, Meta(min_length=1, max_length=200)]
    line: Annotated[int, Meta(ge=1, le=2**31 - 1)] = 1
    """The line of a secret."""
    digest: Annotated[str, Meta(max_length=64)] = ""
    """Set by the service only, for an analyzed file with a secret: the SHA-256 of its text without
    the secret.
    """


class LeftOutFile(SkippedFile, frozen=True, omit_defaults=True):
    """A file that a client omitted, and why."""

    text: Annotated[
        str,
        Meta(
            max_length=MAX_FILE_BYTES,
            description="The text of a file with a secret, with `*` for each character of the "
            "secret. It is analyzed and not stored.",
        ),
    ] = ""


class FileEntry(msgspec.Struct, frozen=True):
    """A file of a revision. `size` is in bytes, `sha256` is the digest in hexadecimal."""

    path: str
    sha256: str
    size: int


class ProofStatus(msgspec.Struct, frozen=True, kw_only=True, rename="camel", omit_defaults=True):
    """The state of the proof loop for a session: for its newest revision, unless `revision` names
    an older one. `reason` says why it was skipped or what decided. While it runs, `done` files of
    `total` are analyzed, and `note` names the current step.
    """

    status: ProofState
    revision: int
    report_id: str | UnsetType = UNSET
    reason: str | UnsetType = UNSET
    done: int | UnsetType = UNSET
    total: int | UnsetType = UNSET
    note: str | UnsetType = UNSET
    started_at: Moment | UnsetType = UNSET
    finished_at: Moment | UnsetType = UNSET
