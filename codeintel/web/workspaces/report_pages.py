"""`/workspace/<id>/reports`: the reports of the proof loop, as pages and as files."""

from __future__ import annotations

from collections.abc import Collection
from functools import cache, partial
from typing import Any

import msgspec
from flask import Response, request, url_for
from jinja2 import Environment, PackageLoader, StrictUndefined, Template
from werkzeug.wrappers import Response as BaseResponse

from codeintel.api.workspaces.proof import POLICY, ReportFormat, report_response
from codeintel.base.errors import ServiceError
from codeintel.base.greenlets import letting_others_run
from codeintel.base.wording import counted
from codeintel.http.endpoint import services
from codeintel.http.requests.query import read_query
from codeintel.identity.auth.caller import Caller
from codeintel.identity.ledger import repository_price
from codeintel.web.blueprint import blueprint, page_answer, render_page
from codeintel.web.findings.listing import findings_page, findings_query
from codeintel.web.findings.views import Context
from codeintel.web.login.require_login import read_form, signed_in
from codeintel.web.text import inline, visible, visible_plain
from codeintel.web.workspaces.report_coverage import Coverage, coverage
from codeintel.web.workspaces.report_findings import code_of_files, file_groups
from codeintel.web.workspaces.report_views import (
    JUDGED,
    TrustPage,
    report_row,
    report_view,
    status_view,
    trend_plot,
)
from codeintel.web.workspaces.sessions import RevisionNumber, address, origin, own_session
from codeintel.workspaces.proof.shapes import Report, ReportSummary
from codeintel.workspaces.records import WorkspaceRecord

REPORTS = "/workspace/<workspace_id>/reports"
REPORT = f"{REPORTS}/<int(min=1,max=2147483647):revision>"
PAGE_REPORTS = 25
FORMS = ",".join(ReportFormat)


class ReportsQuery(msgspec.Struct, frozen=True):
    """A page of the list: the reports before a revision, 0 for the newest ones."""

    before: RevisionNumber = 0


class AnalyseForm(msgspec.Struct, frozen=True):
    """The form of an analysis. `trust` is `yes` if names of dependencies may be looked up."""

    trust: str = ""


@blueprint.get(REPORTS)
@signed_in
def workspace_reports(caller: Caller, workspace_id: str) -> Response:
    """Show the newest verdict, the running analysis and all reports."""
    session = own_session(caller, workspace_id)
    before = read_query(request, ReportsQuery).before
    found = services().proof.reports(session)
    judged = [each for each in found if each.status in JUDGED]
    behind = [each for each in found if not before or each.revision < before]
    shown = _first(behind)
    return page_answer(
        _page(
            "workspace_reports.html",
            session,
            status=status_view(services().proof.status(session)),
            newest=report_row(judged[0]) if judged else None,
            rows=[report_row(each) for each in shown],
            price=repository_price(services().workspaces.revision(session).files),
            older=shown[-1].revision if len(behind) > len(shown) else 0,
            is_first=not before,
            trend=trend_plot(judged),
        )
    )


@blueprint.post(REPORTS)
@signed_in
def analyse_workspace(caller: Caller, workspace_id: str) -> BaseResponse:
    """Start an analysis of the newest revision, unless one is running."""
    session = own_session(caller, workspace_id)
    services().workspaces.allow_trust(session, read_form(AnalyseForm).trust == "yes")
    services().proof.request(own_session(caller, workspace_id))
    return Response(status=303, headers={"Location": address("workspace_reports", session)})


@blueprint.get(REPORT)
@signed_in
def workspace_report(caller: Caller, workspace_id: str, revision: int) -> Response:
    """Show one report, with the findings that the filters select."""
    session = own_session(caller, workspace_id)
    query = findings_query(request.args)
    report = services().proof.report(session, revision)
    number = report.summary.revision
    found = services().proof.reports(session)

    def line(path: str, line: int) -> str:
        return address("workspace", session, number, path=path, line=line)

    def filtered(**changed: Any) -> str:
        parameters = query.parameters(**changed)
        return url_for(
            "web.workspace_report", workspace_id=session.id, revision=number, **parameters
        )

    code = code_of_files(report.findings, partial(_texts, session, number))
    context = Context(services().catalogue.rule_titles, code, line)
    return page_answer(
        _page(
            "workspace_report.html",
            session,
            view=report_view(report, _trust_pages(report)),
            left=_coverage(session, report),
            shown=findings_page(report.findings, query, context, report.fixed),
            trend=trend_plot([each for each in found if each.status in JUDGED]),
            line=line,
            filtered=filtered,
        )
    )


def _coverage(session: WorkspaceRecord, report: Report) -> Coverage:
    """Return what the report leaves out, from the report alone if its revision is gone."""
    workspaces, number = services().workspaces, report.summary.revision
    try:
        files = workspaces.files(session, number)
        skipped = workspaces.revision(session, number).skipped
    except ServiceError:
        return coverage(report, (), ())
    return coverage(report, files, skipped)


def _texts(session: WorkspaceRecord, number: int, paths: Collection[str]) -> dict[str, str]:
    """Return the texts of files of a revision, without those that are gone."""
    workspaces = services().workspaces
    found = {}
    for path in paths:
        try:
            content = workspaces.read(session, number, path)
        except ServiceError:
            continue
        found[path] = content.decode(errors="replace")
    return found


def _first(reports: list[ReportSummary]) -> list[ReportSummary]:
    """Return the reports of one page. Reports on the same revision stay together."""
    if len(reports) <= PAGE_REPORTS:
        return reports
    last = reports[PAGE_REPORTS - 1].revision
    return [each for each in reports if each.revision >= last]


def _trust_pages(report: Report) -> TrustPage:
    """Return the addresses of packages' pages. If the report did not look its dependencies up, only
    packages with stored evidence have one, because other pages need a network."""
    named = {f"{of.ecosystem}:{each.name}" for of in report.manifests for each in of.dependencies}
    known = named if report.trust_asked else services().trust.store.among(named).keys()
    return lambda package: url_for("web.trust", target=package) if package in known else ""


def _page(template: str, session: WorkspaceRecord, **shown: Any) -> str:
    return render_page(
        template,
        session=session,
        address=address,
        counted=counted,
        told=lambda text: inline(visible_plain(text)),
        **shown,
    )


@blueprint.get(f"{REPORT}/<any({FORMS}):form>")
@signed_in
def workspace_report_file(caller: Caller, workspace_id: str, revision: int, form: str) -> Response:
    """Return one report as a file."""
    session = own_session(caller, workspace_id)
    return report_response(session, revision, ReportFormat(form), origin().rstrip("/"))


def printed_report(report: Report, session: WorkspaceRecord) -> str:
    """Return a report as an HTML file without scripts and links. All texts are escaped."""
    parts = _template().generate(
        policy=POLICY,
        session=session,
        view=report_view(report, lambda _package: ""),
        groups=file_groups(report.findings, Context()),
        has_fixed=bool(report.fixed),
        fixed=file_groups(report.fixed, Context()),
        visible=visible,
        visible_plain=visible_plain,
        inline=lambda text: inline(visible_plain(text)),
        counted=counted,
    )
    return "".join(letting_others_run(parts))


@cache
def _template() -> Template:
    # Not the application's own environment: a file is made without a request, too.
    loader = PackageLoader("codeintel.web", "templates")
    environment = Environment(
        loader=loader,
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    return environment.get_template("workspace_report_print.html")
