"""Compute the content of the dashboard from records, without I/O."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from markupsafe import Markup

from codeintel.base.wording import counted, relative
from codeintel.contracts.workspaces.records import ProofState
from codeintel.identity.keys.records import KeyRecord, KeyStatus
from codeintel.identity.ledger import Balance
from codeintel.search.reports import Breaker, SourceReport
from codeintel.web.plots.svg import element
from codeintel.web.workspaces.views import ProofView
from codeintel.workspaces.proof.shapes import ReportSummary
from codeintel.workspaces.records import WorkspaceRecord

LOW_CREDITS = 20
SOON = timedelta(days=14)
TREND_REPORTS = 12
"""The number of reports in a trend."""
_UNPROVEN = {
    ProofState.FAILED: ("x-circle", "failed its newest analysis"),
    ProofState.INCOMPLETE: ("alert", "was analyzed incompletely"),
}
_HEIGHT, _BAR, _GAP = 20, 5, 2


@dataclass(frozen=True)
class Notice:
    """A problem that needs attention, and the page to solve it."""

    icon: str
    text: str
    address: str
    action: str


@dataclass(frozen=True)
class ProjectRow:
    """A workspace with its newest report. `severities` is None without a report."""

    session: WorkspaceRecord
    proof: ProofView
    severities: list[tuple[str, int]] | None
    trend: Markup
    change: str


def project_row(
    session: WorkspaceRecord, proof: ProofView, reports: Sequence[ReportSummary]
) -> ProjectRow:
    """Return the row of a workspace.

    :param reports: its newest reports with a verdict, the newest first.
    """
    newest = reports[0] if reports else None
    return ProjectRow(
        session=session,
        proof=proof,
        severities=severity_list(newest) if newest is not None else None,
        trend=trend_bars([sum(each.counts.values()) for each in reports][::-1]),
        change=change_words(newest) if newest is not None else "",
    )


def severity_list(report: ReportSummary) -> list[tuple[str, int]]:
    """Return the numbers of findings, the worst severity first."""
    ranked = sorted(report.counts.items(), key=lambda each: each[0].rank)
    return [(severity.value, number) for severity, number in ranked if number]


def change_words(report: ReportSummary) -> str:
    """Return `2 new, 1 fixed`."""
    if report.new is None or report.fixed is None:
        return "First report"
    if not report.new and not report.fixed:
        return "No change"
    return f"{report.new:,} new, {report.fixed:,} fixed"


def trend_bars(totals: Sequence[int]) -> Markup:
    """Draw one bar for each report, the oldest first; nothing for fewer than two reports."""
    if len(totals) < 2:
        return Markup("")
    most = max(*totals, 1)
    bars = []
    for place, total in enumerate(totals):
        height = max(1.0, _HEIGHT * total / most)
        x = place * (_BAR + _GAP)
        bars.append(element("rect", x=x, y=_HEIGHT - height, width=_BAR, height=height))
    told = (
        f"Findings in the last {len(totals)} reports: {', '.join(f'{each:,}' for each in totals)}"
    )
    width = len(totals) * (_BAR + _GAP)
    return element(
        "svg",
        *bars,
        class_="trend",
        role="img",
        aria_label=told,
        viewBox=f"0 0 {width} {_HEIGHT}",
        width=width,
        height=_HEIGHT,
    )


def failed_runs(count: int, address: str, *, has_more: bool) -> Iterator[Notice]:
    """Yield a notice if runs failed in the last 7 days."""
    if count:
        told = f"More than {count} runs" if has_more else counted(count, "run")
        yield Notice("x-circle", f"{told} failed in the last 7 days.", address, "Show failed runs")


def unproven_workspaces(
    newest: Iterable[tuple[WorkspaceRecord, ReportSummary, str]],
) -> Iterator[Notice]:
    """Yield a notice for each workspace whose newest verdict is failed or incomplete.

    :param newest: workspaces with the newest report with a verdict, and its address.
    """
    for session, report, address in newest:
        if report.status in _UNPROVEN:
            icon, told = _UNPROVEN[report.status]
            kind = "Demo workspace" if session.is_demo else "Workspace"
            found = counted(sum(report.counts.values()), "finding")
            text = f"{kind} “{session.name}” {told}: {found}."
            yield Notice(icon, text, address, "Read the report")


def ending_keys(keys: Iterable[KeyRecord], address: str, now: datetime) -> Iterator[Notice]:
    """Yield a notice for each active key that expires soon and was not rotated."""
    for key in keys:
        if key.status is KeyStatus.ACTIVE and not key.replaced_by and key.expires_at - now <= SOON:
            text = f"API key “{key.name}” expires {relative(key.expires_at, now)}."
            yield Notice("key", text, address, "Rotate the key")


def low_credits(balance: Balance, address: str, *, unlimited: bool) -> Iterator[Notice]:
    """Yield a notice if few credits are left."""
    if not unlimited and balance.available < LOW_CREDITS:
        left = counted(max(0, balance.available), "credit")
        text = f"{left} left. Ask the operator of this service for more."
        yield Notice("credit-card", text, address, "Show credits")


def failing_sources(reports: Iterable[SourceReport], address: str, at_ms: int) -> Iterator[Notice]:
    """Yield a notice for each registry that fails, for the operator."""
    for report in reports:
        if report.breaker(at_ms) is not Breaker.CLOSED:
            text = f"Registry {report.source} fails: {report.problem.value.replace('_', ' ')}."
            yield Notice("server", text, address, "Search registries")
