"""`/search`: what registries have, as a page that needs no script, and its form, filled with what
was typed."""

from __future__ import annotations

import time
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

from flask import Response, request
from werkzeug.datastructures import MultiDict

from codeintel.base.errors import ErrorCode, ServiceError
from codeintel.contracts import SearchSource, Visibility
from codeintel.http.endpoint import services
from codeintel.http.requests.query import read_query
from codeintel.http.search_budget import search_budget
from codeintel.identity.auth.caller import Caller
from codeintel.search.reading import MAX_LIMIT, SearchQuery
from codeintel.search.service import DEFAULT, SOURCE_SECONDS
from codeintel.web.answers import page_answer, render_page
from codeintel.web.blueprint import blueprint
from codeintel.web.login.require_login import anybody
from codeintel.web.search.views import found_view, titles

LIMITS = (str(SearchQuery("-").limit), "20", str(MAX_LIMIT))
FORM = "form"
"""The field that says that the form was sent, for boxes that nobody ticked leave no trace."""
_FIELDS = {"q": "The query", "sources": "The choice of registries", "limit": "The number"}
"""What messages call the fields."""


@dataclass(frozen=True)
class Choice:
    """A registry to tick. `is_private` if its results are not for whoever looks at the page."""

    name: str
    title: str
    checked: bool
    is_private: bool


@dataclass(frozen=True)
class SearchForm:
    """All fields. `wrong` names the one that is refused, if any, and `message` says why."""

    q: str
    choices: tuple[Choice, ...]
    limit: str
    limits: tuple[str, ...]
    wrong: str = ""
    message: str = ""

    @property
    def chosen(self) -> str:
        """What is chosen besides the query, in words."""
        ticked = ", ".join(each.title for each in self.choices if each.checked)
        return f"{ticked or 'No registry'}, {self.limit} of each"

    def refused(self, error: ServiceError) -> SearchForm:
        """The form with the message at its field."""
        path = error.details.get("path")
        wrong = path if path in _FIELDS else "q"
        message = error.message.replace(f"`{wrong}`", _FIELDS[wrong], 1)
        return replace(self, wrong=wrong, message=message)


def filled(
    typed: MultiDict[str, str],
    sources: Iterable[SearchSource],
    titles: Mapping[str, str],
    caller: Caller,
) -> SearchForm:
    """The form as it was sent."""
    given = typed.getlist("sources")
    ticked = {name.strip() for item in given for name in item.split(",")}
    if not given and FORM not in typed:
        ticked = {*DEFAULT}
    limit = typed.get("limit", LIMITS[0])
    return SearchForm(
        q=typed.get("q", ""),
        choices=tuple(
            Choice(
                name=source.name,
                title=titles[source.name],
                checked=source.name in ticked,
                is_private=caller.is_anonymous and source.visibility is Visibility.ACCOUNTS,
            )
            for source in sources
            if source.is_on
        ),
        limit=limit,
        limits=LIMITS if limit in LIMITS else (limit, *LIMITS),
    )


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
