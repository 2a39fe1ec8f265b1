"""`/account/activity`: the sessions of an account, and its audit log in words."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Annotated, Any
from urllib.parse import urlsplit

import msgspec
from flask import Response, redirect, request, url_for
from msgspec import UNSET, Meta, UnsetType
from werkzeug.wrappers import Response as BaseResponse

from codeintel.base.wording import counted
from codeintel.http.endpoint import actor, services
from codeintel.http.requests.query import read_query
from codeintel.identity.audit import COMMAND_LINE, AuditEvent, AuditKind
from codeintel.identity.auth.caller import Caller
from codeintel.identity.ledger import run_of
from codeintel.identity.sessions import LINK
from codeintel.web.blueprint import blueprint, page_answer, render_page
from codeintel.web.login.require_login import signed_in

_TITLES = {
    AuditKind.ACCOUNT_MADE: "Account created",
    AuditKind.LINK_MADE: "Sign-in link created",
    AuditKind.SIGNED_IN: "Signed in",
    AuditKind.SIGNED_OUT: "Signed out",
    AuditKind.IDENTITY_JOINED: "Identity connected",
    AuditKind.TOKEN_ISSUED: "Token issued",
    AuditKind.KEY_CREATED: "Key created",
    AuditKind.KEY_ROTATED: "Key rotated",
    AuditKind.KEY_REVOKED: "Key revoked",
    AuditKind.CREDITS_GRANTED: "Credits added",
    AuditKind.CREDITS_CHARGED: "Credits charged",
    AuditKind.CREDITS_RELEASED: "Credits refunded",
    AuditKind.CREDITS_FORFEITED: "Credits forfeited",
    AuditKind.ACCOUNT_CHANGED: "Account changed",
    AuditKind.ACCOUNT_EXPORTED: "Data downloaded",
    AuditKind.ACCOUNT_DELETED: "Account deleted",
    AuditKind.RESTORED: "Restored from a backup",
}
_BROWSERS = (
    ("Edg", "Edge"),
    ("OPR/", "Opera"),
    ("Firefox/", "Firefox"),
    ("Chrome/", "Chrome"),
    ("Safari/", "Safari"),
)
"""Parts of user agents with browser names. The first match counts: most name others, too."""
_SYSTEMS = (
    ("Android", "Android"),
    ("iPhone", "iPhone"),
    ("iPad", "iPad"),
    ("Windows", "Windows"),
    ("Mac OS X", "macOS"),
    ("CrOS", "ChromeOS"),
    ("Linux", "Linux"),
)
_LONGEST = 60
ENDED = "session-ended"
EVENTS = 40
"""Events per page. A page has more if the last ones have the same time."""


@dataclass(frozen=True)
class EventView:
    """An event in words. `run_id` is empty if the event is not about a run."""

    at: datetime
    title: str
    text: str
    who: str
    address: str
    run_id: str


def event_view(event: AuditEvent, here: str = "") -> EventView:
    """
    :param here: the id of the visitor's session.
    """
    return EventView(
        at=event.at,
        title=_TITLES[event.kind],
        text=_text(event.kind, event.details),
        who=who(event.actor, here),
        address=event.address,
        run_id=run_of(event.subject) if event.kind is AuditKind.CREDITS_CHARGED else "",
    )


def who(actor: str, here: str = "") -> str:
    """Return the actor in words."""
    kind, _, id_ = actor.partition(":")
    if kind == "session":
        return "this browser" if id_ == here else "a browser"
    if kind == "provider":
        return f"sign-in at {id_}"
    words = {COMMAND_LINE: "the operator", "jwt": "a token", "ledger": "the service"}
    return words.get(actor, actor)


def _text(kind: AuditKind, details: Mapping[str, Any]) -> str:
    told = {name: str(value) for name, value in details.items()}
    match kind:
        case AuditKind.SIGNED_IN:
            return f"{way(told.get('how', ''))}, in {agent(told.get('agent', ''))}"
        case AuditKind.IDENTITY_JOINED:
            return way(told.get("issuer", ""))
        case AuditKind.KEY_CREATED | AuditKind.KEY_ROTATED | AuditKind.KEY_REVOKED:
            scopes = f", for {told['scopes'].replace(' ', ', ')}" if "scopes" in told else ""
            return f"“{told.get('name', '')}” {told.get('preview', '')}{scopes}"
        case AuditKind.ACCOUNT_CHANGED:
            credit = {True: "unlimited credits", False: "limited credits"}
            change = (told.get("tier", ""), credit.get(details.get("unlimited", ""), ""))
            return ", ".join(part for part in change if part)
        case AuditKind.CREDITS_RELEASED:
            return told.get("reason", "")
        case AuditKind.CREDITS_GRANTED | AuditKind.CREDITS_CHARGED | AuditKind.CREDITS_FORFEITED:
            return f"{counted(abs(int(told['amount'])), 'credit')}: {told.get('reason', '')}"
    return ""


def way(how: str) -> str:
    """Return how the session was opened."""
    return "with a link" if how == LINK else f"at {urlsplit(how).hostname or how}"


def agent(text: str) -> str:
    """Return `Firefox on Linux` for a user agent."""
    browser = next((name for mark, name in _BROWSERS if mark in text), "")
    system = next((name for mark, name in _SYSTEMS if mark in text), "")
    if not browser:
        return f"{text[:_LONGEST]}" or "Unknown browser"
    return f"{browser} on {system}" if system else browser


class _Query(msgspec.Struct, frozen=True):
    before: Annotated[int, Meta(ge=0, le=2**53)] | UnsetType = UNSET


@blueprint.get("/account/activity")
@signed_in
def activity(caller: Caller) -> BaseResponse:
    """Show sessions and events. `before` is in milliseconds since 1970."""
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
    """End a session, which may be the visitor's own."""
    services().sessions.end(caller.account_id, session_id, actor(caller))
    if session_id != caller.session_id:
        return redirect(url_for("web.activity", notice=ENDED), 303)
    response = Response(status=303, headers={"Location": url_for("web.home", notice="signed-out")})
    services().browsers.sign_out(response)
    return response


def _older(account_id: str, events: list[AuditEvent]) -> int | None:
    """Return where the next page starts, or None on the last page."""
    if not events:
        return None
    oldest = round(events[-1].at.timestamp() * 1000)
    return oldest if services().audit.events(account_id, 1, oldest) else None
