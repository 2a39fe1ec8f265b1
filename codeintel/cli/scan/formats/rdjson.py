"""Diagnostics for reviewdog (rdjson), with fixes as suggestions. New findings only."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any
from urllib.parse import quote

from codeintel.cli.output import json_text
from codeintel.cli.scan.formats.wording import WHOLE, full_message, worst_first
from codeintel.cli.scan.report import Gap, JudgedFinding, PolicyReport
from codeintel.contracts import Applicability, Range, Severity
from codeintel.contracts.positions import LineTable

_SEVERITIES: Mapping[Severity, str] = {
    Severity.CRITICAL: "ERROR",
    Severity.HIGH: "ERROR",
    Severity.MEDIUM: "WARNING",
    Severity.LOW: "INFO",
    Severity.INFO: "INFO",
}
_WEAKNESSES = "https://cwe.mitre.org/data/definitions/"


def render(report: PolicyReport) -> str:
    """Return the diagnostics, worst first. Columns count bytes of UTF-8, as reviewdog does."""
    tables: dict[str, LineTable | None] = {}
    diagnostics = [_gap(each) for each in report.gaps]
    for each in sorted(report.new, key=worst_first):
        if each.path not in tables:
            text = report.source(each.path)
            tables[each.path] = None if text is None else LineTable(text)
        diagnostics.append(_diagnostic(each, tables[each.path]))
    return json_text({"source": {"name": "codeintel"}, "diagnostics": diagnostics})


def _diagnostic(each: JudgedFinding, table: LineTable | None) -> dict[str, Any]:
    finding = each.finding
    code: dict[str, Any] = {"value": finding.rule_id}
    if finding.cwe is not None:
        code["url"] = f"{_WEAKNESSES}{quote(finding.cwe.removeprefix('CWE-'))}.html"
    told: dict[str, Any] = {
        "message": full_message(each),
        "location": {"path": each.path, "range": _range(finding.range, table)},
        "severity": _SEVERITIES[finding.severity],
        "source": {"name": finding.engine},
        "code": code,
    }
    fix = finding.fix
    if fix and fix.applicability is not Applicability.DISPLAY and table is not None:
        told["suggestions"] = [
            {"range": _range(edit.range, table), "text": edit.content} for edit in fix.edits
        ]
    return told


def _range(range_: Range, table: LineTable | None) -> dict[str, Any]:
    return {
        "start": _position(range_.start_line, range_.start_column, table),
        "end": _position(range_.end_line, range_.end_column, table),
    }


def _position(line: int, column: int, table: LineTable | None) -> dict[str, int]:
    """Return a position. Without the text of the file, it is that of the whole line."""
    if table is None or line > len(table):
        return {"line": line}
    before = table.line(line)[: column - 1]
    return {"line": line, "column": len(before.encode("utf-8", "surrogatepass")) + 1}


def _gap(gap: Gap) -> dict[str, Any]:
    return {
        "message": f"Not checked: {gap.reason}",
        "location": {"path": gap.path or WHOLE},
        "severity": "WARNING",
        "code": {"value": "not-checked"},
    }
