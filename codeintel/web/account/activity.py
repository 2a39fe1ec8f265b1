"""`/account/activity`: where one is signed in, and what was done in the account's name."""

from __future__ import annotations

from typing import Annotated

import msgspec
from flask import Response, redirect, request, url_for
from msgspec import UNSET, Meta, UnsetType
from werkzeug.wrappers import Response as BaseResponse

from codeintel.http.endpoint import actor, services
from codeintel.http.requests.query import read_query
from codeintel.identity.audit.log import AuditEvent
from codeintel.identity.auth.caller import Caller
from codeintel.web.account.activity_words import agent, event_view, way
from codeintel.web.answers import page_answer, render_page
from codeintel.web.blueprint import blueprint
from codeintel.web.login.require_login import signed_in

ENDED = "session-ended"
EVENTS = 40
"""Events of a page; more, if the last ones are of one moment."""


class _Query(msgspec.Struct, frozen=True):
    before: Annotated[int, Meta(ge=0, le=2**53)] | UnsetType = UNSET


@blueprint.get("/account/activity")
@signed_in
def activity(caller: Caller) -> BaseResponse:
    """The sessions, and the newest events; `before`, in milliseconds since 1970, turns pages."""
    asked = read_query(request, _Query).before
    before = None if asked is UNSET else asked
    events = services().audit.events(caller.account_id, EVENTS, before)
    page = render_page(
        "activity.html",
        sessions=services().sessions.list(caller.account_id),
        here=caller.session_id,
        agent=agent,
        way=way,
        events=[event_view(each, caller.session_id or "") for each in events],
        older=_older(caller.account_id, events),
        is_later_page=before is not None,
        session_ended=request.args.get("notice") == ENDED,
    )
    return page_answer(page)


@blueprint.post("/account/sessions/<session_id>/end")
@signed_in
def end_session(caller: Caller, session_id: str) -> BaseResponse:
    """Sign one browser out, which may be this one."""
    services().sessions.end(caller.account_id, session_id, actor(caller))
    if session_id != caller.session_id:
        return redirect(url_for("web.activity", notice=ENDED), 303)
    response = Response(status=303, headers={"Location": url_for("web.home", notice="signed-out")})
    services().browsers.sign_out(response)
    return response


def _older(account_id: str, events: list[AuditEvent]) -> int | None:
    """Where the next page begins, if there is one."""
    if not events:
        return None
    oldest = round(events[-1].at.timestamp() * 1000)
    return oldest if services().audit.events(account_id, 1, oldest) else None
