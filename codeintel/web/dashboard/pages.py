"""The page: workspaces, runs, credits, limits, and what needs attention."""

from __future__ import annotations

import time
from datetime import UTC, datetime

from flask import Response, url_for

from codeintel.contracts.states import RunState
from codeintel.http.endpoint import services
from codeintel.identity.auth.caller import Caller
from codeintel.platform.db import db
from codeintel.runs.listing import RunFilter, list_runs
from codeintel.runs.store import RunRecord
from codeintel.web.account import limit_view
from codeintel.web.blueprint import page_answer, render_page
from codeintel.web.dashboard.facts import (
    TREND_REPORTS,
    Notice,
    ProjectRow,
    ending_keys,
    failed_runs,
    failing_sources,
    low_credits,
    project_row,
    unproven_workspaces,
)
from codeintel.web.demo.marks import calendar_day, recorded_runs, reload_while_loading
from codeintel.web.run_list.rows import run_row
from codeintel.web.workspaces.views import proof_view
from codeintel.workspaces.proof.shapes import ReportSummary
from codeintel.workspaces.records import WorkspaceRecord

MOST_RUNS = 6
MOST_WORKSPACES = 6
MOST_FAILED = 50
MOST_CHECKED = 50
"""The number of workspaces whose newest verdict is checked, those synced last first."""
_WEEK_MS = 7 * 86_400_000


def dashboard(caller: Caller) -> Response:
    """Return the dashboard of an account."""
    workspaces = services().workspaces.sessions(caller.account_id, MOST_CHECKED).sessions
    runs = list_runs(db.engine, caller.account_id, limit=MOST_RUNS).runs
    demo = services().demo.state(caller.account_id).value
    peek = services().limits.peek_operation
    page = render_page(
        "dashboard.html",
        caller=caller,
        notices=_notices(caller, workspaces),
        projects=_projects(workspaces[:MOST_WORKSPACES]),
        runs=[run_row(record) for record in runs],
        demo=demo,
        recorded=_recorded(services().demo.session(caller.account_id), runs),
        balance=services().ledger.balance(caller.account_id),
        limits=[
            limit_view(
                f"limit-{operation}", title, noun, peek(caller.account_id, caller.tier, operation)
            )
            for operation, title, noun in (
                ("analysis", "Analyses this hour", "analyses"),
                ("transform", "Transformations this hour", "transformations"),
            )
        ],
    )
    # without the notice, which would still say that the demo is being loaded
    return reload_while_loading(page_answer(page), demo, url_for("web.home"))


def _recorded(session: WorkspaceRecord | None, runs: list[RunRecord]) -> str:
    """Return the day on which the account's demo was loaded, or an empty text."""
    return calendar_day(session.created_at) if session is not None else recorded_runs(runs)


def _projects(shown: list[WorkspaceRecord]) -> list[ProjectRow]:
    proof = services().proof
    return [
        project_row(each, proof_view(proof.status(each)), proof.verdicts(each, TREND_REPORTS))
        for each in shown
    ]


def _notices(caller: Caller, workspaces: list[WorkspaceRecord]) -> list[Notice]:
    """Return the problems that need attention, the most urgent first."""
    now_ms = time.time_ns() // 1_000_000
    wanted = RunFilter(state=RunState.FAILED, since_ms=now_ms - _WEEK_MS)
    failed = list_runs(db.engine, caller.account_id, limit=MOST_FAILED, filter_=wanted)
    keys = services().keys.list(caller.account_id)
    balance = services().ledger.balance(caller.account_id)
    newest = ((each, services().proof.verdicts(each, 1)) for each in workspaces)
    found = [
        *low_credits(balance, url_for("web.account"), unlimited=caller.unlimited),
        *failed_runs(
            len(failed.runs),
            url_for("web.runs", state="failed", since="week"),
            has_more=bool(failed.older),
        ),
        *unproven_workspaces(
            (session, reports[0], _report_address(reports[0]))
            for session, reports in newest
            if reports
        ),
        *ending_keys(keys, url_for("web.keys"), datetime.now(UTC)),
    ]
    operator = services().accounts.first()
    if operator is not None and operator.id == caller.account_id:
        reports = services().source_reports.all().values()
        found += failing_sources(reports, url_for("web.search"), now_ms)
    return found


def _report_address(report: ReportSummary) -> str:
    return url_for("web.workspace_report", workspace_id=report.session_id, revision=report.revision)
