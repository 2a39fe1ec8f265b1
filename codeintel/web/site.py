"""What all pages share: the navigation, the footer, and how they tell that something went wrong."""

from __future__ import annotations

from typing import Any

from flask import Response, g, render_template, request, url_for

from codeintel import API_VERSION, __version__
from codeintel.auth.caller import ANONYMOUS, Caller
from codeintel.errors import ErrorCode, ServiceError
from codeintel.http.openapi import OPENAPI_PATH
from codeintel.web.blueprint import blueprint, digest
from codeintel.web.markup import inline

PAGES = (
    ("web.search", "Search"),
    ("web.trust", "Trust"),
    ("web.docs", "API"),
    ("web.rules", "Rules"),
)
"""The navigation."""
_WITHIN = {"web.rule": "web.rules"}
"""Pages that are not in the navigation, and which of it they belong to."""
_HEADINGS = {
    ErrorCode.RATE_LIMIT_EXCEEDED: "Too many requests",
    ErrorCode.INVALID_REQUEST: "This address is not understood",
}


def visitor() -> Caller:
    """Who looks at a page: nobody that is known, until there is a way to sign in."""
    g.caller = ANONYMOUS
    return ANONYMOUS


@blueprint.app_context_processor
def _site() -> dict[str, Any]:
    """For templates."""
    here = request.endpoint or ""
    return {
        "navigation": [
            (url_for(endpoint), title, _current(here, endpoint)) for endpoint, title in PAGES
        ],
        "static_file": _static_file,
        "version": __version__,
        "api_version": API_VERSION,
        "openapi_path": OPENAPI_PATH,
    }


def _current(here: str, endpoint: str) -> str:
    """The value of `aria-current`: this page, a page that belongs to it, or neither."""
    if here == endpoint:
        return "page"
    return "true" if _WITHIN.get(here) == endpoint else ""


def _static_file(name: str) -> str:
    """The address of a file, which changes with what is in it."""
    return url_for("web.static", filename=name, v=digest(name))


@blueprint.errorhandler(ServiceError)
def _refused(error: ServiceError) -> Response:
    """A page, as whoever asked for one can read it."""
    page = render_template(
        "refused.html",
        heading=_HEADINGS.get(error.code, "This page cannot be shown"),
        message=inline(error.message),
        again=request.full_path.removesuffix("?") if error.retry_after is not None else "",
    )
    response = Response(page, error.code.status, mimetype="text/html")
    response.cache_control.no_store = True
    if error.retry_after is not None:
        response.headers["Retry-After"] = str(error.retry_after)
    return response
