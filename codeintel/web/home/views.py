"""The samples and the health of the start page, ready for its template. Pure."""

from __future__ import annotations

from typing import NamedTuple

from codeintel.base.text.quantities import lasting
from codeintel.platform.health import HealthCheck, HealthReport, Status
from codeintel.web.home.samples import AnalysisSample, Step

_CHECK = {
    HealthCheck.OK: "answers",
    HealthCheck.ERROR: "does not answer",
    HealthCheck.NOT_CONFIGURED: "not in use",
}


class Line(NamedTuple):
    """A line of code: its pieces, each with the kind of step that it is or "", and what is said of
    it."""

    number: int
    pieces: tuple[tuple[str, str], ...]
    notes: tuple[tuple[str, str], ...]


class HealthWords(NamedTuple):
    """The health of the service for people."""

    status: Status
    facts: tuple[tuple[str, str, str], ...]
    """Each with a name for programs, one for people, and a value."""


def annotated(sample: AnalysisSample) -> tuple[Line, ...]:
    """The lines of a sample from the one in which the value's way begins to that where it ends,
    without the indentation that they share."""
    first, last = sample.flow[0].line, sample.flow[-1].line
    lines = sample.code.splitlines()[first - 1 : last]
    indent = min(len(text) - len(text.lstrip()) for text in lines)
    return tuple(
        _line(number, text, indent, [each for each in sample.flow if each.line == number])
        for number, text in enumerate(lines, first)
    )


def _line(number: int, text: str, indent: int, steps: list[Step]) -> Line:
    pieces = []
    at = indent
    for step in sorted(steps, key=lambda each: each.start):
        start, end = step.start - 1, step.end - 1
        pieces += [(text[at:start], ""), (text[start:end], step.kind)]
        at = end
    pieces.append((text[at:], ""))
    shown = tuple(piece for piece in pieces if piece[0])
    return Line(number, shown, tuple((step.kind, step.message) for step in steps))


def health_words(report: HealthReport) -> HealthWords:
    """The report in words."""
    return HealthWords(
        report.status,
        (
            ("database", "Database", _CHECK[report.checks.database]),
            ("redis", "Redis", _CHECK[report.checks.redis]),
            ("uptime", "Running for", lasting(report.uptime)),
            ("version", "Version", report.version),
        ),
    )
