"""`/account/data`: download the account's data and delete the account. No page needs a script."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from flask import Response, request
from werkzeug.wrappers import Response as BaseResponse

from codeintel.base.errors import ErrorCode
from codeintel.http.endpoint import actor, services
from codeintel.http.streams import limit_writes
from codeintel.identity.auth.caller import Caller
from codeintel.web.blueprint import blueprint, page_answer, render_page
from codeintel.web.login.require_login import signed_in

RECENT = timedelta(hours=1)
"""Longest time since the sign-in for deleting an account, so that an open browser is not enough."""
FILE_NAME = "codeintel-data.zip"


@blueprint.get("/account/data")
@signed_in
def account_data(caller: Caller) -> BaseResponse:
    """Show the forms."""
    return page_answer(_page(caller))


@blueprint.post("/account/data/download")
@signed_in
def download_account_data(caller: Caller) -> BaseResponse:
    """Stream all data of the account as a ZIP file."""
    services().personal_data.note_export(caller.account_id, actor(caller))
    pieces = services().personal_data.export(caller.account_id)
    limit_writes(request)
    response = Response(pieces, mimetype="application/zip", direct_passthrough=True)
    response.headers["Content-Disposition"] = f'attachment; filename="{FILE_NAME}"'
    response.headers["Content-Security-Policy"] = "sandbox"
    response.cache_control.no_store = True
    return response


@blueprint.post("/account/data/delete")
@signed_in
def delete_account(caller: Caller) -> BaseResponse:
    """Delete the account, if its address was entered and the sign-in is recent."""
    typed = request.form.get("confirmation", "").strip().lower()
    if not _is_recent(caller):
        return page_answer(_page(caller), ErrorCode.INVALID_REQUEST.status)
    if typed != caller.email:
        page = _page(caller, wrong=f"Enter {caller.email} to confirm.")
        return page_answer(page, ErrorCode.INVALID_REQUEST.status)
    services().personal_data.delete(caller.account_id, actor(caller))
    response = Response(status=303, headers={"Location": "/?notice=account-deleted"})
    services().browsers.sign_out(response)
    response.headers["Clear-Site-Data"] = '"storage"'  # the playground's draft
    return response


def _page(caller: Caller, wrong: str = "") -> str:
    balance = services().ledger.balance(caller.account_id)
    return render_page(
        "account_data.html",
        caller=caller,
        credits=balance.posted,
        workspaces=services().workspaces.session_count(caller.account_id),
        is_recent=_is_recent(caller),
        wrong=wrong,
    )


def _is_recent(caller: Caller) -> bool:
    earliest = datetime.now(UTC) - RECENT
    return any(
        each.id == caller.session_id and each.created_at >= earliest
        for each in services().sessions.list(caller.account_id)
    )
