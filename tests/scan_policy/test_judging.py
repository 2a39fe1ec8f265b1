"""The policy's verdict: states, floors, suppressions and gaps."""

from __future__ import annotations

from datetime import date

import pytest
from msgspec import UNSET
from scan_samples import TEXT, file_result, finding, scan_findings, summary

from codeintel.cli.scan.policy import ProjectConfig, judge
from codeintel.cli.scan.policy.layers import parse
from codeintel.cli.scan.report import PolicyReport, State
from codeintel.contracts import Confidence, Finding, Severity, Suppression
from codeintel.contracts.scans.records import (
    Cause,
    CrossFileResult,
    ExcludedFile,
    FileResult,
    ScanVerdict,
)

TODAY = date(2026, 11, 27)


def judged(
    settings: str,
    *results: FileResult,
    left_out: tuple[ExcludedFile, ...] = (),
    text: str = TEXT,
    errors: tuple[str, ...] = (),
) -> PolicyReport:
    return judge(
        results,
        None,
        summary(*results, left_out=left_out),
        ProjectConfig(parse(settings)),
        source=lambda _path: text,
        today=TODAY,
        errors=errors,
    )


# Settings, the finding in `tests/a.py`, and the verdict with the shown severities.
POLICIES: list[tuple[str, Finding, ScanVerdict, list[Severity]]] = [
    ("", finding(), ScanVerdict.FAILED, [Severity.HIGH]),
    ("", finding(severity=Severity.MEDIUM), ScanVerdict.PASSED, [Severity.MEDIUM]),
    ("", finding(confidence=Confidence.LOW), ScanVerdict.PASSED, []),
    ('confidence = "low"', finding(confidence=Confidence.LOW), ScanVerdict.FAILED, [Severity.HIGH]),
    ('fail-on = "none"', finding(), ScanVerdict.PASSED, [Severity.HIGH]),
    ('severity = "critical"', finding(), ScanVerdict.PASSED, []),
    ('[rules]\n"python/*" = "off"', finding(), ScanVerdict.PASSED, []),
    ('[rules]\n"CWE-95" = "off"', finding(), ScanVerdict.PASSED, []),
    ('[rules]\n"patterns:*" = "low"', finding(), ScanVerdict.PASSED, [Severity.LOW]),
    (
        '[rules]\n"*" = "off"\n"python/eval" = "on"',
        finding(),
        ScanVerdict.FAILED,
        [Severity.HIGH],
    ),
    ('[languages.python]\nfail-on = "critical"', finding(), ScanVerdict.PASSED, [Severity.HIGH]),
    ('[languages.ruby]\nseverity = "critical"', finding(), ScanVerdict.FAILED, [Severity.HIGH]),
    (
        '[[override]]\npaths = ["tests/"]\nfail-on = "none"',
        finding(),
        ScanVerdict.PASSED,
        [Severity.HIGH],
    ),
    (
        '[languages.python]\nrules = { "*" = "off" }\n'
        '[[override]]\npaths = ["a.py"]\nrules = { "python/eval" = "critical" }',
        finding(),
        ScanVerdict.FAILED,
        [Severity.CRITICAL],
    ),
    ('[rules]\n"old-name" = "off"', finding(formerly=("old-name",)), ScanVerdict.PASSED, []),
]


@pytest.mark.parametrize(("settings", "found", "verdict", "shown"), POLICIES)
def test_policies(
    settings: str, found: Finding, verdict: ScanVerdict, shown: list[Severity]
) -> None:
    report = judged(settings, file_result("tests/a.py", TEXT, found))
    assert report.verdict is verdict
    assert [each.finding.severity for each in report.findings] == shown
    assert report.hidden.total == 1 - len(shown)


SUPPRESS = '[[suppress]]\nreason = "Only run by hand."\n'


def test_suppressions_need_a_match() -> None:
    result = file_result("a.py", TEXT, finding())
    fingerprint = result.findings[0].fingerprint
    for line in ('rule = "python/*"', 'paths = ["*.py"]', f'fingerprint = "{fingerprint[:12]}"'):
        report = judged(SUPPRESS + line, result)
        assert report.verdict is ScanVerdict.PASSED
        assert report.findings[0].state is State.SUPPRESSED
        assert report.findings[0].reason == "Only run by hand."
        assert not report.notes
    report = judged(f'{SUPPRESS}rule = "python/*"\npaths = ["b.py"]', result)
    assert report.verdict is ScanVerdict.FAILED
    assert "matches no finding. Remove it." in report.notes[0]


def test_suppressions_without_a_match_are_told_after_a_whole_scan_only() -> None:
    config = ProjectConfig(parse(f'{SUPPRESS}rule = "other"'))
    result = file_result("a.py", TEXT)
    partly = file_result("a.py", TEXT, cause=Cause.TIME, unchecked=("taint timed out.",))
    for scanned, is_part, count in ((result, False, 1), (result, True, 0), (partly, False, 0)):
        report = judge([scanned], None, summary(scanned), config, is_part=is_part)
        assert len(report.notes) == count


