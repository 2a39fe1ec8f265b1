"""Which findings of a report are shown, and in which order. Pure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Annotated

import msgspec
from msgspec import UNSET, Meta, UnsetType

from codeintel.contracts import Severity
from codeintel.workspaces.proof.shapes import BaselineState, Report, ReportedFinding


class FindingsQuery(msgspec.Struct, frozen=True):
    """Which findings of a report are shown. Fixed ones only where they are asked for."""

    severity: Severity | UnsetType = UNSET
    comparison: BaselineState | UnsetType = UNSET
    path: Annotated[str, Meta(max_length=1_000)] = ""
    page: Annotated[int, Meta(ge=1, le=1_000_000)] = 1

    @property
    def is_filtered(self) -> bool:
        """Whether anything is left out."""
        return self.severity is not UNSET or self.comparison is not UNSET or self.path != ""

    def parameters(self, page: int) -> dict[str, str | int]:
        """Of the address of another page of the same findings."""
        found: dict[str, str | int] = {}
        if self.severity is not UNSET:
            found["severity"] = self.severity.value
        if self.comparison is not UNSET:
            found["comparison"] = self.comparison.value
        if self.path:
            found["path"] = self.path
        if page > 1:
            found["page"] = page
        return found


def chosen(report: Report, query: FindingsQuery) -> list[ReportedFinding]:
    """Those that are asked for, files with the worst ones first."""
    return _sorted([each for each in _asked(report, query) if _fits(each, query)])


def _asked(report: Report, query: FindingsQuery) -> Sequence[ReportedFinding]:
    return report.fixed if query.comparison is BaselineState.FIXED else report.findings


def _fits(each: ReportedFinding, query: FindingsQuery) -> bool:
    prefix = query.path if query.path.startswith("/") or not query.path else f"/{query.path}"
    return (
        (query.severity is UNSET or each.finding.severity is query.severity)
        and (query.comparison is UNSET or each.comparison is query.comparison)
        and each.path.startswith(prefix)
    )


def _sorted(findings: Sequence[ReportedFinding]) -> list[ReportedFinding]:
    worst: dict[str, int] = {}
    for each in findings:
        rank = each.finding.severity.rank
        worst[each.path] = min(rank, worst.get(each.path, rank))
    return sorted(findings, key=lambda each: _order(each, worst))


def _order(each: ReportedFinding, worst: Mapping[str, int]) -> tuple[int, str, int, int, int]:
    place = each.finding.range
    rank = each.finding.severity.rank
    return worst[each.path], each.path, rank, place.start_line, place.start_column
