"""Rows of the list of runs, and what changed between two analyses: pure functions."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import NamedTuple

import msgspec

from codeintel.base.timestamps import from_milliseconds
from codeintel.base.wording import counted, duration
from codeintel.contracts import AnalysisResult, Finding, RunKind
from codeintel.contracts.findings import Severity
from codeintel.contracts.languages import language_title
from codeintel.contracts.states import RunSource, RunState
from codeintel.runs.queries import lasted_ms
from codeintel.runs.store import RunRecord
from codeintel.web.findings.listing import worst_first
from codeintel.workspaces.proof.shapes import ReportedFinding

KINDS = {
    RunKind.ANALYSIS: "Analysis",
    RunKind.TRANSFORM: "Transformation",
    RunKind.SCAN: "Scan",
}
SOURCES = {
    RunSource.API: ("API", "server"),
    RunSource.CLI: ("CLI", "terminal"),
    RunSource.BROWSER: ("Browser", "browser"),
    RunSource.EDITOR: ("Editor", "pencil"),
    RunSource.DEMO: ("Demo", "beaker"),
}
STATE_BADGES = {
    RunState.RUNNING: ("badge-busy", "sync"),
    RunState.COMPLETED: ("badge-good", "check"),
    RunState.INCOMPLETE: ("badge-caution", "alert"),
    RunState.FAILED: ("badge-bad", "x"),
    RunState.CANCELLED: ("", "circle-slash"),
}
_EXACT_MS = 10_000


@dataclass(frozen=True)
class RunRow:
    """A run in a list. `severities` counts findings, the highest severity first, or is None if
    unknown."""

    id: str
    title: str
    is_named: bool
    kind: str
    is_analysis: bool
    is_scan: bool
    language: str
    severities: list[tuple[str, int]] | None
    state: str
    badge: str
    icon: str
    source: str
    source_icon: str
    took: str
    cost: str
    is_charged: bool
    began: datetime


def run_row(record: RunRecord) -> RunRow:
    """Return the row of a run."""
    badge, icon = STATE_BADGES[record.state]
    source, source_icon = SOURCES[RunSource(record.source)] if record.source else ("", "")
    return RunRow(
        id=record.id,
        title=run_title(record),
        is_named=bool(record.file),
        kind=KINDS[RunKind(record.kind)],
        is_analysis=record.kind == RunKind.ANALYSIS,
        is_scan=record.kind == RunKind.SCAN,
        language=language_title(record.language) if record.language else "",
        severities=severity_counts(record.severities),
        state=record.state,
        badge=badge,
        icon=icon,
        source=source,
        source_icon=source_icon,
        took=took(record),
        cost=_credits(record),
        is_charged=bool(record.charged),
        began=from_milliseconds(record.created_ms),
    )


def run_title(record: RunRecord) -> str:
    """Return the name of the file, or what to call code without one."""
    if record.file:
        return record.file
    if record.kind == RunKind.SCAN:
        return "Unnamed repository"
    return "Pasted code" if record.source == RunSource.BROWSER else "Unnamed code"


def _credits(record: RunRecord) -> str:
    """Return the charged credits as a figure, and the price if it is more."""
    if record.charged is None:
        return f"up to {record.price:,}"
    more = "" if record.charged == record.price else f" of {record.price:,}"
    return f"{record.charged:,}{more}"


def took(record: RunRecord) -> str:
    """Return how long the run took, or has taken until now."""
    milliseconds = lasted_ms(record)
    seconds = milliseconds / 1000
    return f"{seconds:.1f} s" if milliseconds < _EXACT_MS else duration(seconds)


def cost(record: RunRecord) -> str:
    """Return the credits charged, and the price if that is more."""
    if record.charged is None:
        return f"{counted(record.price, 'credit')} at most"
    if record.charged == record.price:
        return counted(record.charged, "credit")
    return f"{counted(record.charged, 'credit')} of {record.price:,}"


def severity_counts(document: str | None) -> list[tuple[str, int]] | None:
    """Return the stored numbers of findings, the worst severity first."""
    if document is None:
        return None
    counts = msgspec.json.decode(document, type=dict[str, int])
    return [(each.value, counts[each.value]) for each in Severity if counts.get(each.value)]


class Comparison(NamedTuple):
    """The findings of two analyses."""

    new: list[ReportedFinding]
    fixed: list[ReportedFinding]
    unchanged: list[ReportedFinding]


def compared(older: RunRecord, newer: RunRecord) -> Comparison:
    """Compare the findings of two analyses with results by their fingerprints."""
    before, after = dict(_findings(older)), dict(_findings(newer))
    return Comparison(
        new=_sorted(finding for mark, finding in after.items() if mark not in before),
        fixed=_sorted(finding for mark, finding in before.items() if mark not in after),
        unchanged=_sorted(finding for mark, finding in after.items() if mark in before),
    )


def _findings(record: RunRecord) -> Iterator[tuple[str, Finding]]:
    result = msgspec.json.decode(record.result or "", type=AnalysisResult)
    marks: Sequence[str] = msgspec.json.decode(record.fingerprints or "[]", type=list[str])
    yield from zip(marks, result.findings, strict=False)


def _sorted(findings: Iterable[Finding]) -> list[ReportedFinding]:
    return worst_first(reported(each) for each in findings)


def reported(finding: Finding) -> ReportedFinding:
    """Return a finding as reports have it: the code of a run has no path."""
    return ReportedFinding(path="", finding=finding, fingerprint="", excerpt="")
