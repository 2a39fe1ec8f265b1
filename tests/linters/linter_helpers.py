"""Short helpers that run analyzers, return the text of a range, and apply fixes."""

from __future__ import annotations

import re

from codeintel.contracts import (
    Analyzer,
    AnalyzerOutput,
    AnalyzerRequest,
    Finding,
    Fix,
    Model,
    Note,
    Range,
    Reported,
)


def run(
    analyzer: Analyzer, code: str, language: str, model: Model = Model.PRO
) -> list[AnalyzerOutput]:
    return list(analyzer.analyze(AnalyzerRequest(code, language, model)))


def findings(outputs: list[AnalyzerOutput]) -> list[Finding]:
    return [output.finding for output in outputs if isinstance(output, Reported)]


def notes(outputs: list[AnalyzerOutput]) -> list[str]:
    return [output.message for output in outputs if isinstance(output, Note)]


def rules(outputs: list[AnalyzerOutput]) -> list[str]:
    return [finding.rule_id for finding in findings(outputs)]


def text_at(place: Range, code: str) -> str:
    """Return the text of a range, with LF line ends."""
    lines = re.split(r"\r\n|\r|\n", code)[place.start_line - 1 : place.end_line]
    lines[-1] = lines[-1][: place.end_column - 1]
    lines[0] = lines[0][place.start_column - 1 :]
    return "\n".join(lines)


def applied(fix: Fix, code: str) -> str:
    """Return the code after a fix, line ends as LF."""
    lines = re.split(r"\r\n|\r|\n", code)
    starts = [0]
    for line in lines:
        starts.append(starts[-1] + len(line) + 1)
    text = "\n".join(lines)
    for edit in reversed(fix.edits):
        place = edit.range
        start = starts[place.start_line - 1] + place.start_column - 1
        end = starts[place.end_line - 1] + place.end_column - 1
        text = text[:start] + edit.content + text[end:]
    return text
