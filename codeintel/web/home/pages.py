"""`/`: what the service does, shown by what it says of two pieces of code, and how it is now."""

from __future__ import annotations

from flask import Response, current_app

from codeintel.base.scopes import Scope
from codeintel.http.endpoint import services
from codeintel.http.protection.origin import shown_origin
from codeintel.runs.capabilities.shapes import RuleQuery
from codeintel.web.answers import page_answer, render_page
from codeintel.web.blueprint import blueprint
from codeintel.web.home.samples import ANALYSIS, TRANSFORMATION
from codeintel.web.home.views import annotated, health_words
from codeintel.web.samples import curl

_CACHE = "codeintel.home"
_CODE = "import pickle\n\ndef load(data):\n    return pickle.loads(data)\n"


@blueprint.get("/")
def home() -> Response:
    """The start page."""
    base = shown_origin()
    path = "/api/v1/analyze/stream"
    page = render_page(
        "home.html",
        analysis=ANALYSIS,
        lines=annotated(ANALYSIS),
        transformation=TRANSFORMATION,
        counts=_counts(),
        scopes=tuple(Scope),
        health=health_words(services().health.report()),
        command_text=curl(base, "POST", path, key=True, example={"code": _CODE}, stream=True),
    )
    return page_answer(page)


def _counts() -> dict[str, int]:
    """How much the analysers know: it does not change after the start."""
    kept: dict[str, int] | None = current_app.extensions.get(_CACHE)
    if kept is None:
        known = services().catalogue.capabilities(RuleQuery())
        kept = current_app.extensions[_CACHE] = {
            "rules": len(services().catalogue.rules(RuleQuery())),
            "languages": sum(bool(each.analyzers) for each in known.languages),
        }
    return kept
