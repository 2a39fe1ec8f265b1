"""The shared parts of all pages: theme, navigation, footer and error pages."""

from __future__ import annotations

from enum import StrEnum
from http import HTTPStatus
from typing import Any, NamedTuple
from urllib.parse import quote

from flask import Response, render_template, request, url_for
from werkzeug.urls import iri_to_uri

from codeintel.base.errors import ErrorCode, ServiceError
from codeintel.base.version import API_VERSION, __version__
from codeintel.http.endpoint import services
from codeintel.http.errors import UNKNOWN_ADDRESS
from codeintel.http.openapi.document import OPENAPI_PATH
from codeintel.http.protection import csp_nonce
from codeintel.platform.metrics.requests import request_id
from codeintel.web.blueprint import YEAR_SECONDS, blueprint, digest
from codeintel.web.login.require_login import (
    START,
    anybody,
    check_origin,
    path_after_sign_in,
    safe_path,
)
from codeintel.web.text import inline

_HEADINGS = {
    ErrorCode.INVALID_REQUEST: "Invalid request",
    ErrorCode.RATE_LIMIT_EXCEEDED: "Too many requests",
    ErrorCode.METHOD_NOT_ALLOWED: "Method not allowed",
    ErrorCode.PAYLOAD_TOO_LARGE: "Request too large",
    ErrorCode.DATABASE_UNAVAILABLE: "The database is unavailable",
    ErrorCode.OVERLOADED: "The service is overloaded",
    ErrorCode.DRAINING: "The service is restarting",
    ErrorCode.INTERNAL_ERROR: "The service failed",
}
_BY_STATUS = {
    HTTPStatus.UNAUTHORIZED: "Sign in first",
    HTTPStatus.FORBIDDEN: "Not allowed",
    HTTPStatus.NOT_FOUND: "Page not found",
    HTTPStatus.CONFLICT: "Conflict",
    HTTPStatus.GONE: "No longer available",
    HTTPStatus.SERVICE_UNAVAILABLE: "Temporarily unavailable",
}
_REPEATABLE = {"GET", "HEAD"}
_OWNED = ("/runs/", "/workspace/")
"""Pages that only their account can see. For other accounts they do not exist."""
COOKIE, SECURE_COOKIE = "codeintel_theme", "__Host-codeintel-theme"
"""Browsers take the second only over HTTPS, and from this host alone."""


class PageLink(NamedTuple):
    """A link of the navigation. `current` is the value of `aria-current`."""

    address: str
    title: str
    icon: str = ""
    current: str = ""


class LinkGroup(NamedTuple):
    """Links under a title."""

    title: str
    links: tuple[PageLink, ...]


PAGES = (
    LinkGroup("", (PageLink("/", "Dashboard", "home"),)),
    LinkGroup(
        "Analyze",
        (
            PageLink("/playground", "Playground", "play"),
            PageLink("/runs", "Runs", "history"),
            PageLink("/workspace", "Workspaces", "repo"),
        ),
    ),
    LinkGroup(
        "Packages",
        (
            PageLink("/search", "Search", "package"),
            PageLink("/trust", "Trust", "shield-check"),
        ),
    ),
    LinkGroup(
        "Reference",
        (
            PageLink("/docs/guides", "Guides", "book"),
            PageLink("/docs", "API", "code"),
            PageLink("/docs/rules", "Rules", "law"),
        ),
    ),
)
"""The side bar."""
SIGNED_IN_ONLY = {"/", "/runs", "/workspace"}
ACCOUNT_PAGES = (
    PageLink("/account", "Account", "person"),
    PageLink("/account/keys", "Developer settings", "key"),
    PageLink("/account/activity", "Activity", "pulse"),
    PageLink("/account/data", "Your data", "database"),
)
"""The account's menu."""
NOTICES = {
    "signed-in": "You are signed in.",
    "connected": "The identity is connected to your account.",
    "signed-out": "You are signed out.",
    "signed-out-everywhere": "You are signed out in all browsers.",
    "account-deleted": "The account and its data are deleted.",
    "demo-loading": "The demo is being loaded. This takes about 20 seconds.",
    "demo-removed": "The demo is removed.",
    "select-two-runs": "Select exactly two analyses to compare.",
    "workspace-deleted": "The workspace is deleted.",
    "workspace-restored": "The revision is restored.",
}
"""Messages by the value of `notice` in the address of the page after a form."""


