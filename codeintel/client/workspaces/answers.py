"""What a client reads of the service's answers about workspaces; it knows nothing of the rest."""

from __future__ import annotations

from typing import Annotated, Any

import msgspec
from msgspec import UNSET, Meta, UnsetType

from codeintel.contracts.workspaces.paths import BRIDGE_PATH, path_problems
from codeintel.contracts.workspaces.records import (
    MAX_FILE_BYTES,
    MAX_FILES,
    MAX_TOTAL_BYTES,
    FileEntry,
    ProofStatus,
    SkippedFile,
)

SessionId = Annotated[str, Meta(pattern="^[A-Za-z0-9_-]{1,64}$")]
Revision = Annotated[int, Meta(ge=1, le=2**53)]


class Counts(msgspec.Struct, frozen=True):
    """What became of a push's files."""

    stored: int
    unchanged: int
    skipped: tuple[SkippedFile, ...] = ()


class Pushed(msgspec.Struct, frozen=True, kw_only=True, rename="camel"):
    """The answer to a push. `bridge` is the content of the bridge file, whatever it has."""

    session_id: SessionId
    revision: Revision
    environment_url: str
    editor_uri: str
    reports_url: str
    proof_loop: ProofStatus
    bridge: dict[str, Any]
    files: Counts


class ReportedFinding(msgspec.Struct, frozen=True):
    """A finding with its file; `comparison` with the report before is unset in a first report."""

    path: str
    finding: dict[str, Any]
    comparison: str | UnsetType = UNSET


class ProofSummary(msgspec.Struct, frozen=True):
    """What came and went since the report on the revision `against`; null in a first report."""

    new: int | None = None
    fixed: int | None = None
    same: int | None = None
    against: int | None = None


class ProofReport(msgspec.Struct, frozen=True):
    """The report on a revision."""

    summary: ProofSummary
    findings: tuple[ReportedFinding, ...]


class Session(msgspec.Struct, frozen=True, kw_only=True, rename="camel"):
    """A session."""

    session_id: SessionId
    name: str
    local_root_name: str
    branch_name: str
    remote_url: str
    revision: Revision
    environment_url: str
    editor_uri: str
    reports_url: str


class Differences(msgspec.Struct, frozen=True, kw_only=True):
    """What lies between two revisions."""

    changed: list[FileEntry]
    deleted: list[str]

    def without_bridge(self) -> Differences:
        """The same without the bridge file, which each revision has anew."""
        return Differences(
            changed=[entry for entry in self.changed if entry.path != BRIDGE_PATH],
            deleted=[path for path in self.deleted if path != BRIDGE_PATH],
        )


class RevisionNumber(msgspec.Struct, frozen=True):
    """Which revision it is."""

    number: Revision


class Snapshot(msgspec.Struct, frozen=True, kw_only=True, rename="camel"):
    """A session at one of its revisions."""

    session: Session
    revision: RevisionNumber
    proof_loop: ProofStatus
    bridge: dict[str, Any]
    files: list[FileEntry]

    def by_path(self) -> dict[str, FileEntry]:
        """The files without the bridge file.

        :raises ValueError: if no workspace can have these; the text says which and why.
        """
        files = {entry.path: entry for entry in self.files if entry.path != BRIDGE_PATH}
        for problem in path_problems(files):
            raise ValueError(f"it lists {problem.path} ({problem.reason})")
        if len(files) > MAX_FILES or sum(e.size for e in files.values()) > MAX_TOTAL_BYTES:
            raise ValueError("it lists more than a workspace may have")
        for entry in files.values():
            if not 0 <= entry.size <= MAX_FILE_BYTES:
                raise ValueError(f"it lists {entry.path} with {entry.size:,} bytes")
        return files

    def digests(self) -> dict[str, str]:
        """SHA-256 by path, without the bridge file."""
        return {entry.path: entry.sha256 for entry in self.files if entry.path != BRIDGE_PATH}

    def as_pushed(self) -> Pushed:
        """What a push of these very files would be answered."""
        session = self.session
        return Pushed(
            session_id=session.session_id,
            revision=self.revision.number,
            environment_url=session.environment_url,
            editor_uri=session.editor_uri,
            reports_url=session.reports_url,
            proof_loop=self.proof_loop,
            bridge=self.bridge,
            files=Counts(0, len(self.digests())),
        )
