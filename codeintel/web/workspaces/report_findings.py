"""Findings and languages of a report for its page: by file, by severity, with their code. Pure."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import groupby

from msgspec import UNSET

from codeintel.base.greenlets import letting_others_run
from codeintel.contracts import Finding, Severity
from codeintel.engine.sarif.excerpts import shown_lines
from codeintel.web.findings.frames import NO_CODE, Code
from codeintel.web.findings.listing import worst_first
from codeintel.web.findings.views import Context, FindingView, finding_view
from codeintel.workspaces.proof.shapes import BaselineState, Report, ReportedFinding

Texts = Callable[[str], Code]
"""From a path to the code of the file."""


@dataclass(frozen=True)
class FileGroup:
    """A file with its findings, the worst first."""

    path: str
    rows: tuple[FindingView, ...]


def file_groups(found: Sequence[ReportedFinding], context: Context) -> Iterator[FileGroup]:
    """Return all findings by file, without links. Files with the worst findings come first."""
    for path, rows in groupby(_by_file(found), key=lambda each: each.path):
        yield FileGroup(path, tuple(finding_view(each, context) for each in rows))


def _by_file(found: Sequence[ReportedFinding]) -> Iterator[ReportedFinding]:
    worst: dict[str, int] = {}
    for each in found:
        rank = each.finding.severity.rank
        worst[each.path] = min(rank, worst.get(each.path, rank))
    ordered = worst_first(found)
    yield from letting_others_run(sorted(ordered, key=lambda each: (worst[each.path], each.path)))


def worst_finding(found: Iterable[ReportedFinding]) -> ReportedFinding | None:
    """Return the worst finding that counts; None if the report is clean."""
    return next(iter(worst_first(counting(found))), None)


def code_of_files(
    found: Iterable[ReportedFinding], read: Callable[[Collection[str]], Mapping[str, str]]
) -> Texts:
    """Return what reads the code of the files that findings are in, secrets left out.

    :param read: returns the texts of paths that are still there.
    """
    by_path: dict[str, list[Finding]] = {}
    for each in found:
        by_path.setdefault(each.path, []).append(each.finding)

    @cache
    def code(path: str) -> Code:
        text = read([path]).get(path)
        if text is None:
            return NO_CODE
        lines, masked = shown_lines(text, by_path.get(path, ()))
        return Code(lines, masked)

    return code


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
    """Return the findings that count for the verdict, without suppressed ones."""
    return [each for each in findings if each.finding.suppression is UNSET]


def severity_rows(report: Report) -> list[SeverityRow]:
    """Count findings by severity for the table, without suppressed ones."""
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
    """Return the files with findings that count, the worst first."""
    found: dict[str, Counter[Severity]] = {}
    for each in counting(findings):
        found.setdefault(each.path, Counter())[each.finding.severity] += 1
    rows = [FileCounts(path, tuple(own[each] for each in Severity)) for path, own in found.items()]
    return sorted(rows, key=lambda row: (tuple(-count for count in row.counts), row.path))


def language_rows(report: Report) -> list[LanguageRow]:
    """Return the languages for the table."""
    whole = sum(each.bytes for each in report.languages)
    return [
        LanguageRow(
            each.title, each.files, each.lines, each.bytes, share_in_words(each.bytes, whole)
        )
        for each in report.languages
    ]


def share_in_words(part: int, whole: int) -> str:
    """Return a part of a whole in percent."""
    share = 100 * part / whole if whole else 0.0
    return "under 0.1 %" if 0 < share < 0.05 else f"{share:.1f} %"
