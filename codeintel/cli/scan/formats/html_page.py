"""The report as one HTML file, which needs no network and can be kept as an artifact of CI."""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Iterator, Sequence
from importlib.resources import files
from itertools import groupby
from typing import Any, NamedTuple

import jinja2

from codeintel.base.version import __version__
from codeintel.base.wording import counted, printable
from codeintel.cli.scan.formats.wording import (
    counts_line,
    gap_line,
    remarks,
    state_line,
    verdict_line,
    worst_first,
)
from codeintel.cli.scan.report import JudgedFinding, PolicyReport, Source, State
from codeintel.contracts import FlowStep, Range, Severity
from codeintel.contracts.positions import LineTable

MAX_FINDINGS = 5_000
"""More make browsers slow. The worst ones are shown."""
_CONTEXT = 2
_MAX_LINES = 12
_MAX_LINE = 240
_CUT = "…"


class Line(NamedTuple):
    """A line of code, in three parts. `marked` belongs to the finding."""

    number: int
    before: str
    marked: str
    after: str


class Step(NamedTuple):
    """A step on the path of a value. `code` is its line."""

    place: str
    message: str
    code: str


class Row(NamedTuple):
    """A finding as it is shown."""

    judged: JudgedFinding
    told: str
    lines: Sequence[Line]
    steps: Sequence[Step]


class File(NamedTuple):
    """A file with its findings."""

    path: str
    rows: Sequence[Row]


def render(report: PolicyReport) -> str:
    """Return the page."""
    kept = sorted(report.findings, key=worst_first)[:MAX_FINDINGS]
    cut = len(report.findings) - len(kept)
    told = [*remarks(report)]
    if cut:
        told.append(f"{counted(cut, 'finding')} of least severity not shown.")
    style, script = _part("page.css"), _part("page.js")
    environment = jinja2.Environment(autoescape=True, undefined=jinja2.StrictUndefined)
    environment.filters["printable"] = printable
    return (
        environment.from_string(_part("page.html")).render(
            report=report,
            verdict=verdict_line(report),
            counts=counts_line(report),
            remarks=told,
            gaps=[gap_line(each) for each in report.gaps],
            files=list(_files(report, kept)),
            severities=list(Severity),
            states=list(State),
            numbers=_numbers(kept),
            version=__version__,
            style=style,
            script=script,
            policy=f"default-src 'none'; style-src {_digest(style)}; script-src {_digest(script)}",
        )
        + "\n"
    )


def _part(name: str) -> str:
    return files(__package__).joinpath("page", name).read_text("utf-8").strip()


def _digest(text: str) -> str:
    """Return the source expression of an inline style or script for a content security policy."""
    digest = hashlib.sha256(text.encode()).digest()
    return f"'sha256-{base64.b64encode(digest).decode()}'"


def _numbers(findings: Sequence[JudgedFinding]) -> dict[str, int]:
    """Return the number of shown findings of each severity and state."""
    names: list[Any] = [*Severity, *State]
    return {
        name: sum(name in (each.finding.severity, each.state) for each in findings)
        for name in names
    }


def _files(report: PolicyReport, kept: Sequence[JudgedFinding]) -> Iterator[File]:
    """Yield the files with their findings, in the order of the paths."""
    for path, group in groupby(
        sorted(kept, key=lambda each: each.path), key=lambda each: each.path
    ):
        text = report.source(path)
        table = LineTable(text) if text is not None else None
        yield File(path, [_row(each, table, report.source) for each in group])


def _row(each: JudgedFinding, table: LineTable | None, source: Source) -> Row:
    lines = list(_lines(table, each.finding.range)) if table is not None else []
    steps = [_step(step, each.path, table, source) for step in each.finding.flow or ()]
    return Row(each, state_line(each), lines, steps)


def _step(step: FlowStep, path: str, table: LineTable | None, source: Source) -> Step:
    """Return a step, which may be in another file than the finding."""
    if step.path and step.path != path:
        path, text = step.path, source(step.path)
        table = None if text is None else LineTable(text)
    place = f"{path}:{step.range.start_line}:{step.range.start_column}"
    return Step(place, step.message, _line(table, step.range.start_line).strip()[:_MAX_LINE])


def _lines(table: LineTable, place: Range) -> Iterator[Line]:
    """Yield the lines of a finding with those around them."""
    if place.start_line > len(table):
        return
    end = place.end_line - 1 if place.end_column == 1 else place.end_line
    end = min(max(end, place.start_line), place.start_line + _MAX_LINES - 1, len(table))
    last = min(end + _CONTEXT, len(table))
    for number in range(max(1, place.start_line - _CONTEXT), last + 1):
        text = table.line(number)
        if not place.start_line <= number <= end:
            cut = _CUT * (len(text) > _MAX_LINE)
            yield Line(number, _shown(text[:_MAX_LINE]) + cut, "", "")
            continue
        indent = len(text) - len(text.lstrip())
        start = place.start_column - 1 if number == place.start_line else indent
        stop = place.end_column - 1 if number == place.end_line else len(text)
        low = max(0, start - _MAX_LINE // 2)
        before = _CUT * bool(low) + _shown(text[low:start])
        marked, after = text[start:stop][:_MAX_LINE], text[stop : stop + _MAX_LINE]
        yield Line(number, before, _shown(marked), _shown(after))


def _line(table: LineTable | None, number: int) -> str:
    if table is None or not 1 <= number <= len(table):
        return ""
    return _shown(table.line(number))


def _shown(text: str) -> str:
    """Return a part of a line as the page has it. Columns count characters of the file itself."""
    return printable(text.replace("\t", "    "))
