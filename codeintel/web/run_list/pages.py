"""`/runs` and `/runs/compare`."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import Annotated, Any

import msgspec
from flask import Response, redirect, request, url_for
from msgspec import Meta
from werkzeug.wrappers import Response as BaseResponse

from codeintel.base.errors import ErrorCode, ServiceError
from codeintel.base.wording import lasting
from codeintel.contracts import AnalysisResult, RunKind
from codeintel.contracts.findings import Severity
from codeintel.contracts.languages import language_title
from codeintel.contracts.states import RunSource, RunState
from codeintel.http.endpoint import services
from codeintel.http.requests.query import read_query
from codeintel.identity.auth.caller import Caller
from codeintel.platform.db import db
from codeintel.runs.listing import NO_FILTER, RunFilter, languages_of_runs, list_runs
from codeintel.runs.store import RunRecord
from codeintel.web.blueprint import blueprint, page_answer, render_page
from codeintel.web.demo.marks import recorded_runs
from codeintel.web.findings.views import FindingView, finding_view
from codeintel.web.login.require_login import signed_in
from codeintel.web.run_list.code import WorkspaceCode, choosing, workspace_code
from codeintel.web.run_list.rows import KINDS, SOURCES, compared, run_row
from codeintel.workspaces.proof.shapes import ReportedFinding

PAGE_RUNS = 25
SINCE = {"hour": 3_600, "day": 86_400, "week": 604_800, "month": 2_592_000}
_SINCE_TITLES = {
    "hour": "Last hour",
    "day": "Last 24 hours",
    "week": "Last 7 days",
    "month": "Last 30 days",
}
_COMPARED = 2
MOST_FINDINGS = 100
"""The number of findings in each part of a comparison. The runs themselves show all."""
_Word = Annotated[str, Meta(max_length=64)]


class RunsQuery(msgspec.Struct, frozen=True):
    """The filters, and the run behind which the page begins."""

    before: Annotated[str, Meta(max_length=32, pattern=r"^\w*$")] = ""
    q: Annotated[str, Meta(max_length=200)] = ""
    kind: _Word = ""
    state: _Word = ""
    language: _Word = ""
    severity: _Word = ""
    source: _Word = ""
    since: _Word = ""

    def filter(self) -> RunFilter:
        """Return the filter of the list."""
        seconds = SINCE.get(self.since, 0)
        return RunFilter(
            text=self.q.strip(),
            kind=self.kind,
            state=self.state,
            language=self.language,
            severity=self.severity,
            source=self.source,
            since_ms=int((time.time() - seconds) * 1000) if seconds else 0,
        )

    def parameters(self) -> dict[str, Any]:
        """Return the filters that are set, for addresses."""
        given: dict[str, Any] = msgspec.structs.asdict(self)
        return {name: value for name, value in given.items() if value and name != "before"}


@blueprint.get("/runs")
@signed_in
def runs(caller: Caller) -> Response:
    """The account's runs, newest first."""
    query = read_query(request, RunsQuery)
    wanted = query.filter()
    found, older, searched = list_runs(
        db.engine, caller.account_id, limit=PAGE_RUNS, before=query.before, filter_=wanted
    )
    kept = query.parameters()
    page = render_page(
        "runs.html",
        runs=[run_row(record) for record in found],
        recorded=recorded_runs(found),
        older=url_for("web.runs", before=older, **kept) if older else "",
        searched=searched,
        newest=url_for("web.runs", **kept),
        is_first=not query.before,
        is_filtered=wanted != NO_FILTER,
        query=query,
        choices=_choices(caller),
        retention=lasting(services().settings.run_retention),
    )
    return page_answer(page)


def _choices(caller: Caller) -> list[tuple[str, str, list[tuple[str, str]]]]:
    """Return the select elements of the filters: name, label, and options."""
    languages = languages_of_runs(db.engine, caller.account_id)
    has_demo = services().demo.state(caller.account_id).value != "absent"
    sources = [each for each in RunSource if has_demo or each is not RunSource.DEMO]
    return [
        ("kind", "Kind", [(each.value, KINDS[each]) for each in RunKind]),
        ("state", "State", [(each.value, each.value.capitalize()) for each in RunState]),
        ("language", "Language", [(each, language_title(each)) for each in languages]),
        ("severity", "Severity", [(each.value, each.value.capitalize()) for each in Severity]),
        ("source", "Source", [(each.value, SOURCES[each][0]) for each in sources]),
        ("since", "Started", list(_SINCE_TITLES.items())),
    ]


@blueprint.get("/runs/compare")
@signed_in
def compare_runs(caller: Caller) -> BaseResponse:
    """New, fixed and unchanged findings of two analyses, the older one first. Without two, go back
    to the list, which says what to select."""
    chosen = list(dict.fromkeys(request.args.getlist("run")))
    if len(chosen) != _COMPARED:
        return redirect(url_for("web.runs", notice="select-two-runs"), 303)
    older, newer = sorted((_analysis(caller, each) for each in chosen), key=_age)
    found = compared(older, newer)
    codes = {each.id: _code(each) for each in (older, newer)}

    def group(name: str, badge: str, findings: list[ReportedFinding], run: RunRecord) -> Group:
        context = codes[run.id].context(services().catalogue.rule_titles)
        shown = tuple(finding_view(each, context) for each in findings[:MOST_FINDINGS])
        return Group(name, badge, shown, len(findings), run.id)

    page = render_page(
        "run_compare.html",
        older=run_row(older),
        newer=run_row(newer),
        recorded=recorded_runs((older, newer)),
        groups=[
            group("New", "badge-bad", found.new, newer),
            group("Fixed", "badge-good", found.fixed, older),
            group("Unchanged", "", found.unchanged, newer),
        ],
        choosers=[
            (title, choosing(each))
            for title, each in (("Show older code", older), ("Show newer code", newer))
            if codes[each.id].lines is None
        ],
    )
    return page_answer(page)


@dataclass(frozen=True)
class Group:
    """Findings of a comparison, the worst ones. `count` counts all of them. `run_id` is the run
    that their places are in."""

    title: str
    badge: str
    rows: tuple[FindingView, ...]
    count: int
    run_id: str


def _code(record: RunRecord) -> WorkspaceCode:
    result = msgspec.json.decode(record.result or "", type=AnalysisResult)
    return workspace_code(record, result.findings)


def _analysis(caller: Caller, run_id: str) -> RunRecord:
    """
    :raises ServiceError: `not_found`; `invalid_request` for a run without findings to compare.
    """
    record = services().reader.find(caller, run_id, with_result=True)
    if record.kind != RunKind.ANALYSIS or record.result is None:
        raise ServiceError(
            ErrorCode.INVALID_REQUEST,
            "Only analyses with a result can be compared. Select two of them.",
        )
    return record


def _age(record: RunRecord) -> tuple[int, str]:
    return record.created_ms, record.id
