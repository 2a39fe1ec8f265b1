"""Build JSON responses: `{data, meta}`, and for every error `{error, meta}` or a page."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable
from datetime import UTC, datetime
from typing import Any

import msgspec
from flask import Flask, Response, current_app, g, request
from flask.globals import request_ctx
from msgspec import UNSET, UnsetType
from sqlalchemy.exc import DBAPIError, TimeoutError as PoolTimeout
from werkzeug.exceptions import HTTPException, MethodNotAllowed

from codeintel.base.errors import ErrorCode, ServiceError
from codeintel.base.logging import describe
from codeintel.base.timestamps import Moment
from codeintel.base.version import API_VERSION
from codeintel.identity.links import shown_path
from codeintel.platform.db.writer import is_unavailable
from codeintel.platform.metrics import table
from codeintel.platform.metrics.requests import request_id

log = logging.getLogger(__name__)
DATABASE_RETRY_SECONDS = 5
_PAGE = "codeintel.refusal_page"
_CODES = {
    400: ErrorCode.INVALID_REQUEST,
    404: ErrorCode.NOT_FOUND,
    405: ErrorCode.METHOD_NOT_ALLOWED,
    413: ErrorCode.PAYLOAD_TOO_LARGE,
    415: ErrorCode.UNSUPPORTED_MEDIA_TYPE,
}
UNKNOWN_ADDRESS = "Not found. See /docs for all endpoints."
"""The message for an address without a route. Pages say it with a link."""
_MESSAGES = {
    ErrorCode.INVALID_REQUEST: "The request is malformed.",
    ErrorCode.NOT_FOUND: UNKNOWN_ADDRESS,
    ErrorCode.METHOD_NOT_ALLOWED: "This address does not support the method.",
    ErrorCode.PAYLOAD_TOO_LARGE: "The request is too large.",
    ErrorCode.UNSUPPORTED_MEDIA_TYPE: "The body must be JSON.",
    ErrorCode.INTERNAL_ERROR: "The service failed. Its log has the reason under the request id.",
}
_encode = msgspec.json.Encoder().encode


class Meta(msgspec.Struct, frozen=True, rename="camel"):
    """Metadata of the response. `ignored_fields` names unknown fields of the request."""

    version: str
    timestamp: Moment
    request_id: str
    ignored_fields: tuple[str, ...] | UnsetType = UNSET


class ErrorBody(msgspec.Struct, frozen=True):
    """An error: `code` for programs, `message` for readers, `details` for both."""

    code: ErrorCode
    message: str
    details: dict[str, Any]


class ErrorEnvelope(msgspec.Struct, frozen=True):
    """The body of every error."""

    error: ErrorBody
    meta: Meta


def meta() -> Meta:
    """Return `meta` for an answer to the current request."""
    ignored: tuple[str, ...] = g.get("ignored_fields", ())
    return Meta(API_VERSION, datetime.now(UTC), request_id(), ignored or UNSET)


def json_response(body: Any, status: int = 200) -> Response:
    """Return a JSON response without an envelope."""
    return Response(_encode(body), status, mimetype="application/json")


def data_response(data: Any, status: int = 200) -> Response:
    """Return a response with `{data, meta}`."""
    return json_response({"data": data, "meta": meta()}, status)


def unversioned(body: Any) -> Any:
    """Return the body of an answer without an envelope. `ignoredFields` at its top level names
    unknown fields of the request.
    """
    ignored: tuple[str, ...] = g.get("ignored_fields", ())
    if not ignored:
        return body
    fields: dict[str, Any] = msgspec.to_builtins(body)
    return {**fields, "ignoredFields": ignored}


def error_response(
    code: ErrorCode, message: str, details: dict[str, Any] | None = None, status: int | None = None
) -> Response:
    """Return a response with `{error, meta}`."""
    envelope = ErrorEnvelope(ErrorBody(code, message, details or {}), meta())
    return json_response(envelope, status or code.status)


def init_errors(app: Flask, refusal_page: Callable[[ServiceError], Response]) -> None:
    """Register the error handlers.

    :param refusal_page: renders the page of an error, with its status.
    """
    app.extensions[_PAGE] = refusal_page
    app.register_error_handler(ServiceError, _service_error)
    app.register_error_handler(HTTPException, _http_error)
    app.register_error_handler(DBAPIError, _database_error)
    app.register_error_handler(PoolTimeout, _unavailable)
    app.register_error_handler(Exception, _unexpected)


def _service_error(error: ServiceError) -> Response:
    table.ERRORS.add(str(error.code))
    if _is_for_people():
        try:
            page: Response = current_app.extensions[_PAGE](error)
        except Exception as broken:  # noqa: BLE001 - what broke the page may break this one too
            log.error("request %s: the page of an error failed: %s", request_id(), describe(broken))
        else:
            page.vary.add("Accept")
            return page
    response = error_response(error.code, error.message, error.details)
    if error.retry_after is not None:
        response.headers["Retry-After"] = str(error.retry_after)
    if error.code is ErrorCode.UNAUTHORIZED:
        response.headers["WWW-Authenticate"] = g.get("realm", 'Bearer realm="codeintel"')
    return response


def _http_error(error: HTTPException) -> Response:
    if error.code is not None and error.code < 400:  # a redirect, such as to the slash-less path
        return Response(
            response=error.get_response().response,
            status=error.code,
            headers=error.get_response().headers,
        )
    code = _CODES.get(error.code or 500, ErrorCode.INVALID_REQUEST)
    if (error.code or 500) >= 500:
        code = ErrorCode.INTERNAL_ERROR
    allowed: list[str] = []
    if isinstance(error, MethodNotAllowed):
        allowed = allowed_here(current_app, request.path, error.valid_methods or ())
    details = {"allowed": allowed} if allowed else {}
    response = _service_error(ServiceError(code, _MESSAGES[code], details=details))
    if allowed:
        response.headers["Allow"] = ", ".join(allowed)
    return response


def _is_for_people() -> bool:
    """Return whether a browser asks for a page. The API always answers in JSON, and so do requests
    for another host, because pages have no addresses there.
    """
    if request_ctx.url_adapter is None or f"{request.path}/".startswith("/api/"):
        return False
    wanted = request.accept_mimetypes
    return wanted["text/html"] > wanted["application/json"]


def _database_error(error: DBAPIError) -> Response:
    return _unavailable(error) if is_unavailable(error) else _unexpected(error)


def _unavailable(error: Exception) -> Response:
    log.error("request %s: the database is unavailable: %s", request_id(), describe(error).label)
    return _service_error(
        ServiceError(
            ErrorCode.DATABASE_UNAVAILABLE,
            "The database cannot be reached. Nothing was charged.",
            retry_after=DATABASE_RETRY_SECONDS,
        )
    )


def _unexpected(error: Exception) -> Response:
    path = shown_path(request.path)
    log.error("request %s to %s failed: %s", request_id(), path, describe(error))
    code = ErrorCode.INTERNAL_ERROR
    return _service_error(ServiceError(code, _MESSAGES[code]))


def allowed_here(app: Flask, path: str, methods: Iterable[str]) -> list[str]:
    """Return the methods of all routes that match a path. If a route without variables matches,
    return only its methods: `GET /api/workspace/sync` would ask for a workspace called `sync`.
    """
    own = [rule for rule in app.url_map.iter_rules() if rule.rule == path and not rule.arguments]
    if own:
        methods = {method for rule in own for method in rule.methods or ()}
    return sorted(methods)
