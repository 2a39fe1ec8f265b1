"""`GET /api/v1/openapi.json`."""

from __future__ import annotations

from typing import Any

import msgspec
from flask import Blueprint, Flask, Response, current_app, request

from codeintel.http.endpoint import endpoint
from codeintel.http.openapi.document import OPENAPI_PATH, document
from codeintel.http.operation import JSON, Answer, Operation
from codeintel.identity.auth.caller import Caller

blueprint = Blueprint("openapi", __name__)

_CACHE = "codeintel.openapi"


@blueprint.get(OPENAPI_PATH)
@endpoint(
    Operation(
        summary="Describe the API",
        tag="Description",
        description="The OpenAPI 3.1 document of this service, with the routes of its plugins.",
        answers={
            200: Answer("The document.", enveloped=False),
            304: Answer("The document is still the one of `If-None-Match`.", enveloped=False),
        },
    )
)
def describe(caller: Caller) -> Response:  # noqa: ARG001 - it is the same for everybody
    """The document, as it is: other tools read it, so it has no envelope. 304 by its ETag."""
    response = Response(_encoded(current_app), mimetype=JSON)
    response.cache_control.no_cache = True
    response.add_etag()
    response.make_conditional(request)
    return response


def _encoded(app: Flask) -> bytes:
    # Routes cannot change once an app has answered a request, so neither can the document.
    cached: bytes | None = app.extensions.get(_CACHE)
    if cached is None:
        settings: Any = app.extensions["codeintel"].settings
        cached = msgspec.json.encode(document(app, settings.public_url))
        app.extensions[_CACHE] = cached
    return cached