def test_suppressions_expire() -> None:
    result = file_result("a.py", TEXT, finding())
    until = judged(f'{SUPPRESS}rule = "*"\nuntil = 2026-11-27', result)
    assert until.verdict is ScanVerdict.PASSED
    over = judged(f'{SUPPRESS}rule = "*"\nuntil = 2026-11-26', result)
    assert over.verdict is ScanVerdict.FAILED
    assert "expired on November 26, 2026" in over.notes[0]


# The line, whether the finding is suppressed, and its reason.
COMMENTS = [
    ("eval(name)  # nosec", True, "nosec on line 2"),
    ("eval(name)  # nosec B307 -- checked above", True, "checked above"),
    ("eval(name)  # nosec -- checked until 2026-12-31", True, "checked until 2026-12-31"),
    ("eval(name)  # nosec -- checked until 2026-11-26", False, ""),
    ("eval(name)  # nosec until=2026-99-99", False, ""),
]


@pytest.mark.parametrize(("line", "is_suppressed", "reason"), COMMENTS)
def test_comments_are_honored(line: str, is_suppressed: bool, reason: str) -> None:
    marked = finding(suppression=Suppression(comment="nosec", line=2))
    result = file_result("a.py", TEXT, marked)
    report = judged("honor-suppressions = true", result, text=f"name = input()\n{line}\n")
    assert (report.findings[0].state is State.SUPPRESSED) is is_suppressed
    assert report.findings[0].reason == reason
    assert any("expired" in note for note in report.notes) is not is_suppressed
    assert judged("", result).findings[0].state is State.NEW


def test_gaps_make_the_scan_incomplete() -> None:
    clean = file_result("a.py", TEXT)
    assert judged("", clean).verdict is ScanVerdict.PASSED
    generated = ExcludedFile(path="b.min.js", reason="Minified.")
    assert judged("", clean, left_out=(generated,)).verdict is ScanVerdict.PASSED
    secret = ExcludedFile(path="c.py", reason="Unreadable.", cause=Cause.UNREADABLE)
    report = judged("", clean, left_out=(generated, secret))
    assert (report.verdict, report.exit_status) == (ScanVerdict.INCOMPLETE, 3)
    assert [(each.path, each.cause) for each in report.gaps] == [("c.py", Cause.UNREADABLE)]
    assert [each.path for each in report.left_out] == ["b.min.js"]
    slow = file_result("d.py", TEXT, cause=Cause.TIME, unchecked=("taint timed out.",))
    assert judged("", slow).gaps[0].reason == "taint timed out."
    assert judged("", slow).verdict is ScanVerdict.INCOMPLETE
    assert judged("", clean, errors=("The service is gone.",)).exit_status == 3


def test_a_failure_is_told_before_a_gap() -> None:
    slow = file_result("d.py", TEXT, finding(), cause=Cause.TIME)
    assert judged("", slow).exit_status == 1


def test_paths_across_files_count() -> None:
    result = file_result("a.py", TEXT)
    cross = CrossFileResult(
        findings=scan_findings("a.py", TEXT, finding("python/cross")), resolved=3, unresolved=2
    )
    report = judge([result], cross, summary(result), ProjectConfig())
    assert report.verdict is ScanVerdict.FAILED
    assert report.notes == (
        "2 calls of imported functions could not be followed into another file; 3 could.",
    )


def test_findings_are_sorted() -> None:
    late = file_result("b.py", TEXT, finding(line=1))
    early = file_result("a.py", TEXT, finding(line=2), finding(line=1))
    report = judged("", late, early)
    places = [(each.path, each.finding.range.start_line) for each in report.findings]
    assert places == [("a.py", 1), ("a.py", 2), ("b.py", 1)]
    assert report.findings[0].finding.suppression is UNSET


@pytest.mark.parametrize("cause", [Cause.TIME, Cause.BUDGET, Cause.CRASH])
def test_values_that_were_not_followed_are_a_gap(cause: Cause) -> None:
    result = file_result("a.py", TEXT)
    cross = CrossFileResult(findings=(), notes=("Linking took too long.",), cause=cause)
    report = judge([result], cross, summary(result), ProjectConfig(), today=TODAY)
    assert (report.verdict, report.exit_status) == (ScanVerdict.INCOMPLETE, 3)
    assert [(each.reason, each.cause) for each in report.gaps] == [
        ("Linking took too long.", cause)
    ]
    assert report.notes == ()


def test_unresolved_calls_are_no_gap() -> None:
    result = file_result("a.py", TEXT)
    cross = CrossFileResult(findings=(), unresolved=3, resolved=1)
    report = judge([result], cross, summary(result), ProjectConfig(), today=TODAY)
    assert (report.verdict, report.gaps) == (ScanVerdict.PASSED, ())
    assert "3 calls" in report.notes[0]
