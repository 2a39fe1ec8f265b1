"""A report as one HTML file that needs nothing else: to be kept, sent and printed."""

from __future__ import annotations

from functools import cache

from jinja2 import Environment, PackageLoader, StrictUndefined, Template

from codeintel.api.workspaces.proof import POLICY
from codeintel.base.concurrency.pace import letting_others_run
from codeintel.base.text.quantities import counted
from codeintel.web.markup import inline
from codeintel.web.untrusted_text import visible, visible_plain
from codeintel.web.workspaces.reports.findings import file_groups
from codeintel.web.workspaces.reports.query import FindingsQuery
from codeintel.web.workspaces.reports.views import report_view
from codeintel.workspaces.proof.shapes import BaselineState, Report
from codeintel.workspaces.records import WorkspaceRecord


def printed_report(report: Report, session: WorkspaceRecord) -> str:
    """The whole file. It has no script and no link, and all that is of the workspace is escaped."""
    parts = _template().generate(
        policy=POLICY,
        session=session,
        view=report_view(report, lambda _package: ""),
        groups=file_groups(report, FindingsQuery()),
        has_fixed=bool(report.fixed),
        fixed=file_groups(report, FindingsQuery(comparison=BaselineState.FIXED)),
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
