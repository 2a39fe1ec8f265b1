"""Reports of the proof loop as files for other programs and for people."""

from __future__ import annotations

from enum import StrEnum

import msgspec
from flask import Response

from codeintel.capabilities.shapes import RuleQuery
from codeintel.contracts import RuleInfo
from codeintel.http.endpoint import services
from codeintel.web.workspace_reports_print import POLICY, printed_report
from codeintel.workspace.proof import exports
from codeintel.workspace.proof.shapes import Report
from codeintel.workspace.records import WorkspaceRecord


class ReportFormat(StrEnum):
    """How a report is written."""

    JSON = "json"
    SARIF = "sarif"
    CSV = "csv"
    HTML = "html"


MEDIA_TYPES = {
    ReportFormat.JSON: "application/json",
    ReportFormat.SARIF: "application/sarif+json",
    ReportFormat.CSV: "text/csv; charset=utf-8",
    ReportFormat.HTML: "text/html; charset=utf-8",
}


def report_response(
    report: Report, session: WorkspaceRecord, form: ReportFormat, origin: str
) -> Response:
    """A report as a file to be saved, and nothing that a browser would run.

    :param origin: the address of the service, without a slash at the end.
    """
    response = Response(_body(report, session, form, origin), content_type=MEDIA_TYPES[form])
    name = f"report-{session.id}-{report.summary.revision}.{form}"
    response.headers.set("Content-Disposition", "attachment", filename=name)
    response.headers["Content-Security-Policy"] = f"{POLICY}; sandbox"
    return response


def _body(report: Report, session: WorkspaceRecord, form: ReportFormat, origin: str) -> bytes:
    if form is ReportFormat.SARIF:
        return msgspec.json.encode(exports.sarif(report, session, _rules(), origin))
    if form is ReportFormat.CSV:
        return exports.csv(report).encode("utf-8", "replace")
    if form is ReportFormat.HTML:
        return printed_report(report, session).encode("utf-8", "replace")
    return msgspec.json.encode(report)


def _rules() -> dict[str, list[RuleInfo]]:
    """All that is known about rules, by analyser."""
    found: dict[str, list[RuleInfo]] = {}
    for rule in services().catalogue.rules(RuleQuery()):
        found.setdefault(rule.analyzer, []).append(rule)
    return found