def refusal_page(error: ServiceError) -> Response:
    """Return the page of an error, with its status. It must not be cached."""
    status = error.code.status
    template = "not_found.html" if error.code is ErrorCode.NOT_FOUND else "refused.html"
    page = render_template(
        template,
        status=status,
        heading=_heading(error.code),
        message=inline(error.message) if error.message != UNKNOWN_ADDRESS else "",
        again=_again(error),
        owned=request.path.startswith(_OWNED),
        wait=error.retry_after,
        request_id=request_id() if status >= HTTPStatus.INTERNAL_SERVER_ERROR else "",
    )
    response = Response(page, status, mimetype="text/html")
    response.cache_control.no_store = True
    if error.retry_after is not None:
        response.headers["Retry-After"] = str(error.retry_after)
    return response


def _heading(code: ErrorCode) -> str:
    by_status = _BY_STATUS.get(HTTPStatus(code.status), "This page cannot be shown")
    return _HEADINGS.get(code, by_status)


def _again(error: ServiceError) -> str:
    """Return the address to try again, if a retry may help and is safe."""
    may_help = (
        error.retry_after is not None or error.code.status >= HTTPStatus.INTERNAL_SERVER_ERROR
    )
    if not may_help or request.method not in _REPEATABLE:
        return ""
    return request.full_path.removesuffix("?")


class Theme(StrEnum):
    """The visitor's color scheme."""

    LIGHT = "light"
    DARK = "dark"
    SYSTEM = "system"


def chosen_theme() -> Theme:
    """Return the visitor's choice. The default follows the device."""
    return _theme(request.cookies.get(_cookie(), ""))


@blueprint.post("/theme")
def choose_theme() -> Response:
    """Store the choice in a cookie, and redirect back to the page."""
    check_origin()
    response = Response(status=303, headers={"Location": safe_path(request.form.get("next", ""))})
    response.set_cookie(
        _cookie(),
        _theme(request.form.get("theme", "")),
        max_age=YEAR_SECONDS,
        secure=_is_https(),
        httponly=True,
        samesite="Lax",
    )
    return response


def _is_https() -> bool:
    return services().settings.public_url.startswith("https://")


def _cookie() -> str:
    return SECURE_COOKIE if _is_https() else COOKIE


def _theme(text: str) -> Theme:
    return Theme(text) if text in list(Theme) else Theme.SYSTEM


def signed_in_email() -> str:
    """Return the visitor's address; empty without a session, or if the database is unavailable."""
    return anybody().email


@blueprint.app_context_processor
def _site() -> dict[str, Any]:
    """Return the context of all templates."""
    email = signed_in_email()
    here = _here()
    return {
        "navigation": _navigation(is_signed_in=bool(email)),
        "account_navigation": _marked(ACCOUNT_PAGES, ACCOUNT_PAGES) if email else (),
        "signed_in_email": email,
        "is_free": anybody().unlimited,
        "sign_in_address": _sign_in_address(here),
        "here": here,
        "notice": NOTICES.get(request.args.get("notice", "")),
        "theme": chosen_theme(),
        "themes": list(Theme),
        "csp_nonce": csp_nonce,
        "static_file": _static_file,
        "version": __version__,
        "api_version": API_VERSION,
        "openapi_path": OPENAPI_PATH,
    }


def _navigation(*, is_signed_in: bool) -> tuple[LinkGroup, ...]:
    shown = [
        group._replace(
            links=tuple(
                link for link in group.links if is_signed_in or link.address not in SIGNED_IN_ONLY
            )
        )
        for group in PAGES
    ]
    everything = tuple(link for group in shown for link in group.links)
    return tuple(
        group._replace(links=_marked(group.links, everything)) for group in shown if group.links
    )


def _here() -> str:
    """Return the address of this page, or of the home page if this one cannot be reloaded."""
    if request.method not in {"GET", "HEAD"} or request.endpoint is None:
        return START
    return safe_path(iri_to_uri(request.full_path.removesuffix("?")))


def _sign_in_address(here: str) -> str:
    """Return the address of the sign-in page, which leads back here."""
    following = path_after_sign_in(here)
    return "/signin" if following == START else f"/signin?next={quote(following)}"


def _marked(links: tuple[PageLink, ...], among: tuple[PageLink, ...]) -> tuple[PageLink, ...]:
    """Return the links; the one of `among` nearest to this page gets its `aria-current`."""
    path = request.path if request.endpoint is not None else ""
    above = [link.address for link in among if f"{path}/".startswith(f"{link.address}/")]
    nearest = max(above, key=len, default="")
    mark = "page" if nearest == path else "true"
    return tuple(link._replace(current=mark if link.address == nearest else "") for link in links)


def _static_file(name: str) -> str:
    """Return the address of a file, which changes with its content."""
    return url_for("web.static", filename=name, v=digest(name))


@blueprint.errorhandler(ServiceError)
def _refused(error: ServiceError) -> Response:
    """Show an error as a page."""
    return refusal_page(error)
