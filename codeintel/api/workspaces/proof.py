"""/api/workspace/{id}/proof and its reports: the proof loop of a workspace."""

from __future__ import annotations

from collections.abc import Callable
from enum import StrEnum
from typing import Annotated

import msgspec
from flask import Blueprint, Flask, Response, current_app, request
from msgspec import UNSET, Meta, UnsetType

from codeintel.api.workspaces.operations import RevisionQuery, operation
from codeintel.base.errors import ErrorCode
from codeintel.contracts import RuleInfo
from codeintel.contracts.workspaces.records import ProofStatus
from codeintel.http.endpoint import endpoint, services
from codeintel.http.errors import json_response, unversioned
from codeintel.http.operation import EVENT_STREAM, Answer
from codeintel.http.streams import client_is_gone, limit_writes, stream_response
from codeintel.identity.auth.caller import Caller
from codeintel.runs.capability_types import RuleQuery
from codeintel.workspaces.proof.exports import ExportFormat
from codeintel.workspaces.proof.reading import encoded
from codeintel.workspaces.proof.service import frames
from codeintel.workspaces.proof.shapes import Report, ReportSummary
from codeintel.workspaces.records import WorkspaceRecord
from codeintel.workspaces.requests import ProofBody, Revision

POLICY = "default-src 'none'; style-src 'unsafe-inline'; img-src data:"
"""What a browser may load for an HTML report: nothing except its inline styles."""
PrintReport = Callable[[Report, WorkspaceRecord], str]
_PRINT = "codeintel.printed_report"
blueprint = Blueprint("workspace_proof", __name__, url_prefix="/api/workspace/<workspace_id>")


class ReportFormat(StrEnum):
    """The format of a report."""

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

_BY_WORKERS = {ReportFormat.SARIF: ExportFormat.SARIF, ReportFormat.CSV: ExportFormat.CSV}


def init_reports(app: Flask, printed_report: PrintReport) -> None:
    """Register the function that renders printable reports.

    :param printed_report: renders a whole HTML file that satisfies :data:`POLICY`.
    """
    app.extensions[_PRINT] = printed_report


def report_response(
    session: WorkspaceRecord, number: int | None, form: ReportFormat, origin: str
) -> Response:
    """Return a report as a download, so that browsers never run it.

    :param number: the revision. None for the newest with a verdict.
    :param origin: the address of the service, without a trailing slash.
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
    """Return the report's revision and the file."""
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
    """Return all known rules, by analyzer."""
    found: dict[str, list[RuleInfo]] = {}
    for rule in services().catalogue.rules(RuleQuery()):
        found.setdefault(rule.analyzer, []).append(rule)
    return found


class ReportQuery(msgspec.Struct, frozen=True):
    """The report and its format."""

    revision: (
        Annotated[Revision, Meta(description=("The newest revision with a verdict by default."))]
        | UnsetType
    ) = UNSET
    format: Annotated[
        ReportFormat,
        Meta(description="`sarif`, `csv` and `html` are downloads."),
    ] = ReportFormat.JSON


class ReportList(msgspec.Struct, frozen=True, kw_only=True, rename="camel"):
    """The reports of a workspace, newest first, without their findings."""

    session_id: str
    reports: list[ReportSummary]


@blueprint.get("/proof")
@endpoint(
    operation(
        summary="Read the state of the proof loop",
        description=(
            "The state for the newest revision of a workspace, or for a given one: `queued`, "
            "`running`, then `passed`, `failed` or `skipped`."
        ),
        query=RevisionQuery,
        answers={200: Answer("The status.", ProofStatus, enveloped=False)},
        errors=(ErrorCode.NOT_FOUND,),
    )
)
def read_proof(caller: Caller, query: RevisionQuery, workspace_id: str) -> Response:
    """Return the state."""
    session = services().workspaces.find(caller.account_id, workspace_id)
    revision = services().workspaces.revision(session, query.number)
    return json_response(services().proof.status(session, revision.number))


@blueprint.post("/proof")
@endpoint(
    operation(
        summary="Analyze a workspace",
        description=(
            "Analyzes the newest revision in a background job. If the job is already queued or "
            "running, it continues and nothing is charged twice. The price is 2 to 5 credits, by "
            "the number of analyzed files. See `GET /api/v1/account` for the prices."
        ),
        body=ProofBody,
        body_optional=True,
        body_example={"trustDependencies": False},
        answers={202: Answer("The status.", ProofStatus, enveloped=False)},
        errors=(ErrorCode.NOT_FOUND,),
    )
)
def request_proof(caller: Caller, body: ProofBody, workspace_id: str) -> Response:
    """Start the analysis."""
    session = services().workspaces.find(caller.account_id, workspace_id)
    if body.trust_dependencies is not None:
        services().workspaces.allow_trust(session, body.trust_dependencies)
    return json_response(unversioned(services().proof.request(session)), 202)


@blueprint.get("/proof/events")
@endpoint(
    operation(
        summary="Follow the proof loop",
        description=(
            "Sends an event `proof` with the current status and with each change, until the proof "
            "of the newest revision ends. A client that reconnects starts with the current status. "
            "Comments keep an idle stream open."
        ),
        answers={200: Answer("The statuses.", ProofStatus, media_type=EVENT_STREAM)},
        errors=(ErrorCode.NOT_FOUND,),
    )
)
def follow_proof(caller: Caller, workspace_id: str) -> Response:
    """Stream the status and its changes."""
    found = services()
    session = found.workspaces.find(caller.account_id, workspace_id)
    limit_writes(request)
    is_gone, may_read = client_is_gone(request), found.callers.still_valid(caller)
    return stream_response(
        frames(found.proof.ticks(session), lambda: is_gone() or found.runs.leaving, may_read)
    )


@blueprint.get("/reports")
@endpoint(
    operation(
        summary="List the reports on a workspace",
        description="The reports of all finished proofs, newest first.",
        answers={200: Answer("The reports, without findings.", ReportList, enveloped=False)},
        errors=(ErrorCode.NOT_FOUND,),
    )
)
def list_reports(caller: Caller, workspace_id: str) -> Response:
    """List the reports."""
    session = services().workspaces.find(caller.account_id, workspace_id)
    reports = services().proof.reports(session)
    return json_response(ReportList(session_id=session.id, reports=reports))


@blueprint.get("/report")
@endpoint(
    operation(
        summary="Read a report on a workspace",
        description=(
            "Findings by file, changes since the previous report, languages, complex files, files "
            "with secrets, and dependencies. For a skipped revision, the report only has a summary "
            "with the reason."
        ),
        query=ReportQuery,
        answers={
            200: Answer(
                "The report, or a file with it.",
                Report,
                enveloped=False,
                others=tuple(told.partition(";")[0] for told in list(MEDIA_TYPES.values())[1:]),
            )
        },
        errors=(ErrorCode.NOT_FOUND, ErrorCode.OVERLOADED),
    )
)
def read_report(caller: Caller, query: ReportQuery, workspace_id: str) -> Response:
    """Return the report."""
    session = services().workspaces.find(caller.account_id, workspace_id)
    number = None if query.revision is UNSET else query.revision
    if query.format is ReportFormat.JSON:
        return json_response(services().proof.report(session, number))
    origin = (services().settings.public_url or request.url_root).rstrip("/")
    return report_response(session, number, query.format, origin)
