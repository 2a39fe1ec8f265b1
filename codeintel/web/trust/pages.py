"""`/trust`: how far packages can be trusted, and why, as a page that needs no script."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

from flask import Response, request, url_for

from codeintel.api.trust import Body, look
from codeintel.base.errors import ErrorCode, ServiceError
from codeintel.http.endpoint import services
from codeintel.http.requests.query import read_query
from codeintel.trust.shapes import ComparisonSnapshot, PackageSnapshot, TrustQuery
from codeintel.web.answers import page_answer, render_page
from codeintel.web.blueprint import blueprint
from codeintel.web.login.require_login import visitor
from codeintel.web.markup import inline
from codeintel.web.trust.comparison import comparison_view
from codeintel.web.trust.form import FIELD, TrustForm, asked, filled, is_about_field
from codeintel.web.trust.overview import overview_view
from codeintel.web.trust.views import package_view

_HEADINGS = {
    ErrorCode.INVALID_REQUEST: "This address is not understood",
    ErrorCode.NOT_FOUND: "No such package",
    ErrorCode.UPSTREAMS_UNAVAILABLE: "No registry can be reached",
    ErrorCode.OVERLOADED: "Too much is going on",
    ErrorCode.RATE_LIMIT_EXCEEDED: "Too many requests",
}


@blueprint.get("/trust")
def trust() -> Response:
    """A package, several side by side, or the network as a whole. What the form asks for is sent
    on to the address that says so: it can be shared."""
    visitor()
    form = filled(request.args)
    try:
        if FIELD in request.args and "target" not in request.args:
            parameters: dict[str, Any] = {**asked(form.packages)}
            address = url_for("web.trust", **parameters)
            return Response(status=303, headers={"Location": address})
        query = read_query(request, TrustQuery)
        body = look(query)
    except ServiceError as error:
        return _refused(form, error)
    template, shown = _shown(body, query)
    return page_answer(_page(template, form=form, query=query, **shown))


def _shown(body: Body, query: TrustQuery) -> tuple[str, dict[str, Any]]:
    """The template, and what it shows."""
    now = datetime.now(UTC)
    if isinstance(body, PackageSnapshot):
        observations = services().trust.store.observations(body.target.key)
        return "trust_package.html", {"view": package_view(body, query, observations, now, _link)}
    if isinstance(body, ComparisonSnapshot):
        return "trust_comparison.html", {"view": comparison_view(body, now)}
    return "trust_overview.html", {"view": overview_view(body)}


def _link(target: str) -> str:
    return url_for("web.trust", target=target)


def _refused(form: TrustForm, error: ServiceError) -> Response:
    """The form, with the message at its field if that is what is wrong, else below it."""
    if is_about_field(error) and request.args.keys() & {FIELD, "target"}:
        page = _page("trust_refused.html", form=form.refused(error))
        return page_answer(page, error.code.status)
    page = _page(
        "trust_refused.html",
        form=form,
        heading=_HEADINGS.get(error.code, "This page cannot be shown"),
        message=error.message,
        failures=error.details.get("unavailable", ()),
        suggestion=str(error.details.get("suggestion") or ""),
        unknown=_name(error) if error.code is ErrorCode.NOT_FOUND else "",
        seconds=error.retry_after,
    )
    response = page_answer(page, error.code.status)
    if error.retry_after is not None:
        response.headers["Retry-After"] = str(error.retry_after)
    return response


def _name(error: ServiceError) -> str:
    """Of the package that is not known."""
    return str(error.details.get("target", "")).partition(":")[2]


def _page(template: str, **shown: Any) -> str:
    again = request.full_path.removesuffix("?")
    return render_page(template, inline=inline, again=again, **shown)
