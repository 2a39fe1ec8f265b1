"""`/docs`: an overview of the API, and a page for each operation and object."""

from __future__ import annotations

from typing import Annotated, Any, cast

import msgspec
from flask import Response, abort, current_app, redirect, request, url_for
from limits import RateLimitItem
from msgspec import Meta
from werkzeug.wrappers import Response as BaseResponse

from codeintel.base.entitlements import Scope, Tier
from codeintel.base.errors import ErrorCode
from codeintel.http.protection import shown_origin
from codeintel.http.requests.query import read_query
from codeintel.platform.config import Settings
from codeintel.platform.limits.service import rate_text
from codeintel.web.blueprint import blueprint, page_answer, render_page
from codeintel.web.reference.current import current_reference, with_origin
from codeintel.web.reference.search import found
from codeintel.web.reference.views import slug_of
from codeintel.web.text import inline, paragraphs


class ReferenceQuery(msgspec.Struct, frozen=True):
    """The query of the search."""

    q: Annotated[str, Meta(max_length=200)] = ""


@blueprint.get("/docs")
def docs() -> Response:
    """Show the overview. It has the anchors of the former page, which had everything."""
    settings = cast(Settings, current_app.extensions["codeintel"].settings)
    return _page(
        "docs_overview.html",
        "overview",
        base=shown_origin(),
        error_codes=tuple(ErrorCode),
        scopes=tuple(Scope),
        limits=_limits(settings),
    )


@blueprint.get("/docs/api/<slug>")
def operation(slug: str) -> BaseResponse:
    """Show an operation. The `operationId` of the OpenAPI document is a second address."""
    reference = current_reference()
    shown = reference.operations.get(slug)
    if shown is None:
        if slug_of(slug) in reference.operations:
            return redirect(url_for("web.operation", slug=slug_of(slug)), 308)
        abort(404, "There is no operation with this name. `/docs` lists all operations.")
    before, after = reference.neighbors(slug)
    return _page(
        "docs_operation.html", f"operation-{slug}", operation=shown, before=before, after=after
    )


@blueprint.get("/docs/errors")
def reference_errors() -> Response:
    """Show all error codes."""
    return _page("docs_errors.html", "errors", error_codes=tuple(ErrorCode))


@blueprint.get("/docs/events")
def reference_events() -> Response:
    """Show the events of runs."""
    return _page("docs_events.html", "events")


@blueprint.get("/docs/objects")
def reference_objects() -> Response:
    """List the objects in answers and events."""
    return _page("docs_objects.html", "objects")


@blueprint.get("/docs/objects/<name>")
def reference_object(name: str) -> Response:
    """Show the fields of an object, and the operations that return it."""
    shown = current_reference().named.get(name)
    if shown is None:
        abort(404, "There is no object with this name. `/docs/objects` lists all objects.")
    return _page("docs_object.html", "objects", object=shown)


@blueprint.get("/docs/search")
def search_reference() -> Response:
    """Search the reference."""
    text = read_query(request, ReferenceQuery).q.strip()
    groups = found(text)
    count = sum(len(group.hits) for group in groups)
    return _page("docs_search.html", "search", text=text, groups=groups, count=count)


def _page(template: str, current: str, **context: Any) -> Response:
    """
    :param current: the entry of the navigation to mark.
    """
    page = render_page(
        template,
        reference=current_reference(),
        current=current,
        inline=inline,
        paragraphs=paragraphs,
        **context,
    )
    return page_answer(with_origin(page))


def _limits(settings: Settings) -> dict[str, Any]:
    return {
        "default": _rate(settings.limit_default, ("request", "requests")),
        "lookup": _rate(settings.trust_lookups, ("package", "packages")),
        "failed_auth": _rate(settings.limit_failed_auth, ("time", "times")),
        "tiers": [(tier, settings.tier_limits(tier)) for tier in Tier],
    }


def _rate(item: RateLimitItem, counted: tuple[str, str]) -> str:
    return rate_text(item.amount, counted, item.get_expiry())
