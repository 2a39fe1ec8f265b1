"""`/runs`: what the account has run; `/runs/<id>`: how one went, and what came out of it."""

from __future__ import annotations

from typing import Annotated

import msgspec
from flask import Response, request, url_for
from msgspec import Meta

from codeintel.base.errors import ErrorCode, ServiceError
from codeintel.base.text.quantities import duration
from codeintel.contracts import RunKind
from codeintel.http.endpoint import services
from codeintel.http.envelope import json_response
from codeintel.http.protection.origin import shown_origin
from codeintel.http.requests.query import read_query
from codeintel.identity.auth.caller import Caller
from codeintel.platform.db import db
from codeintel.runs import sarif_files
from codeintel.runs.listing import list_runs
from codeintel.runs.queries import report
from codeintel.web.answers import page_answer, render_page
from codeintel.web.blueprint import blueprint
from codeintel.web.login.require_login import signed_in
from codeintel.web.markup import inline
from codeintel.web.runs.results import result_view
from codeintel.web.runs.views import run_rows, run_view
from codeintel.web.samples import curl

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
