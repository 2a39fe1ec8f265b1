"""`/search`: what registries have, as a page that needs no script."""

from __future__ import annotations

import time

from flask import Response, request

from codeintel.base.errors import ErrorCode, ServiceError
from codeintel.http.endpoint import services
from codeintel.http.requests.query import read_query
from codeintel.http.search_budget import search_budget
from codeintel.search.service import SOURCE_SECONDS
from codeintel.search.shapes import SearchQuery
from codeintel.web.answers import page_answer, render_page
from codeintel.web.blueprint import blueprint
from codeintel.web.login.require_login import anybody
from codeintel.web.search.form import FORM, filled
from codeintel.web.search.views import found_view, titles


@blueprint.get("/search")
def search() -> Response:
    """The form, with what was found if something was asked for."""
    sources = services().search.sources
    names = titles(sources.values())
    caller = anybody()
    form = filled(request.args, sources.values(), names, caller)
    if "q" not in request.args:
        page = render_page("search.html", form=form, seconds=f"{SOURCE_SECONDS:g}")
        return page_answer(page)
    try:
        if FORM in request.args and "sources" not in request.args:
            raise ServiceError(
                ErrorCode.INVALID_REQUEST,
                "Choose at least one registry.",
                details={"path": "sources"},
            )
        query = read_query(request, SearchQuery, merged=("sources",))
        found = services().search.search(query, caller, search_budget(caller))
    except ServiceError as error:
        if error.code is not ErrorCode.INVALID_REQUEST:
            raise
        page = render_page("search.html", form=form.refused(error))
        return page_answer(page, error.code.status)
    page = render_page(
        "search.html",
        form=form,
        found=found_view(found, names, time.time()),
        query=query,
        again=request.full_path,
    )
    return page_answer(page)
