"""GET /api/v1/capabilities."""

from __future__ import annotations

import hashlib

import msgspec
from flask import Blueprint, Response, request

from codeintel.http.endpoint import endpoint, services
from codeintel.http.envelope import data_response
from codeintel.http.operation import Answer, Operation
from codeintel.identity.auth.caller import Caller
from codeintel.runs.capabilities import Capabilities, RuleQuery

blueprint = Blueprint("capabilities", __name__, url_prefix="/api/v1")

MAX_AGE = 60
"""Seconds for which an answer may be used without asking again."""


def _choices() -> dict[str, list[str]]:
    """What rules can be chosen by. A language's other names are understood, too."""
    found = services().catalogue.capabilities(RuleQuery())
    return {
        "language": [each.name for each in found.languages],
        "analyzer": [each.name for each in found.analyzers],
    }


@blueprint.get("/capabilities")
@endpoint(
    Operation(
        summary="List what the service can do",
        description=(
            "Languages, analysers, engines and rules, those of plugins included. The parameters "
            "choose among the rules; the other lists are always whole."
        ),
        tag="Capabilities",
        query=RuleQuery,
        choices=_choices,
        answers={
            200: Answer("What the service can do.", Capabilities),
            304: Answer("It is still what `If-None-Match` names.", enveloped=False),
        },
    )
)
def capabilities(caller: Caller, query: RuleQuery) -> Response:  # noqa: ARG001 - same for everybody
    """The capabilities, or 304 by their ETag. That is a weak one: `meta` differs each time."""
    found = services().catalogue.capabilities(query)
    response = data_response(found)
    response.set_etag(hashlib.sha256(msgspec.json.encode(found)).hexdigest()[:32], weak=True)
    response.cache_control.public = True
    response.cache_control.max_age = MAX_AGE
    # What is stored for all must not answer somebody whose credential would be refused.
    response.vary.update(("Authorization", "X-Api-Key"))
    response.make_conditional(request)
    return response
