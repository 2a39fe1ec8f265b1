"""Reports as plots; the tables beside them have the numbers. Pure."""

from __future__ import annotations

from collections.abc import Sequence

from markupsafe import Markup

from codeintel.base.text.quantities import counted
from codeintel.web.plots.bars import Bar, bars
from codeintel.web.plots.changes import MOST, Step, changes
from codeintel.web.plots.kinds import Kind, key
from codeintel.web.plots.stacks import Stack, stacks
from codeintel.web.untrusted_text import visible_plain
from codeintel.web.workspaces.reports.rows import FileCounts, SeverityRow, share_in_words
from codeintel.workspaces.proof.shapes import Report, ReportSummary

MOST_FILES = 10
"""That the plot of files shows."""
MOST_LANGUAGES = 8
SEVERITIES = (
    Kind("critical", "Critical"),
    Kind("high", "High", "stripes"),
    Kind("medium", "Medium", "dots"),
    Kind("low", "Low", "lines"),
    Kind("info", "Info"),
)
_CHANGES = (
    Kind("stayed", "There before"),
    Kind("came", "New", "stripes"),
    Kind("went", "Fixed", "lines"),
)


def severity_plot(rows: Sequence[SeverityRow]) -> Markup | None:
    """All findings as one bar with its key; None where there are none."""
    total = sum(row.found for row in rows)
    if not total:
        return None
    bar = Stack("All files", counted(total, "finding"), tuple(row.found for row in rows))
    plot = stacks("by-severity", "Findings by severity", "finding", [bar], SEVERITIES)
    return plot + key("by-severity", SEVERITIES, "What the bar shows")


def files_plot(rows: Sequence[FileCounts]) -> Markup | None:
    """The files with the worst findings; None where there are none."""
    drawn = [
        Stack(visible_plain(row.path), f"{row.total:,}", row.counts) for row in rows[:MOST_FILES]
    ]
    if not drawn:
        return None
    plot = stacks("by-file", "Findings by file and severity", "finding", drawn, SEVERITIES)
    return plot + key("by-file", SEVERITIES, "What the bars of files show")


def languages_plot(report: Report) -> Markup | None:
    """The languages with most bytes; None where there are none."""
    whole = sum(each.bytes for each in report.languages)
    if not whole:
        return None
    drawn = [
        Bar(
            each.title,
            share_in_words(each.bytes, whole),
            each.bytes / whole,
            each.bytes / whole,
            1.0,
        )
        for each in report.languages[:MOST_LANGUAGES]
    ]
    told = ", ".join(
        f"{each.title} {share_in_words(each.bytes, whole)}" for each in report.languages
    )
    return bars("by-language", "Languages by their part of all bytes", f"{told}.", drawn, 1.0)


def trend_plot(reports: Sequence[ReportSummary]) -> Markup | None:
    """Findings from report to report, in order of time; None for less than two of them.

    :param reports: those that have findings to tell, the newest first.
    """
    shown = reports[:MOST][::-1]
    if len(shown) < 2:
        return None
    steps = [
        Step(
            f"Revision {each.revision:,}",
            f"r{each.revision}",
            stayed=sum(each.counts.values()) if each.new is None else each.same or 0,
            came=each.new or 0,
            went=each.fixed or 0,
        )
        for each in shown
    ]
    title = "Findings from report to report"
    return changes("trend", title, steps, _CHANGES) + key("trend", _CHANGES, "What columns show")
