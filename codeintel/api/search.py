"""GET /api/v1/search."""

from __future__ import annotations

import hashlib

import msgspec
from flask import Blueprint, Response, request

from codeintel.auth.caller import Caller
from codeintel.http.endpoint import endpoint, services
from codeintel.http.envelope import data_response
from codeintel.http.operation import Answer, Operation
from codeintel.scopes import Scope
from codeintel.search.shapes import SearchQuery, SearchResults

blueprint = Blueprint("search", __name__, url_prefix="/api/v1")

MAX_AGE = 60
"""Seconds for which a whole answer may be used without asking again."""


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
        answers={
            200: Answer("What was found.", SearchResults),
            304: Answer("It is still what `If-None-Match` names.", enveloped=False),
        },
        scope=Scope.SEARCH_READ,
    )
)
def search(caller: Caller, query: SearchQuery) -> Response:
    """The results, or 304 by their ETag. That is a weak one: `meta` differs each time."""
    found = services().search.search(query, caller)
    response = data_response(found)
    response.set_etag(hashlib.sha256(msgspec.json.encode(found)).hexdigest()[:32], weak=True)
    if caller.is_anonymous:
        response.cache_control.public = True
        response.cache_control.max_age = 0 if found.unavailable or found.stale else MAX_AGE
    # What is stored for all must not answer somebody whose credential would be refused.
    response.vary.update(("Authorization", "X-Api-Key"))
    response.make_conditional(request)
    return response
