"""Findings of a report for its page: grouped by file, and cut into pages. Pure."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from itertools import groupby
from math import ceil

from msgspec import UNSET

from codeintel.base.concurrency.pace import letting_others_run
from codeintel.contracts import Finding
from codeintel.web.workspaces.reports.query import FindingsQuery, chosen
from codeintel.workspaces.proof.shapes import BaselineState, Report, ReportedFinding

PAGE_FINDINGS = 100
COMPARISONS = {
    BaselineState.NEW: "New",
    BaselineState.SAME: "There before",
    BaselineState.FIXED: "Fixed",
}
Link = Callable[[str, int], str]
"""From path and line to the address where the line is shown."""


@dataclass(frozen=True)
class FindingRow:
    """A finding. `link` leads to its line, empty where that is gone; `comparison` is in words."""

    finding: Finding
    excerpt: str
    place: str
    link: str
    remedy: str
    fix: str
    suppressed: str
    comparison: str
    is_unverified: bool


@dataclass(frozen=True)
class FileGroup:
    """A file with some of its findings, the worst first."""

    path: str
    link: str
    rows: tuple[FindingRow, ...]


@dataclass(frozen=True)
class FindingsPage:
    """A page of findings. `first` and `last` count from 1 among `total`; `pages` is at least 1."""

    groups: tuple[FileGroup, ...]
    page: int
    pages: int
    first: int
    last: int
    total: int
    query: FindingsQuery


def findings_page(report: Report, query: FindingsQuery, link: Link) -> FindingsPage:
    """The findings that are asked for: files with the worst ones first; a page behind the last is
    the last."""
    found = chosen(report, query)
    pages = max(1, ceil(len(found) / PAGE_FINDINGS))
    page = min(query.page, pages)
    begin = (page - 1) * PAGE_FINDINGS
    shown = found[begin : begin + PAGE_FINDINGS]
    return FindingsPage(
        groups=tuple(_groups(shown, link)),
        page=page,
        pages=pages,
        first=begin + 1 if shown else 0,
        last=begin + len(shown),
        total=len(found),
        query=query,
    )


def file_groups(report: Report, query: FindingsQuery) -> Iterator[FileGroup]:
    """All findings that are asked for, on one page and without links: each file's as it is
    wanted."""
    return _groups(letting_others_run(chosen(report, query)), lambda _path, _line: "")


def _groups(findings: Iterable[ReportedFinding], link: Link) -> Iterator[FileGroup]:
    for path, found in groupby(findings, key=lambda each: each.path):
        rows = tuple(_row(each, link) for each in found)
        is_gone = all(not row.link for row in rows)
        yield FileGroup(path, "" if is_gone else link(path, 0), rows)


def _row(each: ReportedFinding, link: Link) -> FindingRow:
    finding, range_ = each.finding, each.finding.range
    is_there = each.comparison is not BaselineState.FIXED
    suppression = finding.suppression
    return FindingRow(
        finding=finding,
        excerpt=each.excerpt,
        place=f"line {range_.start_line:,}, column {range_.start_column:,}",
        link=link(each.path, range_.start_line) if is_there else "",
        remedy="" if finding.remedy is UNSET else finding.remedy,
        fix="" if finding.fix is UNSET else finding.fix.message,
        suppressed=""
        if suppression is UNSET
        else f"{suppression.comment} on line {suppression.line:,}",
        comparison="" if each.comparison is UNSET else COMPARISONS[each.comparison],
        is_unverified=finding.unverified is True,
    )
