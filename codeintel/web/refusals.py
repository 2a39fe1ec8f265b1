"""Pages for what went wrong: what it is, and what to do next."""

from __future__ import annotations

from http import HTTPStatus

from flask import Response, render_template, request

from codeintel.base.errors import ErrorCode, ServiceError
from codeintel.http.envelope import request_id
from codeintel.web.markup import inline

_HEADINGS = {
    ErrorCode.INVALID_REQUEST: "This address is not understood",
    ErrorCode.RATE_LIMIT_EXCEEDED: "Too many requests",
    ErrorCode.METHOD_NOT_ALLOWED: "This address does not take this",
    ErrorCode.PAYLOAD_TOO_LARGE: "Too much at once",
    ErrorCode.DATABASE_UNAVAILABLE: "The database cannot be reached",
    ErrorCode.OVERLOADED: "Too much is going on",
    ErrorCode.DRAINING: "The service is restarting",
    ErrorCode.INTERNAL_ERROR: "The service failed",
}
_BY_STATUS = {
    HTTPStatus.UNAUTHORIZED: "Sign in first",
    HTTPStatus.FORBIDDEN: "This is not allowed",
    HTTPStatus.NOT_FOUND: "There is no such page",
    HTTPStatus.CONFLICT: "Something has changed meanwhile",
    HTTPStatus.GONE: "This is gone",
    HTTPStatus.SERVICE_UNAVAILABLE: "Something is out of reach",
}
_REPEATABLE = {"GET", "HEAD"}


def refusal_page(error: ServiceError) -> Response:
    """The page of an error, with its status. It is never kept."""
    status = error.code.status
    template = "not_found.html" if error.code is ErrorCode.NOT_FOUND else "refused.html"
    page = render_template(
        template,
        status=status,
        heading=_heading(error.code),
        message=inline(error.message),
        again=_again(error),
        wait=error.retry_after,
        request_id=request_id() if status >= HTTPStatus.INTERNAL_SERVER_ERROR else "",
    )
    response = Response(page, status, mimetype="text/html")
    response.cache_control.no_store = True
    if error.retry_after is not None:
        response.headers["Retry-After"] = str(error.retry_after)
    return response


def _heading(code: ErrorCode) -> str:
    by_status = _BY_STATUS.get(HTTPStatus(code.status), "This page cannot be shown")
    return _HEADINGS.get(code, by_status)


def _again(error: ServiceError) -> str:
    """The address to try again, where that may help and does nothing else."""
    may_help = (
        error.retry_after is not None or error.code.status >= HTTPStatus.INTERNAL_SERVER_ERROR
    )
    if not may_help or request.method not in _REPEATABLE:
        return ""
    return request.full_path.removesuffix("?")
