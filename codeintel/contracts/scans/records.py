"""The results of a scan: what was found in the files of a repository, and what was not checked."""

from __future__ import annotations

from collections.abc import Iterable
from enum import StrEnum
from typing import Annotated

import msgspec
from msgspec import UNSET, Meta, UnsetType

from codeintel.contracts.analysis import Model
from codeintel.contracts.findings import Finding, Severity

MAX_SCAN_FILES = 50_000
MAX_SCAN_BYTES = 2 * 1024 * 1024 * 1024
"""The limit for the bytes of all files of a scan."""
MAX_SCAN_FILE_BYTES = 5 * 1024 * 1024
"""A larger file is left out, with the cause `size`."""
MAX_SCAN_PATH = 4_096
"""The maximum length of a path in characters."""
Count = Annotated[int, Meta(ge=0)]
Path = Annotated[str, Meta(min_length=1, max_length=MAX_SCAN_PATH)]
Sha256 = Annotated[str, Meta(pattern="^[0-9a-f]{64}$")]


class Cause(StrEnum):
    """Reason for which a file was excluded from an analysis, or only partly analyzed."""

    SECRET = "secret"  # noqa: S105 - a cause, no password
    SIZE = "size"
    TIME = "time"
    CRASH = "crash"
    BUDGET = "budget"
    UNREADABLE = "unreadable"
    NAME = "name"


class FoundFile(msgspec.Struct, frozen=True, kw_only=True, rename="camel"):
    """A file to scan.

    `path` is relative to the root of the scan, with `/` between its parts. `sha256` is the digest
    of its text in UTF-8, in hexadecimal, and `size` the number of bytes. For a file in UTF-8
    without a byte order mark, these are the bytes of the file. `language` is a canonical name, or
    null if the language is unknown, so that only secrets are checked.
    """

    path: Path
    sha256: Sha256
    size: Count
    language: Annotated[str, Meta(min_length=1, max_length=50)] | None


class ExcludedFile(msgspec.Struct, frozen=True, kw_only=True, rename="camel"):
    """A file that was not analyzed, or only partly, with the reason in words.

    With a `cause`, the scan is incomplete. Without one, there was nothing to check, such as in a
    generated file or a file of an unknown language.
    """

    path: Path
    reason: Annotated[str, Meta(max_length=500)]
    cause: Cause | UnsetType = UNSET


_GRAVEST_FIRST = (
    Cause.CRASH,
    Cause.TIME,
    Cause.UNREADABLE,
    Cause.SIZE,
    Cause.BUDGET,
    Cause.SECRET,
    Cause.NAME,
    UNSET,
)
_RANKS = {cause: rank for rank, cause in enumerate(_GRAVEST_FIRST)}


def by_importance(files: Iterable[ExcludedFile]) -> list[ExcludedFile]:
    """Sort files for a list with a limited length: failures first, files without a cause last.

    Files with the same cause keep their order.
    """
    return sorted(files, key=lambda each: _RANKS[each.cause])


class ScanFinding(msgspec.Struct, frozen=True, kw_only=True, rename="camel"):
    """A finding with its file.

    `fingerprint` stays the same while the code around it moves. `excerpt` is the first line of the
    finding, without secrets.
    """

    path: str
    finding: Finding
    fingerprint: str
    excerpt: str


class FileResult(msgspec.Struct, frozen=True, kw_only=True, rename="camel"):
    """The result of one file.

    `findings` are sorted by position. `unchecked` has sentences about checks that could not run;
    with a `cause`, they make the scan incomplete. `cached` marks a result of an earlier scan.
    """

    path: str
    sha256: str
    language: str | None
    lines: Count
    findings: tuple[ScanFinding, ...]
    unchecked: tuple[str, ...] = ()
    cause: Cause | UnsetType = UNSET
    cached: bool = False


class CrossFileResult(msgspec.Struct, frozen=True, kw_only=True, rename="camel"):
    """Paths of values that cross files.

    `findings` are additional to those of the files. A finding of a file repeats one of them if it
    has the same place and weakness, and if `also` names its rule. `repeated` counts such findings
    by severity. `resolved` and `unresolved` count the calls of imported functions. `notes` say what
    the analysis left out. With a `cause`, the scan is incomplete, because values were not followed
    through all files. Calls that cannot be resolved are a limit of the method and no cause.
    """

    findings: tuple[ScanFinding, ...]
    resolved: Count = 0
    unresolved: Count = 0
    notes: tuple[str, ...] = ()
    cause: Cause | UnsetType = UNSET
    repeated: dict[Severity, Count] = {}


class ScanVerdict(StrEnum):
    """The verdict of a scan. `incomplete` if anything that should be checked was not."""

    PASSED = "passed"
    FAILED = "failed"
    INCOMPLETE = "incomplete"


class ScanSummary(msgspec.Struct, frozen=True, kw_only=True, rename="camel"):
    """The end of a scan: counts of everything that its file results contain.

    `left_out` are the files that were not analyzed, failures first. The list may be cut. `causes`
    counts all of them that have a cause, and `skipped` the others. `cross_cause` is why values were
    not followed through all files; `causes` counts it once. `engine` and `version` name what
    analyzed.
    """

    files: Count
    analyzed: Count
    cached: Count
    lines: Count
    counts: dict[Severity, int]
    left_out: tuple[ExcludedFile, ...]
    engine: str
    version: str
    model: Model
    resolved_calls: Count = 0
    unresolved_calls: Count = 0
    notes: tuple[str, ...] = ()
    causes: dict[Cause, Count] = {}
    skipped: Count = 0
    cross_cause: Cause | UnsetType = UNSET

    @property
    def unlisted(self) -> int:
        """The number of files that were not analyzed and that `left_out` has no room for."""
        files = sum(self.causes.values()) + self.skipped - (self.cross_cause is not UNSET)
        return max(0, files - len(self.left_out))


class ScanResult(
    msgspec.Struct, frozen=True, kw_only=True, rename="camel", tag_field="kind", tag="scan"
):
    """The result of a scan's run. `findings` are the worst ones, worst first, and `omitted` counts
    the others. Events do not repeat them, because earlier events have all findings.
    """

    summary: ScanSummary
    findings: tuple[ScanFinding, ...] = ()
    omitted: Count = 0
