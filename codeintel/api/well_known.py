"""GET /.well-known/openid-configuration and /.well-known/jwks.json, of the built-in issuer."""

from __future__ import annotations

from typing import Any

from flask import Blueprint, Response, jsonify

from codeintel.http.endpoint import endpoint, services
from codeintel.http.operation import Answer, Operation
from codeintel.identity.auth.caller import Caller
from codeintel.identity.issuer import JWKS_PATH
from codeintel.identity.oidc.provider import DISCOVERY_PATH

blueprint = Blueprint("well_known", __name__)

MAX_AGE = 300
"""Seconds for which the documents may be used without asking again."""
TAG = "Identity"


@blueprint.get(DISCOVERY_PATH)
@endpoint(
    Operation(
        summary="Describe the built-in issuer",
        description=(
            "For programs that verify the tokens of `codeintel token`. Nobody signs in at this "
            "issuer, so that the document has no more than its name and where its keys are."
        ),
        tag=TAG,
        answers={200: Answer("Its metadata (RFC 8414).", enveloped=False)},
    )
)
def configuration(caller: Caller) -> Response:  # noqa: ARG001 - same for everybody
    """The discovery document."""
    return _document(services().issuer.discovery())


@blueprint.get(JWKS_PATH)
@endpoint(
    Operation(
        summary="List the public keys of the built-in issuer",
        tag=TAG,
        answers={200: Answer("A JWK set (RFC 7517).", enveloped=False)},
    )
)
def jwks(caller: Caller) -> Response:  # noqa: ARG001 - same for everybody
    """The keys."""
    return _document(services().issuer.jwks())


def _document(content: dict[str, Any]) -> Response:
    response = jsonify(content)
    response.cache_control.public = True
    response.cache_control.max_age = MAX_AGE
    response.vary.update(("Authorization", "X-Api-Key"))
    return response
