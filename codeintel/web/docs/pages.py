"""`/docs`: the documentation of the API, written from its OpenAPI document."""

from __future__ import annotations

from typing import Any, cast

from flask import Response, current_app
from limits import RateLimitItem
from markupsafe import Markup, escape

from codeintel.base.errors import ErrorCode
from codeintel.base.scopes import Scope
from codeintel.base.tiers import Tier
from codeintel.http.openapi.document import document
from codeintel.http.protection.origin import shown_origin
from codeintel.platform.config import Settings
from codeintel.platform.limits.service import rate_text
from codeintel.web.answers import page_answer, render_page
from codeintel.web.blueprint import blueprint
from codeintel.web.docs.reference import reference
from codeintel.web.markup import inline, paragraphs

_CACHE = "codeintel.docs"
_ANY_BASE = "http://address-of-this-service.invalid"


@blueprint.get("/docs")
def docs() -> Response:
    """The documentation, as one page that needs no script."""
    settings = cast(Settings, current_app.extensions["codeintel"].settings)
    parts: dict[str, str] | None = current_app.extensions.get(_CACHE)
    if parts is None:
        parts = current_app.extensions[_CACHE] = _parts(settings, _ANY_BASE)
    # Without a public URL callers choose the address: the parts are made once for all of them.
    base = str(escape(shown_origin()))
    own = {name: Markup(part.replace(_ANY_BASE, base)) for name, part in parts.items()}  # noqa: S704
    return page_answer(render_page("docs.html", **own))


def _parts(settings: Settings, base: str) -> dict[str, str]:
    """What is the same for all visitors, and takes long."""
    shown = {
        "reference": reference(document(current_app, settings.public_url), base),
        "error_codes": tuple(ErrorCode),
        "scopes": tuple(Scope),
        "limits": _limits(settings),
        "inline": inline,
        "paragraphs": paragraphs,
    }
    names = ("contents", "text")
    return {name: render_page(f"docs_{name}.html", **shown) for name in names}


def _limits(settings: Settings) -> dict[str, Any]:
    return {
        "default": _rate(settings.limit_default, ("request", "requests")),
        "lookup": _rate(settings.trust_lookups, ("package", "packages")),
        "failed_auth": _rate(settings.limit_failed_auth, ("time", "times")),
        "tiers": [(tier, settings.tier_limits(tier)) for tier in Tier],
    }


def _rate(item: RateLimitItem, counted: tuple[str, str]) -> str:
    return rate_text(item.amount, counted, item.get_expiry())
