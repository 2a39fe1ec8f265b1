"""GET /api/v1/search, and the limits for one caller's searches."""

from __future__ import annotations

import hashlib

import msgspec
from flask import Blueprint, Response, request
from msgspec import Raw

from codeintel.base.entitlements import Scope
from codeintel.contracts import SearchSource, SourceError, SourceProblem
from codeintel.http.endpoint import endpoint, remote_key, services
from codeintel.http.errors import data_response
from codeintel.http.operation import Answer, Operation
from codeintel.identity.auth.caller import Caller
from codeintel.platform.limits.service import LimitState
from codeintel.search.reading import SearchQuery, SearchResults
from codeintel.search.service import Admit

blueprint = Blueprint("search", __name__, url_prefix="/api/v1")

_encode = msgspec.json.Encoder().encode
MAX_AGE = 60
"""The number of seconds for which a complete answer may be cached."""


def _choices() -> dict[str, list[str]]:
    """Return the names of the active sources."""
    sources = services().search.sources.values()
    return {"sources": sorted(each.name for each in sources if each.is_on)}


@blueprint.get("/search")
@endpoint(
    Operation(
        summary="Search registries",
        description=(
            "Searches all `sources` in parallel, for at most 4 seconds. If a source fails, its "
            "list is empty and `unavailable` has the reason. `stale` names sources with older "
            "cached results. An API key is needed only for sources with private results."
        ),
        tag="Search",
        query=SearchQuery,
        choices=_choices,
        answers={
            200: Answer("The results.", SearchResults),
            304: Answer("Not modified since `If-None-Match`.", enveloped=False),
        },
        scope=Scope.SEARCH_READ,
    )
)
def search(caller: Caller, query: SearchQuery) -> Response:
    """Return the results, or 304 for their ETag. The ETag is weak because `meta` differs each
    time.
    """
    found = services().search.search(query, caller, search_budget(caller))
    encoded = _encode(found)
    response = data_response(Raw(encoded))
    headers = response.headers
    headers["ETag"] = f'W/"{hashlib.sha256(encoded).hexdigest()[:32]}"'
    if caller.is_anonymous:
        age = 0 if found.unavailable or found.stale else MAX_AGE
        headers["Cache-Control"] = f"public, max-age={age}"
    # A cached response must not be served for an invalid credential.
    headers["Vary"] = "Authorization, X-Api-Key"
    if "If-None-Match" in request.headers:
        response.make_conditional(request)
    return response


def search_budget(caller: Caller) -> Admit:
    """Return a function that counts the requests of a caller's searches, by account or address.
    Callers without an account also share one limit, so that accounts keep a part of each registry's
    limit.
    """
    # Read the request now, because sources are queried in other greenlets.
    limits, who = services().limits, caller.account_id or remote_key()

    def admit(source: SearchSource) -> None:
        state = limits.hit_search_call(who, source.name)
        if not state.exceeded and caller.is_anonymous:
            state = limits.hit_anonymous_search_call(source.name, source.per_minute)
        if state.exceeded:
            raise _used_up(source, state, is_anonymous=caller.is_anonymous)

    return admit


def _used_up(source: SearchSource, state: LimitState, *, is_anonymous: bool) -> SourceError:
    told = f"Your limit of new searches on {source.label} is used up for now."
    if is_anonymous:
        told = (
            f"The limit of new searches on {source.label} without an account is used up for now. "
            "Sign in, or send an API key."
        )
    return SourceError(SourceProblem.RATE_LIMITED, told, state.wait)
