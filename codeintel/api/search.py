"""GET /api/v1/search."""

from __future__ import annotations

import hashlib

import msgspec
from flask import Blueprint, Response, request
from msgspec import Raw

from codeintel.base.scopes import Scope
from codeintel.http.endpoint import endpoint, services
from codeintel.http.envelope import data_response
from codeintel.http.operation import Answer, Operation
from codeintel.http.search_budget import search_budget
from codeintel.identity.auth.caller import Caller
from codeintel.search.reading import SearchQuery, SearchResults

blueprint = Blueprint("search", __name__, url_prefix="/api/v1")

_encode = msgspec.json.Encoder().encode
MAX_AGE = 60
"""Seconds for which a whole answer may be used without asking again."""


def _choices() -> dict[str, list[str]]:
    """The sources that can be asked."""
    sources = services().search.sources.values()
    return {"sources": sorted(each.name for each in sources if each.is_on)}


@blueprint.get("/search")
@endpoint(
    Operation(
        summary="Search registries",
        description=(
            "Asks all `sources` at once, for at most 4 s. A source that fails does not fail the "
            "search: its list is empty and `unavailable` says why; `stale` names those whose "
            "results are of an earlier time. An API key is needed only for sources with private "
            "results."
        ),
        tag="Search",
        query=SearchQuery,
        choices=_choices,
        answers={
            200: Answer("What was found.", SearchResults),
            304: Answer("It is still what `If-None-Match` names.", enveloped=False),
        },
        scope=Scope.SEARCH_READ,
    )
)
def search(caller: Caller, query: SearchQuery) -> Response:
    """The results, or 304 by their ETag. That is a weak one: `meta` differs each time."""
    found = services().search.search(query, caller, search_budget(caller))
    encoded = _encode(found)
    response = data_response(Raw(encoded))
    headers = response.headers
    headers["ETag"] = f'W/"{hashlib.sha256(encoded).hexdigest()[:32]}"'
    if caller.is_anonymous:
        age = 0 if found.unavailable or found.stale else MAX_AGE
        headers["Cache-Control"] = f"public, max-age={age}"
    # What is stored for all must not answer somebody whose credential would be refused.
    headers["Vary"] = "Authorization, X-Api-Key"
    if "If-None-Match" in request.headers:
        response.make_conditional(request)
    return response
