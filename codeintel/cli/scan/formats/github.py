"""Annotations for GitHub Actions, as workflow commands. New findings only, worst first."""

from __future__ import annotations

from collections.abc import Iterator

from codeintel.base.wording import counted
from codeintel.cli.formats import annotation, workflow_command
from codeintel.cli.scan.formats.wording import (
    as_document,
    counts_line,
    remarks,
    verdict_line,
    worst_first,
)
from codeintel.cli.scan.report import PolicyReport

MAX_SHOWN = 10
"""GitHub shows this many annotations of each level in a step, the first ones."""


def render(report: PolicyReport) -> str:
    """Return one command on each line. Gaps come first, because GitHub shows few warnings."""
    return "".join(_lines(report))


def _lines(report: PolicyReport) -> Iterator[str]:
    for gap in report.gaps:
        properties = {"file": gap.path} if gap.path else {}
        yield workflow_command("warning", {**properties, "title": "Not checked"}, gap.reason)
    found = sorted(report.new, key=worst_first)
    for each in found:
        yield annotation(as_document(each.finding), each.path)
    if len(found) > MAX_SHOWN:
        told = (
            f"GitHub shows at most {MAX_SHOWN} of each level of {counted(len(found), 'finding')}."
        )
        yield f"{told}\n"
    for line in (counts_line(report), *remarks(report)):
        yield _plain(line)
    level = "notice" if report.exit_status == 0 else "error"
    yield workflow_command(level, {"title": "codeintel scan"}, verdict_line(report))


def _plain(line: str) -> str:
    """Return a line of the log that is no command."""
    return f"{' '.join(line.split()).replace('::', ': :')}\n"
