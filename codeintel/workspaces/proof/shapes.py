"""The report on a revision."""

from __future__ import annotations

from enum import StrEnum

import msgspec
from msgspec import UNSET, UnsetType

from codeintel.base.timestamps import Moment
from codeintel.contracts import Finding, Severity
from codeintel.contracts.scans.records import Cause
from codeintel.contracts.workspaces.records import ProofState, SkippedFile


class BaselineState(StrEnum):
    """The state of a finding, compared with the previous report."""

    NEW = "new"
    SAME = "same"
    FIXED = "fixed"


class UncheckedFile(SkippedFile, frozen=True):
    """A file that was not analyzed, or only partly, with the reason.

    Without a `cause`, the analyzers had nothing to check in it, for example in a file of an unknown
    language. Such a file does not count.
    """

    cause: Cause | UnsetType = UNSET


class ReportedFinding(msgspec.Struct, frozen=True, kw_only=True, rename="camel"):
    """A finding with its file.

    `fingerprint` stays the same while the code around it moves. `excerpt` is its first line,
    without secrets. `comparison` is unset in a first report.
    """

    path: str
    finding: Finding
    fingerprint: str
    excerpt: str
    comparison: BaselineState | UnsetType = UNSET


class LanguageShare(msgspec.Struct, frozen=True):
    """The share of a language in a workspace: its canonical name, or null if unknown."""

    language: str | None
    title: str
    files: int
    lines: int
    bytes: int


class HotSpot(msgspec.Struct, frozen=True, kw_only=True, rename="camel"):
    """A file that is hard to follow.

    `score` is the greatest complexity of its functions. `metrics` are the analyzers'.
    """

    path: str
    score: float
    metrics: dict[str, int | float]


class DependencyTrust(msgspec.Struct, frozen=True, kw_only=True, rename="camel"):
    """The trust score of a package, from 0 to 100 with its interval.

    `unknown` has the reason if it was not looked up.
    """

    score: float | UnsetType = UNSET
    low: float | UnsetType = UNSET
    high: float | UnsetType = UNSET
    concerns: tuple[str, ...] = ()
    unknown: str | UnsetType = UNSET


class Dependency(msgspec.Struct, frozen=True, kw_only=True, rename="camel"):
    """A direct dependency as a manifest names it.

    `private` has the reason if its name is never looked up.
    """

    name: str
    requirement: str
    group: str
    private: str | UnsetType = UNSET
    trust: DependencyTrust | UnsetType = UNSET


class Manifest(msgspec.Struct, frozen=True, kw_only=True):
    """A file that names dependencies. `problem` has the reason if it could not be read."""

    path: str
    ecosystem: str
    dependencies: tuple[Dependency, ...]
    problem: str | UnsetType = UNSET


class ReportSummary(msgspec.Struct, frozen=True, kw_only=True, rename="camel"):
    """A report without its parts.

    `counts` are findings by severity. `new`, `fixed` and `same` are null in a first report.
    `against` is the revision that it was compared with.
    """

    id: str
    session_id: str
    revision: int
    status: ProofState
    reason: str
    started_at: Moment
    finished_at: Moment
    credits_charged: int
    counts: dict[Severity, int]
    files_analyzed: int
    left_out: dict[Cause, int] = {}
    """Numbers of excluded or partly analyzed files, by cause."""
    new: int | None = None
    fixed: int | None = None
    same: int | None = None
    against: int | None = None


class Report(msgspec.Struct, frozen=True, kw_only=True, rename="camel"):
    """The complete report on a revision.

    `secrets` are the files that were not stored because they contain secrets. `unchecked` are the
    files that were not or only partly analyzed, each with the reason and, if it counts, the cause.
    Findings are sorted by path and position. `fixed` are the findings of the previous report that
    are gone.
    """

    summary: ReportSummary
    engine: str
    findings: tuple[ReportedFinding, ...]
    fixed: tuple[ReportedFinding, ...]
    languages: tuple[LanguageShare, ...]
    hot_spots: tuple[HotSpot, ...]
    secrets: tuple[SkippedFile, ...]
    unchecked: tuple[UncheckedFile, ...]
    manifests: tuple[Manifest, ...]
    trust_asked: bool
    """Whether the trust network was queried."""
    notes: tuple[str, ...] = ()
