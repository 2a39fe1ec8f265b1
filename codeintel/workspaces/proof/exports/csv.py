"""The findings of a report as a table for spreadsheets (RFC 4180)."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Sequence

from msgspec import UNSET

from codeintel.workspaces.proof.shapes import Report, ReportedFinding

COLUMNS = (
    "path",
    "startLine",
    "startColumn",
    "endLine",
    "endColumn",
    "severity",
    "confidence",
    "category",
    "cwe",
    "engine",
    "rule",
    "message",
    "remedy",
    "excerpt",
    "comparison",
    "fingerprint",
)
# What spreadsheets take for the beginning of a formula, also in the width of East Asian letters.
_FORMULA = "=+\\-@\uff1d\uff0b\uff0d\uff20"
# A cell that begins so; with blanks or quotes before, which some leave out.
_BEGINS = re.compile(rf"[ \u00a0\"]*[{_FORMULA}\t\r\n]")
# Within a cell, behind what another setting of the spreadsheet takes for the end of a cell or row.
_WITHIN = re.compile(rf"([;\t\r\n][ \u00a0\"]*)(?=[{_FORMULA}])")


def csv_text(report: Report) -> str:
    """One line for each finding, those that are fixed behind the others; lines end at CR LF.

    A text that a spreadsheet would take for a formula begins with an apostrophe, and so does what
    follows a semicolon, tab or line end in it, where other spreadsheets begin a cell.
    """
    written = io.StringIO(newline="")
    rows = csv.writer(written, quoting=csv.QUOTE_ALL, lineterminator="\r\n")
    rows.writerow(COLUMNS)
    rows.writerows(_row(each) for each in (*report.findings, *report.fixed))
    return written.getvalue()


def safe_cell(text: str) -> str:
    """The text as no spreadsheet computes it."""
    text = _WITHIN.sub(r"\1'", text)
    return f"'{text}" if _BEGINS.match(text) else text


def _row(reported: ReportedFinding) -> Sequence[str | int]:
    finding, place = reported.finding, reported.finding.range
    return (
        safe_cell(reported.path),
        place.start_line,
        place.start_column,
        place.end_line,
        place.end_column,
        finding.severity.value,
        finding.confidence.value,
        finding.category.value,
        safe_cell(finding.cwe or ""),
        safe_cell(finding.engine),
        safe_cell(finding.rule_id),
        safe_cell(finding.message),
        safe_cell("" if finding.remedy is UNSET else finding.remedy),
        safe_cell(reported.excerpt),
        "" if reported.comparison is UNSET else reported.comparison.value,
        reported.fingerprint,
    )
