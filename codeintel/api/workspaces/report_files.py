"""Reports of the proof loop as files for other programs and for people."""

from __future__ import annotations

from collections.abc import Callable
from enum import StrEnum

from flask import Flask, Response, current_app

from codeintel.contracts import RuleInfo
from codeintel.http.endpoint import services
from codeintel.runs.capabilities import RuleQuery
from codeintel.workspaces.proof.documents import encoded
from codeintel.workspaces.proof.exports.files import ExportFormat
from codeintel.workspaces.proof.shapes import Report
from codeintel.workspaces.records import WorkspaceRecord


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

POLICY = "default-src 'none'; style-src 'unsafe-inline'; img-src data:"
"""What a browser may load for a report as a page: nothing. Its styles are in it."""
PrintReport = Callable[[Report, WorkspaceRecord], str]
_PRINT = "codeintel.printed_report"
_BY_WORKERS = {ReportFormat.SARIF: ExportFormat.SARIF, ReportFormat.CSV: ExportFormat.CSV}


def init_reports(app: Flask, printed_report: PrintReport) -> None:
    """Have reports for people made.

    :param printed_report: makes a whole HTML file, which loads no more than :data:`POLICY` says.
    """
    app.extensions[_PRINT] = printed_report


def report_response(
    session: WorkspaceRecord, number: int | None, form: ReportFormat, origin: str
) -> Response:
    """A report as a file to be saved, and nothing that a browser would run.

    :param number: the revision; None for the newest with a verdict.
    :param origin: the address of the service, without a slash at the end.
    :raises ServiceError: `not_found`, `overloaded`.
    """
    revision, body = _body(session, number, form, origin)
    response = Response(body, content_type=MEDIA_TYPES[form])
    name = f"report-{session.id}-{revision}.{form}"
    response.headers.set("Content-Disposition", "attachment", filename=name)
    response.headers["Content-Security-Policy"] = f"{POLICY}; sandbox"
    return response


def _body(
    session: WorkspaceRecord, number: int | None, form: ReportFormat, origin: str
) -> tuple[int, bytes]:
    """The revision that the report is on, and the file."""
    proof = services().proof
    if form in _BY_WORKERS:
        return proof.export(session, number, _BY_WORKERS[form], _rules(), origin)
    report = proof.report(session, number)
    if form is ReportFormat.HTML:
        page: str = current_app.extensions[_PRINT](report, session)
        data = page.encode("utf-8", "replace")
    else:
        data = encoded(report)
    return report.summary.revision, data


def _rules() -> dict[str, list[RuleInfo]]:
    """All that is known about rules, by analyser."""
    found: dict[str, list[RuleInfo]] = {}
    for rule in services().catalogue.rules(RuleQuery()):
        found.setdefault(rule.analyzer, []).append(rule)
    return found
