"""Every error leaves as `{error, meta}`."""

from __future__ import annotations

import logging

from flask import Flask, Response, render_template, request
from sqlalchemy.exc import DBAPIError
from sqlalchemy.exc import TimeoutError as PoolTimeout
from werkzeug.exceptions import HTTPException, MethodNotAllowed

from codeintel.db.writer import is_unavailable
from codeintel.errors import ErrorCode, ServiceError
from codeintel.http.envelope import error_response, request_id
from codeintel.logs import describe

log = logging.getLogger(__name__)

DATABASE_RETRY_SECONDS = 5
_CODES = {
    400: ErrorCode.INVALID_REQUEST,
    404: ErrorCode.NOT_FOUND,
    405: ErrorCode.METHOD_NOT_ALLOWED,
    413: ErrorCode.PAYLOAD_TOO_LARGE,
    415: ErrorCode.UNSUPPORTED_MEDIA_TYPE,
}
_MESSAGES = {
    ErrorCode.INVALID_REQUEST: "The request cannot be understood.",
    ErrorCode.NOT_FOUND: "There is nothing at this address: /docs lists what there is.",
    ErrorCode.METHOD_NOT_ALLOWED: "This address does not take this method.",
    ErrorCode.PAYLOAD_TOO_LARGE: "The request is too large.",
    ErrorCode.UNSUPPORTED_MEDIA_TYPE: "The body must be JSON.",
    ErrorCode.INTERNAL_ERROR: "The service failed. The request id finds the reason in its log.",
}


def init_errors(app: Flask) -> None:
    """Register the handlers."""
    app.register_error_handler(ServiceError, _service_error)
    app.register_error_handler(HTTPException, _http_error)
    app.register_error_handler(DBAPIError, _database_error)
    app.register_error_handler(PoolTimeout, _unavailable)
    app.register_error_handler(Exception, _unexpected)


def _service_error(error: ServiceError) -> Response:
    response = error_response(error.code, error.message, error.details)
    if error.retry_after is not None:
        response.headers["Retry-After"] = str(error.retry_after)
    if error.code is ErrorCode.UNAUTHORIZED:
        response.headers["WWW-Authenticate"] = 'Bearer realm="codeintel"'
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
    details = {}
    if isinstance(error, MethodNotAllowed) and error.valid_methods:
        details["allowed"] = sorted(error.valid_methods)
    if error.code == 404 and _is_for_people():
        page = Response(render_template("not_found.html"), status=404, mimetype="text/html")
        page.vary.add("Accept")
        return page
    response = error_response(code, _MESSAGES[code], details)
    if details:
        response.headers["Allow"] = ", ".join(details["allowed"])
    return response


def _is_for_people() -> bool:
    """Whether a browser asks for a page of the documentation."""
    if not f"{request.path}/".startswith("/docs/"):
        return False
    wanted = request.accept_mimetypes
    return wanted["text/html"] > wanted["application/json"]


def _database_error(error: DBAPIError) -> Response:
    return _unavailable(error) if is_unavailable(error) else _unexpected(error)


def _unavailable(error: Exception) -> Response:
    log.error("request %s: the database is unavailable: %s", request_id(), type(error).__name__)
    response = error_response(
        ErrorCode.DATABASE_UNAVAILABLE, "The database cannot be reached. Nothing was charged."
    )
    response.headers["Retry-After"] = str(DATABASE_RETRY_SECONDS)
    return response


def _unexpected(error: Exception) -> Response:
    log.error("request %s to %s failed: %s", request_id(), request.path, describe(error))
    return error_response(ErrorCode.INTERNAL_ERROR, _MESSAGES[ErrorCode.INTERNAL_ERROR])
