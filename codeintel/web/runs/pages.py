"""`/runs`: what the account has run; `/runs/<id>`: how one went, and its result, ready
for their templates."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import Annotated

import msgspec
from flask import Response, request, url_for
from msgspec import Meta

from codeintel.base.errors import ErrorCode, ServiceError
from codeintel.base.text.quantities import counted, duration
from codeintel.base.timestamps import moment
from codeintel.contracts import RunKind, Usage
from codeintel.contracts.states import RunState
from codeintel.http.endpoint import services
from codeintel.http.envelope import json_response
from codeintel.http.protection.origin import shown_origin
from codeintel.http.requests.query import read_query
from codeintel.identity.auth.caller import Caller
from codeintel.platform.db import db
from codeintel.runs import sarif_files
from codeintel.runs.queries import list_runs, report
from codeintel.runs.store import RunRecord
from codeintel.web.answers import page_answer, render_page
from codeintel.web.blueprint import blueprint
from codeintel.web.login.require_login import signed_in
from codeintel.web.markup import inline
from codeintel.web.runs.results import result_view
from codeintel.web.runs.words import KINDS, cost, how_it_went, took
from codeintel.web.samples import curl

_PLAIN = {RunState.RUNNING, RunState.COMPLETED}


@dataclass(frozen=True)
class RunRow:
    """A run in the list. `began` is in UTC."""

    id: str
    kind: str
    state: str
    engine: str
    model: str
    cost: str
    began: datetime
    took: str


@dataclass(frozen=True)
class RunView:
    """A run on its page. `told` says how it ended otherwise than well."""

    row: RunRow
    told: str
    is_analysis: bool
    is_running: bool
    finished: datetime | None
    used: str


def run_rows(records: Iterable[RunRecord]) -> list[RunRow]:
    """The list."""
    return [_row(record) for record in records]


def run_view(record: RunRecord) -> RunView:
    """The page."""
    return RunView(
        row=_row(record),
        told=how_it_went(record) if record.state not in _PLAIN else "",
        is_analysis=record.kind == RunKind.ANALYSIS,
        is_running=record.state is RunState.RUNNING,
        finished=moment(record.finished_ms) if record.finished_ms is not None else None,
        used=_used(record),
    )


def _row(record: RunRecord) -> RunRow:
    return RunRow(
        id=record.id,
        kind=KINDS[RunKind(record.kind)],
        state=record.state,
        engine=record.engine,
        model=record.model,
        cost=cost(record),
        began=moment(record.created_ms),
        took=took(record),
    )


def _used(record: RunRecord) -> str:
    """What it used, in words."""
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
        parts.append("from an equal run before")
    return ", ".join(parts)


PAGE_RUNS = 25


class RunsQuery(msgspec.Struct, frozen=True):
    """Where the list begins: behind a run."""

    before: Annotated[str, Meta(max_length=32, pattern=r"^\w*$")] = ""


@blueprint.get("/runs")
@signed_in
def runs(caller: Caller) -> Response:
    """The account's runs, newest first."""
    query = read_query(request, RunsQuery)
    found, has_more = list_runs(db.engine, caller.account_id, limit=PAGE_RUNS, before=query.before)
    page = render_page(
        "runs.html",
        runs=run_rows(found),
        older=url_for("web.runs", before=found[-1].id) if has_more else "",
        is_first=not query.before,
        retention=duration(services().settings.run_retention),
    )
    return page_answer(page)


@blueprint.get("/runs/<run_id>")
@signed_in
def run(caller: Caller, run_id: str) -> Response:
    """One run, with its result if there is one."""
    record = services().reader.find(caller, run_id, with_result=True)
    origin = shown_origin()
    page = render_page(
        "run.html",
        run=run_view(record),
        result=result_view(record),
        rule_names=services().catalogue.rule_names,
        again=request.path,
        inline=inline,
        command=curl(origin, "GET", f"/api/v1/runs/{run_id}", key=True, example=None, stream=False),
    )
    return page_answer(page)


@blueprint.get("/runs/<run_id>/json")
@signed_in
def run_json(caller: Caller, run_id: str) -> Response:
    """The run as the API tells it, as a file."""
    record = services().reader.find(caller, run_id, with_result=True)
    return _file(json_response({"data": report(record)}), f"{run_id}.json")


UNNAMED = "code"
"""What SARIF calls the code: its file's name is not known."""


@blueprint.get("/runs/<run_id>/sarif")
@signed_in
def run_sarif(caller: Caller, run_id: str) -> Response:
    """The findings of an analysis as a SARIF log, as a file."""
    record = services().reader.find(caller, run_id, with_result=True)
    if record.kind != RunKind.ANALYSIS or record.result is None:
        raise ServiceError(ErrorCode.NOT_FOUND, "This run has no findings to put into SARIF.")
    texts = services().pool.texts
    log = sarif_files.run_sarif(
        texts, caller.account_id, record.result, record.fingerprints, UNNAMED
    )
    return _file(Response(log, mimetype="application/sarif+json"), f"{run_id}.sarif")


def _file(response: Response, name: str) -> Response:
    response.headers.set("Content-Disposition", "attachment", filename=name)
    return response
