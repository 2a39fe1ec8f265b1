"""Events of the audit log in words."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from urllib.parse import urlsplit

from codeintel.base.text.quantities import counted
from codeintel.identity.audit.log import COMMAND_LINE, AuditEvent, AuditKind
from codeintel.identity.credits.ledger import run_of
from codeintel.identity.sessions import LINK

_TITLES = {
    AuditKind.ACCOUNT_MADE: "Account made",
    AuditKind.LINK_MADE: "Sign-in link made",
    AuditKind.SIGNED_IN: "Signed in",
    AuditKind.SIGNED_OUT: "Signed out",
    AuditKind.IDENTITY_JOINED: "Identity connected",
    AuditKind.TOKEN_ISSUED: "Token issued",
    AuditKind.KEY_CREATED: "Key made",
    AuditKind.KEY_ROTATED: "Key rotated",
    AuditKind.KEY_REVOKED: "Key revoked",
    AuditKind.CREDITS_GRANTED: "Credits added",
    AuditKind.CREDITS_CHARGED: "Credits charged",
    AuditKind.CREDITS_RELEASED: "Credits given back",
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
"""What a browser's own words have in them; the first that fits, for most name others too."""
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


@dataclass(frozen=True)
class EventView:
    """An event: what, more of it, by whom, from where, and the run that it is about, if any."""

    at: datetime
    title: str
    text: str
    who: str
    address: str
    run_id: str


def event_view(event: AuditEvent, here: str = "") -> EventView:
    """
    :param here: the id of the session that looks.
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
    """Who did it, in words."""
    kind, _, id_ = actor.partition(":")
    if kind == "session":
        return "this browser" if id_ == here else "a browser"
    if kind == "provider":
        return f"sign-in at {id_}"
    words = {COMMAND_LINE: "whoever runs the service", "jwt": "a token", "ledger": "the service"}
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
            credit = {True: "unlimited credits", False: "credits are counted"}
            change = (told.get("tier", ""), credit.get(details.get("unlimited", ""), ""))
            return ", ".join(part for part in change if part)
        case AuditKind.CREDITS_RELEASED:
            return told.get("reason", "")
        case AuditKind.CREDITS_GRANTED | AuditKind.CREDITS_CHARGED | AuditKind.CREDITS_FORFEITED:
            return f"{counted(abs(int(told['amount'])), 'credit')}: {told.get('reason', '')}"
    return ""


def way(how: str) -> str:
    """How somebody has signed in."""
    return "with a link" if how == LINK else f"at {urlsplit(how).hostname or how}"


def agent(text: str) -> str:
    """`Firefox on Linux`, from what a browser says that it is: good for recognising one's own."""
    browser = next((name for mark, name in _BROWSERS if mark in text), "")
    system = next((name for mark, name in _SYSTEMS if mark in text), "")
    if not browser:
        return f"{text[:_LONGEST]}" or "something without a name"
    return f"{browser} on {system}" if system else browser
