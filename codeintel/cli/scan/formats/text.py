"""The report as text: findings by file, with code frames, then what was not checked."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby

import click

from codeintel.base.wording import counted, printable
from codeintel.cli.render import FindingText
from codeintel.cli.scan.formats.wording import (
    as_document,
    counts_line,
    gap_line,
    remarks,
    verdict_line,
    worst_first,
)
from codeintel.cli.scan.report import PolicyReport

MAX_GAPS = 50
_COLOURS = {0: "green", 1: "red", 3: "yellow"}


def render(
    report: PolicyReport, *, frames: bool = True, colour: bool = False, width: int | None = None
) -> str:
    """Return the new findings by file, worst first, and a summary.

    :param frames: whether to show the code of findings.
    :param width: columns of the terminal.
    """
    return "".join(f"{line}\n" for line in _lines(report, frames, colour, width))


def _lines(report: PolicyReport, frames: bool, colour: bool, width: int | None) -> Iterator[str]:
    for path, group in groupby(report.new, key=lambda each: each.path):
        code = report.source(path) if frames else None
        text = FindingText(path, code=code, colour=colour, width=width)
        for each in sorted(group, key=worst_first):
            yield text.lines(as_document(each.finding)).removesuffix("\n")
    for gap in report.gaps[:MAX_GAPS]:
        yield f"Not checked: {gap_line(gap)}"
    if len(report.gaps) > MAX_GAPS:
        rest = counted(len(report.gaps) - MAX_GAPS, "more gap")
        yield f"Not checked: {rest}. See the output json."
    yield counts_line(report)
    yield from map(printable, remarks(report))
    line = verdict_line(report)
    yield click.style(line, fg=_COLOURS[report.exit_status], bold=True) if colour else line
