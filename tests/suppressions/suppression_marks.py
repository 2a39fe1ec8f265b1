"""Findings, and what asks to ignore them in a text, for tests to import."""

from __future__ import annotations

from codeintel_plugins.suppressions import mark_suppressed

from codeintel.contracts import Confidence, Finding, Range, RuleRef, Severity

LANGUAGES = [
    *("python", "javascript", "bash", "go", "c", "ruby", "php", "csharp", "swift", "sql", "css"),
    "cpp",
    *("html", "yaml", "rust", None),
]


def finding(
    rule_id: str = "X1", line: int = 1, *also: str, last: tuple[int, int] | None = None
) -> Finding:
    return Finding(
        rule_id=rule_id,
        engine="any",
        severity=Severity.HIGH,
        confidence=Confidence.HIGH,
        cwe=None,
        message="bad",
        range=Range(line, 1, *(last or (line, 2))),
        also=tuple(RuleRef(each, "other") for each in also),
    )


def asked(code: str, language: str | None, found: Finding) -> tuple[str, int] | None:
    """Return the suppression of the finding: keyword and line."""
    (marked,) = mark_suppressed([found], code, language)
    if not marked.suppression:
        return None
    return marked.suppression.comment, marked.suppression.line


def lines_asked(code: str, language: str | None, rule_id: str = "X1") -> list[int]:
    """Return the lines on which a finding of the rule would be marked."""
    count = code.count("\n") + 1
    found = mark_suppressed(
        [finding(rule_id, line) for line in range(1, count + 1)], code, language
    )
    return [each.range.start_line for each in found if each.suppression]
