"""Findings and languages of a report for its page: chosen, sorted, grouped and cut. Pure."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from math import ceil
from typing import Annotated

import msgspec
from msgspec import UNSET, Meta, UnsetType

from codeintel.base.greenlets import letting_others_run
from codeintel.contracts import Finding, Severity
from codeintel.workspaces.proof.shapes import BaselineState, Report, ReportedFinding

PAGE_FINDINGS = 100
COMPARISONS = {
    BaselineState.NEW: "New",
    BaselineState.SAME: "There before",
    BaselineState.FIXED: "Fixed",
}
Link = Callable[[str, int], str]
"""From path and line to the address where the line is shown."""


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


@dataclass(frozen=True)
class FileCounts:
    """A file with its findings by severity, the worst first."""

    path: str
    counts: tuple[int, ...]

    @property
    def total(self) -> int:
        """Of all severities."""
        return sum(self.counts)


@dataclass(frozen=True)
class SeverityRow:
    """A severity: findings now, and how they compare; None in a first report."""

    severity: Severity
    found: int
    new: int | None
    same: int | None
    fixed: int | None


@dataclass(frozen=True)
class LanguageRow:
    """A language with its part of all bytes, in words."""

    title: str
    files: int
    lines: int
    bytes: int
    share: str


def counting(findings: Iterable[ReportedFinding]) -> list[ReportedFinding]:
    """Those that count for the verdict: the code does not ask to be quiet about them."""
    return [each for each in findings if each.finding.suppression is UNSET]


def severity_rows(report: Report) -> list[SeverityRow]:
    """Findings by severity, as the table has them; suppressed ones are counted among none."""
    now = counting(report.findings)
    found = Counter(each.finding.severity for each in now)
    told = Counter((each.finding.severity, each.comparison) for each in (*now, *report.fixed))
    is_first = report.summary.against is None

    def count(severity: Severity, comparison: BaselineState) -> int | None:
        return None if is_first else told[severity, comparison]

    return [
        SeverityRow(
            each,
            found[each],
            count(each, BaselineState.NEW),
            count(each, BaselineState.SAME),
            count(each, BaselineState.FIXED),
        )
        for each in Severity
    ]


def file_rows(findings: Iterable[ReportedFinding]) -> list[FileCounts]:
    """Files with findings that count: most of the worst severity first."""
    found: dict[str, Counter[Severity]] = {}
    for each in counting(findings):
        found.setdefault(each.path, Counter())[each.finding.severity] += 1
    rows = [FileCounts(path, tuple(own[each] for each in Severity)) for path, own in found.items()]
    return sorted(rows, key=lambda row: (tuple(-count for count in row.counts), row.path))


def language_rows(report: Report) -> list[LanguageRow]:
    """Languages as the table has them."""
    whole = sum(each.bytes for each in report.languages)
    return [
        LanguageRow(
            each.title, each.files, each.lines, each.bytes, share_in_words(each.bytes, whole)
        )
        for each in report.languages
    ]


def share_in_words(part: int, whole: int) -> str:
    """A part of a whole in percent."""
    share = 100 * part / whole if whole else 0.0
    return "under 0.1 %" if 0 < share < 0.05 else f"{share:.1f} %"
