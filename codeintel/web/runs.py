"""`/runs`: what the account has run; `/runs/<id>`: how one went, and its result, ready
for their templates."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

import msgspec
from flask import Response, request, url_for
from msgspec import UnsetType

from codeintel.base.errors import ErrorCode, ServiceError
from codeintel.base.greenlets import letting_others_run
from codeintel.base.timestamps import from_milliseconds
from codeintel.base.wording import counted
from codeintel.contracts import AnalysisResult, RunKind, TransformationResult, Usage, VerdictOutcome
from codeintel.contracts.languages import language_title
from codeintel.contracts.scans.records import ScanResult
from codeintel.contracts.states import RunState
from codeintel.contracts.transformations import Check, CheckStatus
from codeintel.http.endpoint import services
from codeintel.http.errors import json_response
from codeintel.http.protection import shown_origin
from codeintel.identity.auth.caller import Caller
from codeintel.runs import sarif_files
from codeintel.runs.queries import report
from codeintel.runs.store import RunRecord
from codeintel.web.blueprint import blueprint, page_answer, render_page
from codeintel.web.demo.marks import recorded_runs
from codeintel.web.findings.listing import (
    FindingsPage,
    FindingsQuery,
    findings_page,
    findings_query,
)
from codeintel.web.login.require_login import signed_in
from codeintel.web.run_list.code import WorkspaceCode, choosing, workspace_code
from codeintel.web.run_list.rows import RunRow, cost, reported, run_row
from codeintel.web.schemas.commands import curl
from codeintel.web.text import inline, told
from codeintel.workspaces.proof.shapes import ReportedFinding

_STATES = {
    RunState.INCOMPLETE: "The run did not finish.",
    RunState.FAILED: "The run failed. Nothing was charged.",
    RunState.CANCELLED: "The run was cancelled.",
}
_REASONS = {
    "cancel_requested": "You cancelled it.",
    "client_disconnected": "The client disconnected.",
    "shutdown": "The service was shutting down. Start the run again.",
    "time_limit": "It reached the time limit. Send less code.",
    "length": "The model's answer reached the length limit. Send less code.",
    "content_filter": "The content filter of the model's API blocked the answer.",
    "lease_expired": "Its worker process ended. Start the run again.",
    "service_restarted": "The service was restarted. Start the run again.",
    "backup_restored": "The service was restored from a backup. Start the run again.",
    "internal_error": "An internal error occurred. Start the run again. The log has the reason.",
    "no_code": "The model did not send a complete file. Start the run again.",
    "transformation_failed": "The transformation failed on this code.",
    "invalid_code": "The code has syntax errors. Fix them, or choose another language.",
    "no_analyzer_completed": "No analyzer could check the code.",
    "database_unavailable": "The database was unavailable. Start the run again.",
    "unsupported": "This transformation does not support the code.",
    "unsupported_without_model": "This needs a model, and none is configured.",
    "not_verified": "The new code failed its checks, so the original was returned.",
    "upstream_unreachable": "The model's API could not be reached.",
    "upstream_rate_limited": "The model's API is rate limited. Try again later.",
    "upstream_unavailable": "The model's API was unavailable. Try again later.",
    "upstream_refused": "The model's API rejected the request. Check its settings.",
    "upstream_timeout": "The model's API did not answer in time.",
}
_OTHER_UPSTREAM = "The model's API ended its answer early. Start the run again."
_CHECKS = {
    "parses": "Parses",
    "equivalent": "Same meaning",
    "same_values": "Same values",
    "same_interface": "Same interface",
    "no_new_findings": "No new findings",
    "stable": "Stable when repeated",
    "same_behaviour": "Same behavior when run",
}
_OUTCOMES = {
    CheckStatus.PASSED: "passed",
    CheckStatus.FAILED: "failed",
    CheckStatus.NOT_APPLICABLE: "not checked",
}
_VERDICTS: dict[VerdictOutcome | UnsetType, str] = {
    VerdictOutcome.PROVEN: "Proven: the new code behaves like the original.",
    VerdictOutcome.CHECKED: "Checked, not proven: no check failed, but none proved that the new "
    "code behaves like the original. Review it before you use it.",
    VerdictOutcome.UNPROVEN: "Unproven: the new code failed its checks.",
}
"""Results of earlier versions have no verdict."""
SHOWN_LEFT_OUT = 200
_PLAIN = {RunState.RUNNING, RunState.COMPLETED}
UNNAMED = "code"
"""Name of the code in SARIF, if the run has no file name or one outside of the repository."""


def how_it_went(record: RunRecord) -> str:
    """Say why a run ended without being completed."""
    if not record.reason:
        return _STATES[record.state]
    other = _OTHER_UPSTREAM if record.reason.startswith("upstream_") else ""
    why = _REASONS.get(record.reason, other) or f"The reason is `{record.reason}`."
    return f"{_STATES[record.state]} {why}"


@dataclass(frozen=True)
class CheckView:
    """A check of new code."""

    title: str
    level: str
    status: str
    outcome: str
    evidence: str


@dataclass(frozen=True)
class ResultView:
    """A result: of an analysis the findings, of a transformation the diff and its checks."""

    languages: str
    engine: str
    summary: str = ""
    findings: tuple[ReportedFinding, ...] = ()
    analyzers: tuple[str, ...] = ()
    diff: tuple[tuple[str, str], ...] = ()
    verdict: str = ""
    checks: tuple[CheckView, ...] = ()
    changes: tuple[str, ...] = ()
    losses: tuple[str, ...] = ()
    code: str = ""
    unchecked: tuple[str, ...] = ()


def result_view(record: RunRecord) -> ResultView | None:
    """Return the result of a run, or None if the run has no result."""
    if record.result is None:
        return None
    if record.kind == RunKind.ANALYSIS:
        return _analysis(msgspec.json.decode(record.result, type=AnalysisResult))
    if record.kind == RunKind.SCAN:
        return _scan(msgspec.json.decode(record.result, type=ScanResult))
    return _transformation(msgspec.json.decode(record.result, type=TransformationResult))


def _analysis(result: AnalysisResult) -> ResultView:
    return ResultView(
        languages=language_title(result.language) if result.language else "Unknown",
        engine=result.engine,
        summary=result.summary,
        findings=tuple(reported(each) for each in letting_others_run(result.findings)),
        analyzers=tuple(
            f"{each.name} {each.version}: {each.status.replace('_', ' ')}"
            for each in result.analyzers
        ),
        unchecked=result.unchecked,
    )


def _scan(result: ScanResult) -> ResultView:
    summary = result.summary
    parts = [
        f"{summary.analyzed:,} of {counted(summary.files, 'file')} analyzed, with "
        f"{counted(summary.lines, 'line')}. {counted(summary.cached, 'result')} came from earlier "
        "scans."
    ]
    calls = summary.resolved_calls + summary.unresolved_calls
    if calls:
        parts.append(f"Values were followed through {summary.resolved_calls:,} of {calls:,} calls.")
    if result.omitted:
        parts.append(f"The {len(result.findings):,} worst findings are listed.")
    left_out = [f"`{each.path}`: {each.reason}" for each in summary.left_out[:SHOWN_LEFT_OUT]]
    more = len(summary.left_out) + summary.unlisted - len(left_out)
    if more:
        left_out.append(counted(more, "more file"))
    return ResultView(
        languages="",
        engine=summary.engine,
        summary="\n\n".join(parts),
        findings=tuple(
            ReportedFinding(
                path=each.path,
                finding=each.finding,
                fingerprint=each.fingerprint,
                excerpt=each.excerpt,
            )
            for each in letting_others_run(result.findings)
        ),
        unchecked=(*left_out, *summary.notes),
    )


def _transformation(result: TransformationResult) -> ResultView:
    before, after = language_title(result.source_language), language_title(result.language)
    return ResultView(
        languages=before if before == after else f"{before} to {after}",
        engine=result.engine,
        diff=tuple((_kind_of(line), line) for line in result.diff.splitlines()),
        verdict=_verdict(result),
        checks=tuple(_check(each) for each in result.checks),
        changes=tuple(each.message for each in result.changes),
        losses=result.losses,
        code=result.code if result.changed else "",
        unchecked=result.unchecked,
    )


def _check(check: Check) -> CheckView:
    title = _CHECKS.get(check.name, check.name.replace("_", " ").capitalize())
    return CheckView(title, check.level, check.status, _OUTCOMES[check.status], check.evidence)


def _verdict(result: TransformationResult) -> str:
    if not result.changed:
        return "The code is unchanged. No change was possible, or none passed the checks."
    return _VERDICTS.get(result.verdict, "The code has changed. See the checks.")


def _kind_of(line: str) -> str:
    """Return the CSS class suffix for the kind of a line in a unified diff."""
    if line.startswith(("+++", "---", "@@")):
        return "place"
    return {"+": "added", "-": "removed"}.get(line[:1], "kept")


@dataclass(frozen=True)
class RunView:
    """A run on its page. `told` says why it did not complete."""

    row: RunRow
    engine: str
    model: str
    cost: str
    told: str
    is_running: bool
    finished: datetime | None
    used: str


def run_view(record: RunRecord) -> RunView:
    """Return the view of a run."""
    return RunView(
        row=run_row(record),
        engine=record.engine,
        model=record.model,
        cost=cost(record),
        told=how_it_went(record) if record.state not in _PLAIN else "",
        is_running=record.state is RunState.RUNNING,
        finished=from_milliseconds(record.finished_ms) if record.finished_ms is not None else None,
        used=_used(record),
    )


def _used(record: RunRecord) -> str:
    """Describe the resources that the run used."""
    if record.usage is None:
        return ""
    usage = msgspec.json.decode(record.usage, type=Usage)
    parts = [f"{counted(usage.input_characters, 'character')} of code"]
    about = "about " if usage.estimated else ""
    if usage.input_tokens is not msgspec.UNSET:
        parts.append(f"{about}{counted(usage.input_tokens, 'token')} read")
    if usage.output_tokens is not msgspec.UNSET:
        parts.append(f"{about}{counted(usage.output_tokens, 'token')} written")
    if usage.cached:
        parts.append("cached result")
    return ", ".join(parts)


@blueprint.get("/runs/<run_id>")
@signed_in
def run(caller: Caller, run_id: str) -> Response:
    """Show a run, with its result if it has one."""
    record = services().reader.find(caller, run_id, with_result=True)
    origin = shown_origin()
    query = findings_query(request.args)
    result = result_view(record)
    found = [each.finding for each in result.findings] if result is not None else []
    code = workspace_code(record, found)
    is_of_code = record.kind != RunKind.SCAN  # a scan has many files
    page = render_page(
        "run.html",
        run=run_view(record),
        recorded=recorded_runs([record]),
        result=result,
        shown=_findings(result, query, code, is_of_code) if result is not None else None,
        code=code,
        chooser=choosing(record) if found and code.lines is None and is_of_code else None,
        address=lambda **changed: url_for("web.run", run_id=run_id, **query.parameters(**changed)),
        again=request.path,
        inline=inline,
        shown_text=told,
        command=curl(origin, "GET", f"/api/v1/runs/{run_id}", key=True, example=None, stream=False),
    )
    return page_answer(page)


def _findings(
    result: ResultView, query: FindingsQuery, code: WorkspaceCode, is_of_code: bool
) -> FindingsPage:
    """Return the findings that the page's address asks for."""
    context = code.context(services().catalogue.rule_titles, can_choose=is_of_code)
    return findings_page(result.findings, query, context)


@blueprint.get("/runs/<run_id>/json")
@signed_in
def run_json(caller: Caller, run_id: str) -> Response:
    """The run as the API tells it, as a file."""
    record = services().reader.find(caller, run_id, with_result=True)
    return _file(json_response({"data": report(record)}), f"{run_id}.json")


@blueprint.get("/runs/<run_id>/sarif")
@signed_in
def run_sarif(caller: Caller, run_id: str) -> Response:
    """The findings of an analysis as a SARIF log, as a file."""
    record = services().reader.find(caller, run_id, with_result=True)
    if record.kind == RunKind.TRANSFORM or record.result is None:
        raise ServiceError(
            ErrorCode.NOT_FOUND, "This run has no findings, so there is no SARIF file."
        )
    texts, uri = services().pool.texts, sarif_files.relative_uri(record.file or "") or UNNAMED
    log = sarif_files.run_sarif(texts, caller.account_id, record.result, record.fingerprints, uri)
    return _file(Response(log, mimetype="application/sarif+json"), f"{run_id}.sarif")


def _file(response: Response, name: str) -> Response:
    response.headers.set("Content-Disposition", "attachment", filename=name)
    return response
