"""`/docs`: the documentation of the API, written from its OpenAPI document."""

from __future__ import annotations

from typing import Any, cast

from flask import Response, current_app, redirect, render_template, request, url_for
from limits import RateLimitItem
from markupsafe import escape
from werkzeug.wrappers import Response as BaseResponse

from codeintel.config import Settings
from codeintel.errors import ErrorCode
from codeintel.http.openapi import document
from codeintel.limits.service import rate_text
from codeintel.scopes import Scope
from codeintel.tiers import Tier
from codeintel.web.blueprint import blueprint
from codeintel.web.markup import inline, paragraphs
from codeintel.web.reference import reference

_CACHE = "codeintel.docs"
_ANY_BASE = "http://address-of-this-service.invalid"


@blueprint.get("/")
def home() -> BaseResponse:
    """To the documentation, until there is more to show."""
    return redirect(url_for("web.docs"))


@blueprint.get("/docs")
def docs() -> Response:
    """The documentation, as one page that needs no script."""
    settings = cast(Settings, current_app.extensions["codeintel"].settings)
    page: str | None = current_app.extensions.get(_CACHE)
    if page is None or current_app.debug:
        page = current_app.extensions[_CACHE] = _render(settings, _ANY_BASE)
    # Without a public URL callers choose the address: the page is made once for all of them.
    base = (settings.public_url or request.url_root).rstrip("/")
    response = Response(page.replace(_ANY_BASE, str(escape(base))), mimetype="text/html")
    response.cache_control.no_cache = True
    response.add_etag()
    response.make_conditional(request)
    return response


def _render(settings: Settings, base: str) -> str:
    return render_template(
        "docs.html",
        reference=reference(document(current_app, settings.public_url), base),
        error_codes=tuple(ErrorCode),
        scopes=tuple(Scope),
        limits=_limits(settings),
        inline=inline,
        paragraphs=paragraphs,
    )


def _limits(settings: Settings) -> dict[str, Any]:
    return {
        "default": _rate(settings.limit_default, ("request", "requests")),
        "lookup": _rate(settings.trust_lookups, ("package", "packages")),
        "failed_auth": _rate(settings.limit_failed_auth, ("time", "times")),
        "tiers": [(tier, settings.tier_limits(tier)) for tier in Tier],
    }


def _rate(item: RateLimitItem, counted: tuple[str, str]) -> str:
    return rate_text(item.amount, counted, item.get_expiry())
