"""Short ways to run analyzers and to make findings."""

from __future__ import annotations

import re
from functools import lru_cache

from codeintel.contracts import (
    Analyzer,
    AnalyzerOutput,
    AnalyzerRequest,
    Confidence,
    Edit,
    Finding,
    Fix,
    Metric,
    Model,
    Note,
    Range,
    Reported,
    Severity,
)


def run(
    analyzer: Analyzer, code: str, *, language: str | None = "python", model: Model = Model.FLASH
) -> list[AnalyzerOutput]:
    return list(analyzer.analyze(AnalyzerRequest(code, language, model)))


def findings(outputs: list[AnalyzerOutput]) -> list[Finding]:
    return [output.finding for output in outputs if isinstance(output, Reported)]


def notes(outputs: list[AnalyzerOutput]) -> list[str]:
    return [output.message for output in outputs if isinstance(output, Note)]


def metrics(outputs: list[AnalyzerOutput]) -> dict[str, int | float]:
    return {output.name: output.value for output in outputs if isinstance(output, Metric)}


def rules(outputs: list[AnalyzerOutput]) -> set[str]:
    return {finding.rule_id for finding in findings(outputs)}


@lru_cache(maxsize=4)
def lines_of(code: str) -> list[str]:
    return re.split(r"\r\n|\r|\n", code)


def is_within(place: Range, code: str) -> bool:
    lines = lines_of(code)
    ends = (place.start_line, place.start_column), (place.end_line, place.end_column)
    return ends[0] <= ends[1] and all(
        1 <= line <= len(lines) and 1 <= column <= len(lines[line - 1]) + 1 for line, column in ends
    )


def text_at(place: Range, code: str) -> str:
    """Return the text of a range, with LF line ends."""
    lines = lines_of(code)[place.start_line - 1 : place.end_line]  # a copy: it is changed below
    lines[-1] = lines[-1][: place.end_column - 1]
    lines[0] = lines[0][place.start_column - 1 :]
    return "\n".join(lines)


def applied(fix: Fix, code: str) -> str:
    """Return the code after a fix; all line ends must be LF."""
    starts = [0]
    for line in code.split("\n"):
        starts.append(starts[-1] + len(line) + 1)

    def offset(line: int, column: int) -> int:
        return starts[line - 1] + column - 1

    def start(edit: Edit) -> int:
        return offset(edit.range.start_line, edit.range.start_column)

    for edit in sorted(fix.edits, key=start, reverse=True):
        end = offset(edit.range.end_line, edit.range.end_column)
        code = code[: start(edit)] + edit.content + code[end:]
    return code


def finding(
    rule_id: str,
    engine: str = "ruff",
    place: tuple[int, int, int, int] = (1, 1, 1, 10),
    severity: Severity = Severity.MEDIUM,
    confidence: Confidence = Confidence.MEDIUM,
    message: str = "something is wrong",
    cwe: str | None = None,
) -> Finding:
    return Finding(
        rule_id=rule_id,
        engine=engine,
        severity=severity,
        confidence=confidence,
        cwe=cwe,
        message=message,
        range=Range(*place),
    )
