"""`/workspace/<id>/reports/<revision>/<form>`: a report as a file."""

from __future__ import annotations

from flask import Response

from codeintel.api.workspaces.proof import ReportFormat, report_response
from codeintel.identity.auth.caller import Caller
from codeintel.web.blueprint import blueprint
from codeintel.web.login.require_login import signed_in
from codeintel.web.workspaces.access import origin, own_session
from codeintel.web.workspaces.reports.pages import REPORT

FORMS = ",".join(ReportFormat)


@blueprint.get(f"{REPORT}/<any({FORMS}):form>")
@signed_in
def workspace_report_file(caller: Caller, workspace_id: str, revision: int, form: str) -> Response:
    """One report for other programs, or to be printed."""
    session = own_session(caller, workspace_id)
    return report_response(session, revision, ReportFormat(form), origin().rstrip("/"))
