"""Sentences about a report that several formats show."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any

import msgspec

from codeintel.base.wording import counted, printable
from codeintel.cli.scan.report import Gap, JudgedFinding, PolicyReport, State
from codeintel.contracts import Finding, Severity
from codeintel.contracts.scans.records import ScanVerdict

WHOLE = ".codeintel.toml"
"""The path that formats show for gaps of the whole scan, if they need the path of a file."""
_MAX_REASONS = 5
_VERDICTS = {
    ScanVerdict.PASSED: "Passed",
    ScanVerdict.FAILED: "Failed",
    ScanVerdict.INCOMPLETE: "Incomplete",
}


def verdict_line(report: PolicyReport) -> str:
    """Return the verdict with its reason."""
    failing = sum(each.fails for each in report.findings)
    kind = "new finding" if report.compared_with else "finding"
    least = f" of severity {report.fail_on} or worse" if report.fail_on is not None else ""
    if failing:
        told = f"{counted(failing, kind)}{least}."
    elif report.fail_on is None:
        told = "no severity makes the scan fail."
    else:
        told = f"no {kind}{least}."
    gaps = f" {counted(len(report.gaps), 'check')} could not run." if report.gaps else ""
    return f"{_VERDICTS[report.verdict]}: {told}{gaps}"


def counts_line(report: PolicyReport) -> str:
    """Return the numbers of files and findings."""
    summary = report.summary
    cached = f" ({summary.cached:,} from the cache)" if summary.cached else ""
    read = f"{counted(summary.analyzed, 'file')} with {counted(summary.lines, 'line')}"
    severities = report.severities
    parts = ", ".join(f"{severities[each]:,} {each}" for each in Severity if severities[each])
    kind = "new finding" if report.compared_with else "finding"
    found = f"{counted(len(report.new), kind)} ({parts})" if report.new else f"no {kind}s"
    return f"{read} analyzed{cached}: {found}."


def remarks(report: PolicyReport) -> Iterator[str]:
    """Yield sentences about findings and files that do not count, and the notes."""
    states = report.states
    if report.compared_with:
        fixed = f" {report.fixed:,} fixed." if report.fixed else ""
        yield f"Compared with {report.compared_with}: {states[State.KNOWN]:,} known.{fixed}"
    if states[State.SUPPRESSED]:
        yield f"{counted(states[State.SUPPRESSED], 'finding')} suppressed."
    hidden = report.hidden
    for number, why in (
        (hidden.rules, "of rules that are off"),
        (hidden.severity, "below the least severity"),
        (hidden.confidence, "below the least confidence"),
    ):
        if number:
            yield f"{counted(number, 'finding')} {why} hidden."
    if report.left_out:
        reasons = Counter(printable(each.reason) for each in report.left_out).most_common()
        told = "; ".join(f"{number:,} {reason}" for reason, number in reasons[:_MAX_REASONS])
        more = "; others" if len(reasons) > _MAX_REASONS else ""
        yield f"{counted(len(report.left_out), 'file')} left out: {told}{more}."
    yield from report.notes


def gap_line(gap: Gap) -> str:
    """Return a gap as a sentence with its file."""
    return printable(f"{gap.path}: {gap.reason}" if gap.path else gap.reason)


def state_line(each: JudgedFinding) -> str:
    """Return why a finding does not count, or an empty text."""
    if each.state is State.NEW:
        return ""
    return f"{each.state}: {each.reason}" if each.reason else str(each.state)


def as_document(finding: Finding) -> dict[str, Any]:
    """Return a finding as JSON has it, for functions that take findings of a service."""
    document: dict[str, Any] = _with_lists(msgspec.to_builtins(finding))
    return document


def _with_lists(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _with_lists(each) for key, each in value.items()}
    return [_with_lists(each) for each in value] if isinstance(value, list | tuple) else value


def full_message(each: JudgedFinding) -> str:
    """Return the message of a finding with its remedy."""
    remedy = each.finding.remedy
    return f"{each.finding.message} Fix: {remedy}" if remedy else each.finding.message


def worst_first(each: JudgedFinding) -> tuple[object, ...]:
    """Return a key that sorts findings by severity and confidence, then by place."""
    finding = each.finding
    place = finding.range
    return (
        *(finding.severity.rank, finding.confidence.rank),
        *(each.path, place.start_line, place.start_column, finding.rule_id),
    )
