"""Describe the service: its health, capabilities, API and token issuer."""

from __future__ import annotations

import hashlib
from typing import Any

import msgspec
from flask import Blueprint, Flask, Response, current_app, jsonify, request

from codeintel.http.endpoint import endpoint, exempt, services
from codeintel.http.errors import data_response
from codeintel.http.openapi.document import OPENAPI_PATH, document
from codeintel.http.operation import JSON, Answer, Operation
from codeintel.identity.auth.caller import Caller
from codeintel.identity.issuer import JWKS_PATH
from codeintel.identity.oidc import DISCOVERY_PATH
from codeintel.platform.health import HealthReport, Status
from codeintel.runs.capability_types import Capabilities, RuleQuery

health_routes = Blueprint("health", __name__, url_prefix="/api/v1")
capabilities_routes = Blueprint("capabilities", __name__, url_prefix="/api/v1")
openapi_routes = Blueprint("openapi", __name__)
issuer_routes = Blueprint("well_known", __name__)
blueprints = health_routes, capabilities_routes, openapi_routes, issuer_routes
CAPABILITIES_MAX_AGE = 60
"""The number of seconds for which an answer may be cached."""
ISSUER_MAX_AGE = 300
"""The number of seconds for which the documents may be cached."""
TAG = "Identity"
_CACHE = "codeintel.openapi"


@health_routes.get("/health")
@exempt(
    Operation(
        summary="Report the health of the service",
        description=(
            "Checks the database and Redis with short timeouts. If Redis fails, or if the clock "
            "differs from the database's by more than 5 seconds, the service is `degraded` and "
            "answers 200. It answers 503 only if it is unhealthy or shutting down."
        ),
        tag="Health",
        answers={
            200: Answer("Healthy or degraded.", HealthReport),
            503: Answer("Unhealthy or shutting down.", HealthReport),
        },
    )
)
def health() -> Response:
    """Return the health report, with 503 if the service is unhealthy."""
    report = services().health.report()
    return data_response(report, 503 if report.status is Status.UNHEALTHY else 200)


def _choices() -> dict[str, list[str]]:
    """Return the values that select rules. Other names of languages work, too."""
    found = services().catalogue.capabilities(RuleQuery())
    return {
        "language": [each.name for each in found.languages],
        "analyzer": [each.name for each in found.analyzers],
    }


@capabilities_routes.get("/capabilities")
@endpoint(
    Operation(
        summary="List the service's capabilities",
        description=(
            "Languages, analyzers, engines and rules, including those of plugins. The parameters "
            "filter the rules. The other lists are always complete."
        ),
        tag="Capabilities",
        query=RuleQuery,
        choices=_choices,
        answers={
            200: Answer("The capabilities.", Capabilities),
            304: Answer("Not modified since `If-None-Match`.", enveloped=False),
        },
    )
)
def capabilities(caller: Caller, query: RuleQuery) -> Response:  # noqa: ARG001 - same for everybody
    """Return the capabilities, or 304 for their ETag. The ETag is weak because `meta` differs each
    time.
    """
    found = services().catalogue.capabilities(query)
    response = data_response(found)
    response.set_etag(hashlib.sha256(msgspec.json.encode(found)).hexdigest()[:32], weak=True)
    response.cache_control.public = True
    response.cache_control.max_age = CAPABILITIES_MAX_AGE
    # A cached response must not be served for an invalid credential.
    response.vary.update(("Authorization", "X-Api-Key"))
    response.make_conditional(request)
    return response


@openapi_routes.get(OPENAPI_PATH)
@endpoint(
    Operation(
        summary="Describe the API",
        tag="Description",
        description="The OpenAPI 3.1 document of this service, with the routes of its plugins.",
        answers={
            200: Answer("The document.", enveloped=False),
            304: Answer("Not modified since `If-None-Match`.", enveloped=False),
        },
    )
)
def describe(caller: Caller) -> Response:  # noqa: ARG001 - it is the same for everybody
    """Return the document without an envelope, because other tools read it. 304 for its ETag."""
    response = Response(_encoded(current_app), mimetype=JSON)
    response.cache_control.no_cache = True
    response.add_etag()
    response.make_conditional(request)
    return response


def _encoded(app: Flask) -> bytes:
    # Routes cannot change after the first request, so the document cannot either.
    cached: bytes | None = app.extensions.get(_CACHE)
    if cached is None:
        settings: Any = app.extensions["codeintel"].settings
        cached = msgspec.json.encode(document(app, settings.public_url))
        app.extensions[_CACHE] = cached
    return cached


@issuer_routes.get(DISCOVERY_PATH)
@endpoint(
    Operation(
        summary="Describe the built-in issuer",
        description=(
            "For programs that verify the tokens of `codeintel token`. This issuer has no sign-in, "
            "so the document contains only its name and the address of its keys."
        ),
        tag=TAG,
        answers={200: Answer("Its metadata (RFC 8414).", enveloped=False)},
    )
)
def configuration(caller: Caller) -> Response:  # noqa: ARG001 - same for everybody
    """Return the discovery document."""
    return _document(services().issuer.discovery())


@issuer_routes.get(JWKS_PATH)
@endpoint(
    Operation(
        summary="List the public keys of the built-in issuer",
        tag=TAG,
        answers={200: Answer("A JWK set (RFC 7517).", enveloped=False)},
    )
)
def jwks(caller: Caller) -> Response:  # noqa: ARG001 - same for everybody
    """Return the public keys."""
    return _document(services().issuer.jwks())


def _document(content: dict[str, Any]) -> Response:
    response = jsonify(content)
    response.cache_control.public = True
    response.cache_control.max_age = ISSUER_MAX_AGE
    response.vary.update(("Authorization", "X-Api-Key"))
    return response
