"""The views of report pages, with their plots and the trust scores of manifests. Pure."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from markupsafe import Markup
from msgspec import UNSET

from codeintel.base.wording import counted
from codeintel.contracts import Ecosystem, Severity
from codeintel.contracts.workspaces.records import ProofState, ProofStatus
from codeintel.web.plots.bars import Bar, bars
from codeintel.web.plots.kinds import MOST, Kind, Stack, Step, changes, key, stacks
from codeintel.web.text import visible_plain
from codeintel.web.workspaces.report_findings import (
    FileCounts,
    LanguageRow,
    SeverityRow,
    counting,
    file_rows,
    language_rows,
    severity_rows,
    share_in_words,
)
from codeintel.web.workspaces.views import PROOF, proof_words
from codeintel.workspaces.proof.shapes import Dependency, Manifest, Report, ReportSummary

MOST_FILES = 10
"""That the plot of files shows."""
MOST_LANGUAGES = 8
SEVERITIES = (
    Kind("critical", "Critical"),
    Kind("high", "High", "stripes"),
    Kind("medium", "Medium", "dots"),
    Kind("low", "Low", "lines"),
    Kind("info", "Info"),
)
_CHANGES = (
    Kind("stayed", "Unchanged"),
    Kind("came", "New", "stripes"),
    Kind("went", "Fixed", "lines"),
)
_ECOSYSTEMS = frozenset(Ecosystem)
TrustPage = Callable[[str], str]
"""From a package, such as `pypi:requests`, to the address of its page."""
JUDGED = frozenset({ProofState.PASSED, ProofState.FAILED, ProofState.INCOMPLETE})
"""States with a report."""
_GOING = frozenset({ProofState.QUEUED, ProofState.RUNNING})


def severity_plot(rows: Sequence[SeverityRow]) -> Markup | None:
    """Return all findings as one bar with its legend; None if the report is clean."""
    total = sum(row.found for row in rows)
    if not total:
        return None
    bar = Stack("All files", counted(total, "finding"), tuple(row.found for row in rows))
    plot = stacks("by-severity", "Findings by severity", "finding", [bar], SEVERITIES)
    return plot + key("by-severity", SEVERITIES, "Legend")


def files_plot(rows: Sequence[FileCounts]) -> Markup | None:
    """Return a plot of the files with the worst findings; None if the report is clean."""
    drawn = [
        Stack(visible_plain(row.path), f"{row.total:,}", row.counts) for row in rows[:MOST_FILES]
    ]
    if not drawn:
        return None
    plot = stacks("by-file", "Findings by file and severity", "finding", drawn, SEVERITIES)
    return plot + key("by-file", SEVERITIES, "Legend")


def languages_plot(report: Report) -> Markup | None:
    """Return a plot of the languages with most bytes; None for an empty revision."""
    whole = sum(each.bytes for each in report.languages)
    if not whole:
        return None
    drawn = [
        Bar(
            each.title,
            share_in_words(each.bytes, whole),
            each.bytes / whole,
            each.bytes / whole,
            1.0,
        )
        for each in report.languages[:MOST_LANGUAGES]
    ]
    told = ", ".join(
        f"{each.title} {share_in_words(each.bytes, whole)}" for each in report.languages
    )
    return bars("by-language", "Languages by share of bytes", f"{told}.", drawn, 1.0)


def trend_plot(reports: Sequence[ReportSummary]) -> Markup | None:
    """Return a plot of findings by report, oldest first; None for fewer than two reports.

    :param reports: reports with a verdict, the newest first.
    """
    shown = reports[:MOST][::-1]
    if len(shown) < 2:
        return None
    steps = [
        Step(
            f"Revision {each.revision:,}",
            f"r{each.revision}",
            stayed=sum(each.counts.values()) if each.new is None else each.same or 0,
            came=each.new or 0,
            went=each.fixed or 0,
        )
        for each in shown
    ]
    title = "Findings by report"
    return changes("trend", title, steps, _CHANGES) + key("trend", _CHANGES, "Legend")


@dataclass(frozen=True)
class DependencyRow:
    """A dependency. `told` says why the score is missing; `page` is the address of the package's
    page, empty for private packages."""

    name: str
    requirement: str
    group: str
    page: str
    score: str
    interval: str
    told: str
    concerns: tuple[str, ...]


@dataclass(frozen=True)
class ManifestView:
    """A manifest with its dependencies."""

    path: str
    ecosystem: str
    problem: str
    rows: tuple[DependencyRow, ...]


def manifest_view(manifest: Manifest, trust_page: TrustPage) -> ManifestView:
    """Return a manifest for the page."""
    return ManifestView(
        path=manifest.path,
        ecosystem=manifest.ecosystem,
        problem="" if manifest.problem is UNSET else manifest.problem,
        rows=tuple(
            _dependency(each, manifest.ecosystem, trust_page) for each in manifest.dependencies
        ),
    )


def _dependency(each: Dependency, ecosystem: str, trust_page: TrustPage) -> DependencyRow:
    is_private = each.private is not UNSET
    trust = each.trust
    told = "Not checked"
    if each.private is not UNSET:
        told = f"Not checked: {each.private}"
    elif trust is not UNSET and trust.unknown is not UNSET:
        told = trust.unknown
    has_page = not is_private and ecosystem in _ECOSYSTEMS
    return DependencyRow(
        name=each.name,
        requirement=each.requirement,
        group=each.group,
        page=trust_page(f"{ecosystem}:{each.name}") if has_page else "",
        score="" if trust is UNSET or trust.score is UNSET else f"{trust.score:.0f}",
        interval=""
        if trust is UNSET or trust.low is UNSET or trust.high is UNSET
        else f"{trust.low:.0f} to {trust.high:.0f}",
        told=told,
        concerns=() if trust is UNSET else trust.concerns,
    )


@dataclass(frozen=True)
class ReportRow:
    """A report in the list. `worst` has the counts by severity in words."""

    summary: ReportSummary
    title: str
    found: int
    worst: str
    is_judged: bool


@dataclass(frozen=True)
class StatusView:
    """The state of the proof loop for the newest revision.

    `done` and `total` count files. `total` is 0 if it is unknown. While the loop waits for its
    interval, an analysis can be requested immediately.
    """

    state: str
    title: str
    revision: int
    told: str
    done: int
    total: int
    is_going: bool
    waits: bool


@dataclass(frozen=True)
class ReportView:
    """A report on its page, without its findings. `found` does not count findings that comments in
    the code suppress, and `suppressed` counts only them."""

    report: Report
    title: str
    found: int
    suppressed: int
    worst: str
    severities: Sequence[SeverityRow]
    severities_plot: Markup | None
    files: Sequence[FileCounts]
    files_plot: Markup | None
    languages: Sequence[LanguageRow]
    languages_plot: Markup | None
    manifests: tuple[ManifestView, ...]

    @property
    def summary(self) -> ReportSummary:
        """Its summary."""
        return self.report.summary


def report_row(summary: ReportSummary) -> ReportRow:
    """Return a line of the list."""
    return ReportRow(
        summary=summary,
        title=PROOF[summary.status],
        found=sum(summary.counts.values()),
        worst=severities_in_words(summary),
        is_judged=summary.status in JUDGED,
    )


def severities_in_words(summary: ReportSummary) -> str:
    """Return counts such as `1 critical, 12 low`."""
    counts = ((each, summary.counts.get(each, 0)) for each in Severity)
    return ", ".join(f"{count:,} {each.value}" for each, count in counts if count)


def status_view(status: ProofStatus) -> StatusView:
    """Return the state of the proof loop in words and numbers."""
    note = "" if status.note is UNSET else status.note
    return StatusView(
        state=status.status.value,
        title=PROOF[status.status],
        revision=status.revision,
        told=proof_words(status) or note,
        done=0 if status.done is UNSET else status.done,
        total=0 if status.total is UNSET else status.total,
        is_going=status.status in _GOING,
        waits=status.status is ProofState.QUEUED and bool(note),
    )


def report_view(report: Report, trust_page: TrustPage) -> ReportView:
    """Return the page of a report."""
    severities, files = severity_rows(report), file_rows(report.findings)
    found = len(counting(report.findings))
    return ReportView(
        report=report,
        title=PROOF[report.summary.status],
        found=found,
        suppressed=len(report.findings) - found,
        worst=severities_in_words(report.summary),
        severities=severities,
        severities_plot=severity_plot(severities),
        files=files,
        files_plot=files_plot(files),
        languages=language_rows(report),
        languages_plot=languages_plot(report),
        manifests=tuple(manifest_view(each, trust_page) for each in report.manifests),
    )
