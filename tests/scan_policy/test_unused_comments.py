"""Suppression comments without a finding."""

from __future__ import annotations

import msgspec
import pytest
from scan_samples import file_result, finding, summary

from codeintel.cli.scan.policy import ProjectConfig, judge
from codeintel.cli.scan.policy.layers import parse
from codeintel.cli.scan.report import PolicyReport
from codeintel.contracts import Category, Confidence, Finding, RuleInfo, Severity, Suppression
from codeintel.contracts.scans.records import Cause, FileResult

RULES = {
    "ruff": [
        RuleInfo(
            id=name,
            summary="Calls a shell.",
            cwe="CWE-78",
            severity=Severity.HIGH,
            confidence=Confidence.HIGH,
            category=Category.SECURITY,
        )
        for name in ("S602", "B602", "no-eval")
    ]
}
LEFT = "a.py:1: the comment for S602 suppresses no finding."


def report_on(
    text: str, *findings: Finding, honors: bool = True, language: str = "python", **more: object
) -> PolicyReport:
    result: FileResult = file_result("a.py", text, *findings, **more)
    result = msgspec.structs.replace(result, language=language)
    config = ProjectConfig(parse(f"honor-suppressions = {str(honors).lower()}"))
    return judge([result], None, summary(result), config, source=lambda _path: text, rules=RULES)


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("run(x)  # noqa: S602\n", "S602"),
        ("run(x)  # NOQA:s602\n", "s602"),
        ("run(x)  # nosec B602 -- fixed, until 2027-01-31\n", "B602"),
        ("run(x)  # nosec B602, S602 by hand\n", "B602, S602"),
        ("run(x)  # noqa: E501\n", ""),  # of a program that did not run
        ("run(x)  # noqa: E501, S602\n", ""),
        ("run(x)  # noqa\n", ""),  # may be for another program
        ("run(x)  # nosec\n", ""),
        ('text = "# noqa: S602"\n', ""),
        ('"""Use\n# noqa: S602\n"""\n', ""),
        ("broken(  # noqa: S602\n", ""),
    ],
)
def test_comments_that_suppress_nothing_are_named(text: str, named: str) -> None:
    told = (f"a.py:1: the comment for {named} suppresses no finding.",) if named else ()
    report = report_on(text)
    assert (report.notes, report.exit_status) == (told, 0)


@pytest.mark.parametrize(
    ("text", "is_told"),
    [
        ("eval(x) // eslint-disable-line no-eval\n", True),
        ("// eslint-disable-next-line no-eval -- by hand\nf(x)\n", True),
        ("// eslint-disable-next-line no-eval, other-rule\nf(x)\n", False),
        ('text = "// eslint-disable-line no-eval";\n', False),
    ],
)
def test_comments_in_other_languages(text: str, is_told: bool) -> None:
    assert bool(report_on(text, language="javascript").notes) is is_told


def test_long_lines_are_searched_once() -> None:
    text = "x" * 2_000_000 + " // eslint-disable-line no-eval\n"
    assert report_on(text, language="javascript").notes  # it took hours, not a second
    assert not report_on("x" * 2_000_000 + "\n", language="javascript").notes


def test_used_comments_and_unfinished_files_are_not_told() -> None:
    text = "run(x)  # noqa: S602\n"
    assert report_on(text).notes == (LEFT,)
    marked = finding("S602", line=1, suppression=Suppression("noqa", 1))
    assert not report_on(text, marked).notes
    assert not report_on(text, honors=False).notes
    assert not report_on(text, cause=Cause.TIME, unchecked=("ruff timed out.",)).notes


def test_many_comments_are_counted() -> None:
    notes = report_on("run(x)  # noqa: S602\n" * 25).notes
    assert len(notes) == 21
    assert notes[-1] == "5 more comments suppress no finding."
