"""Headers of every response."""

from __future__ import annotations

from flask import Flask, Response, current_app, g, request

from codeintel import API_VERSION
from codeintel.http.endpoint import remote_key, services
from codeintel.http.envelope import request_id
from codeintel.limits.service import LimitState

EXPOSED = (
    "X-API-Version, X-Request-Id, X-RateLimit-Limit, X-RateLimit-Remaining, X-RateLimit-Reset, "
    "RateLimit, RateLimit-Policy, Retry-After"
)
_CSP = (
    "default-src 'none'; style-src 'self'; img-src 'self'; font-src 'self'; "
    "base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
)


def init_headers(app: Flask) -> None:
    """Set the headers on whatever leaves the application."""
    app.before_request(_limit_other_routes)
    app.after_request(_set_headers)


def _set_headers(response: Response) -> Response:
    headers = response.headers
    headers["X-API-Version"] = API_VERSION
    headers["X-Request-Id"] = request_id()
    headers["X-Content-Type-Options"] = "nosniff"
    headers["Referrer-Policy"] = "no-referrer"
    headers.setdefault("Content-Security-Policy", _CSP)
    _set_limit_headers(response, _limit_state())
    if "caller" in g and not g.caller.is_anonymous and not response.is_streamed:
        headers["Cache-Control"] = "private, no-store"
    if request.path.startswith("/api/"):
        headers.setdefault("Cache-Control", "no-store")
        _set_cors_headers(response)
    return response


def _limit_other_routes() -> None:
    """Count what is not an API endpoint, pages and 404s, by its address. Endpoints count for
    themselves, once they know the account; exempt ones are not counted.

    :raises ServiceError: `rate_limit_exceeded`.
    """
    view = current_app.view_functions.get(request.endpoint or "")
    if hasattr(view, "operation"):
        return
    g.limit = services().limits.hit_default(remote_key())
    if g.limit.exceeded:
        raise g.limit.refusal()


def _limit_state() -> LimitState:
    """The limit that the request was counted against, or stands before."""
    state: LimitState | None = g.get("limit")
    return state or services().limits.peek_default(remote_key())


def _set_limit_headers(response: Response, state: LimitState) -> None:
    headers = response.headers
    headers["X-RateLimit-Limit"] = str(state.limit)
    headers["X-RateLimit-Remaining"] = str(state.remaining)
    headers["X-RateLimit-Reset"] = str(state.reset)
    if request.path.startswith("/api/"):
        # draft-ietf-httpapi-ratelimit-headers
        headers["RateLimit"] = f'"{state.policy}";r={state.remaining};t={state.wait}'
        headers["RateLimit-Policy"] = f'"{state.policy}";q={state.limit};w={state.window}'


def _set_cors_headers(response: Response) -> None:
    """Let pages of the configured origins read the answer. Never with cookies: a page proves who
    it acts for by a key."""
    origin = request.headers.get("Origin")
    allowed = services().settings.cors_origins
    if not allowed:
        return
    response.headers.add("Vary", "Origin")
    if origin not in allowed or request.path.startswith("/api/account/"):
        return
    response.headers["Access-Control-Allow-Origin"] = origin
    response.headers["Access-Control-Expose-Headers"] = EXPOSED
    if request.method == "OPTIONS" and "Access-Control-Request-Method" in request.headers:
        response.headers["Access-Control-Allow-Methods"] = "GET, POST, DELETE"
        response.headers["Access-Control-Allow-Headers"] = (
            "Authorization, Content-Type, X-Api-Key, Last-Event-ID, Idempotency-Key"
        )
        response.headers["Access-Control-Max-Age"] = "600"
