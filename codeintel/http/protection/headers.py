"""Headers of every response."""

from __future__ import annotations

from flask import Flask, Response, current_app, g, request

from codeintel.base.version import API_VERSION
from codeintel.http.endpoint import remote_key, services
from codeintel.http.envelope import request_id
from codeintel.http.protection.allowed import allowed_here
from codeintel.http.protection.security import set_security_headers
from codeintel.platform.limits.service import LimitState

EXPOSED = (
    "X-API-Version, X-Request-Id, X-RateLimit-Limit, X-RateLimit-Remaining, X-RateLimit-Reset, "
    "RateLimit, RateLimit-Policy, Retry-After, X-Run-Id"
)


def init_headers(app: Flask) -> None:
    """Set the headers on whatever leaves the application."""
    app.before_request(_limit_other_routes)
    app.after_request(_set_headers)


def _set_headers(response: Response) -> Response:
    headers = response.headers
    if request.method == "OPTIONS" and response.allow:
        headers["Allow"] = ", ".join(allowed_here(current_app, request.path, response.allow))
    headers["X-API-Version"] = API_VERSION
    headers["X-Request-Id"] = request_id()
    set_security_headers(response, services().settings.public_url)
    _set_limit_headers(response, _limit_state())
    _set_cache_headers(response)
    if request.path.startswith("/api/"):
        headers.setdefault("Cache-Control", "no-store")
        _set_cors_headers(response)
    return response


def _set_cache_headers(response: Response) -> None:
    """What is somebody's own is not kept, nor what went wrong. Pages are everybody's own: they say
    who is signed in."""
    is_signed_in = "caller" in g and not g.caller.is_anonymous
    if is_signed_in and not response.is_streamed:
        response.headers["Cache-Control"] = "private, no-store"
    if response.status_code >= 400:
        response.headers.setdefault("Cache-Control", "no-store")
    if response.mimetype == "text/html":
        response.headers.setdefault("Cache-Control", "private, no-cache")
        response.vary.add("Cookie")


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
    # What the OpenAPI document describes lies below /.well-known/, too.
    if request.path.startswith(("/api/", "/.well-known/")):
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
