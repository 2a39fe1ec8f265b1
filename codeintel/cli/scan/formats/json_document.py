"""The report as JSON, with everything that the other formats show."""

from __future__ import annotations

from typing import Any

import msgspec

from codeintel.cli.output import json_text
from codeintel.cli.scan.report import Gap, JudgedFinding, PolicyReport, State

VERSION = 1


def render(report: PolicyReport) -> str:
    """Return the report as an indented document in ASCII."""
    return json_text(document(report))


def document(report: PolicyReport) -> dict[str, Any]:
    """Return the report as a JSON document."""
    summary = msgspec.to_builtins(report.summary)
    del summary["leftOut"], summary["notes"]  # in `unchecked`, `leftOut` and `notes` below
    return {
        "version": VERSION,
        "verdict": report.verdict.value,
        "exitStatus": report.exit_status,
        "failOn": report.fail_on.value if report.fail_on is not None else None,
        "comparedWith": report.compared_with or None,
        "fixed": report.fixed,
        "states": {state.value: report.states[state] for state in State},
        "summary": summary,
        "hidden": {
            "rules": report.hidden.rules,
            "severity": report.hidden.severity,
            "confidence": report.hidden.confidence,
        },
        "unchecked": [_gap(each) for each in report.gaps],
        "leftOut": [{"path": each.path, "reason": each.reason} for each in report.left_out],
        "notes": list(report.notes),
        "findings": [_finding(each) for each in report.findings],
    }


def _gap(gap: Gap) -> dict[str, Any]:
    return {
        "path": gap.path or None,
        "reason": gap.reason,
        "cause": gap.cause.value if gap.cause is not None else None,
    }


def _finding(each: JudgedFinding) -> dict[str, Any]:
    told: dict[str, Any] = {
        "path": each.path,
        "state": each.state.value,
        "fails": each.fails,
        "fingerprint": each.found.fingerprint,
        "excerpt": each.found.excerpt,
        "finding": msgspec.to_builtins(each.finding),
    }
    if each.reason:
        told["reason"] = each.reason
    return told
