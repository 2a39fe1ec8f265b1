"""The report on a revision."""

from __future__ import annotations

from enum import StrEnum

import msgspec
from msgspec import UNSET, UnsetType

from codeintel.base.timestamps import Moment
from codeintel.contracts import Finding, Severity
from codeintel.contracts.workspaces.records import ProofState, SkippedFile


class BaselineState(StrEnum):
    """A finding against the report on the revision before."""

    NEW = "new"
    SAME = "same"
    FIXED = "fixed"


class Cause(StrEnum):
    """Why a file was left out of an analysis that should have had it, or part of it."""

    SECRET = "secret"  # noqa: S105 - a cause, no password
    SIZE = "size"
    TIME = "time"
    CRASH = "crash"
    BUDGET = "budget"
    UNREADABLE = "unreadable"
    NAME = "name"


class UncheckedFile(SkippedFile, frozen=True):
    """A file that was not analyzed, or not wholly, and why. Without a `cause` there was nothing in
    it for the analyzers, such as in a file of no known language: it does not count."""

    cause: Cause | UnsetType = UNSET


class ReportedFinding(msgspec.Struct, frozen=True, kw_only=True, rename="camel"):
    """A finding with its file. `fingerprint` stays the same while the code around it moves;
    `excerpt` is the first line that it is about, secrets left out. `comparison` is unset in a first
    report."""

    path: str
    finding: Finding
    fingerprint: str
    excerpt: str
    comparison: BaselineState | UnsetType = UNSET


class LanguageShare(msgspec.Struct, frozen=True):
    """How much of a workspace is in a language: its canonical name, null for unknown."""

    language: str | None
    title: str
    files: int
    lines: int
    bytes: int


class HotSpot(msgspec.Struct, frozen=True, kw_only=True, rename="camel"):
    """A file that is hard to follow: `score` is the greatest complexity of a function in it;
    `metrics` are the analyzers'."""

    path: str
    score: float
    metrics: dict[str, int | float]


class DependencyTrust(msgspec.Struct, frozen=True, kw_only=True, rename="camel"):
    """What the trust network says of a package, `score` from 0 to 100 with its interval; or why it
    was not asked, in `unknown`."""

    score: float | UnsetType = UNSET
    low: float | UnsetType = UNSET
    high: float | UnsetType = UNSET
    concerns: tuple[str, ...] = ()
    unknown: str | UnsetType = UNSET


class Dependency(msgspec.Struct, frozen=True, kw_only=True, rename="camel"):
    """A direct dependency as a manifest names it. `private` tells why its name is never looked
    up."""

    name: str
    requirement: str
    group: str
    private: str | UnsetType = UNSET
    trust: DependencyTrust | UnsetType = UNSET


class Manifest(msgspec.Struct, frozen=True, kw_only=True):
    """A file that names dependencies. `problem` tells why it could not be read."""

    path: str
    ecosystem: str
    dependencies: tuple[Dependency, ...]
    problem: str | UnsetType = UNSET


class ReportSummary(msgspec.Struct, frozen=True, kw_only=True, rename="camel"):
    """A report without its parts: `counts` are findings by severity, `new`, `fixed` and `same` are
    null in a first report; `against` is the revision that it was compared with."""

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
    """Files that were left out, or looked at in part, by cause."""
    new: int | None = None
    fixed: int | None = None
    same: int | None = None
    against: int | None = None


class Report(msgspec.Struct, frozen=True, kw_only=True, rename="camel"):
    """All that the proof loop has to say of a revision.

    `secrets` are the files that were not stored because they hold some; `unchecked` those that were
    not analyzed, or not wholly, each with the reason and, where it counts, the cause. Findings
    are sorted by path and place; `fixed` are those of the report before that are gone.
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
    """Whether the trust network was asked."""
    notes: tuple[str, ...] = ()
