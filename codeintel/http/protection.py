"""Protect responses and requests: security headers, allowed hosts and origins."""

from __future__ import annotations

import ipaddress
import secrets
from urllib.parse import urlsplit, urlunsplit

from flask import Flask, Response, abort, current_app, g, request
from werkzeug.routing import RequestRedirect

from codeintel.base.version import API_VERSION, DEFAULT_URL
from codeintel.http.endpoint import remote_key, services
from codeintel.http.errors import allowed_here
from codeintel.http.served import last_address
from codeintel.platform.config import Settings
from codeintel.platform.limits.service import LimitState
from codeintel.platform.metrics.requests import request_id

LOOPBACK = ("localhost", "127.0.0.1", "[::1]")
HSTS_SECONDS = 31_536_000
EXPOSED = (
    "X-API-Version, X-Request-Id, X-RateLimit-Limit, X-RateLimit-Remaining, X-RateLimit-Reset, "
    "RateLimit, RateLimit-Policy, Retry-After, X-Run-Id"
)
_NOTHING = "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
"""The policy for responses that are not pages: a browser that opens one loads nothing else."""
# A script with a nonce may import modules, so scripts need no other source. `form-action` also
# covers redirects after a form, so sign-in at a provider begins with a link.
_PAGE = (
    "default-src 'none'; script-src 'nonce-{nonce}'; style-src 'self' 'nonce-{nonce}'; "
    "connect-src 'self'; img-src 'self' data:; font-src 'self'; object-src 'none'; "
    "base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
)
_PERMISSIONS = (
    "accelerometer=(), camera=(), clipboard-read=(), clipboard-write=(self), display-capture=(), "
    "geolocation=(), gyroscope=(), magnetometer=(), microphone=(), midi=(), payment=(), usb=()"
)
_ALWAYS = {
    "X-Content-Type-Options": "nosniff",
    "Permissions-Policy": _PERMISSIONS,
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
}
_REFERRER = "same-origin"
"""Do not send a referrer to other sites. `no-referrer` would send forms with `Origin: null`."""


def init_hosts(app: Flask, settings: Settings) -> None:
    """Reject other hosts with 400 if the operator has set a host, because links must not contain a
    name that an attacker chose. The check covers every path. A health check that bypasses the proxy
    must send the public host, too.
    """
    named = [urlsplit(settings.public_url).hostname or ""] if settings.public_url else []
    allowed = [*named, *settings.allowed_hosts]
    if allowed:
        app.config["TRUSTED_HOSTS"] = [*allowed, *LOOPBACK]
    app.before_request(_refuse_nul)
    app.after_request(_without_host)


def _without_host(response: Response) -> Response:
    """Keep a redirect, such as for doubled slashes, on the requested host. Werkzeug's absolute
    address repeats the `Host` header.
    """
    if isinstance(request.routing_exception, RequestRedirect):
        target = urlsplit(response.headers.get("Location", ""))
        path = f"/{target.path.lstrip('/')}"  # two slashes would start a host name
        response.headers["Location"] = urlunsplit(("", "", path, target.query, ""))
        response.set_data(b"")
    return response


def _refuse_nul() -> None:
    """Reject paths with U+0000. No path contains it, and PostgreSQL fails on it."""
    if "\0" in request.path:
        abort(404)


def csp_nonce() -> str:
    """Return the nonce of this answer for its `script` and `style` elements."""
    existing: str | None = g.get("csp_nonce")
    if existing is None:
        existing = g.csp_nonce = secrets.token_urlsafe(16)
    return existing


def set_security_headers(response: Response, public_url: str) -> None:
    """Set all headers. A view's own policies for content and referrers stay."""
    headers = response.headers
    for name, value in _ALWAYS.items():
        headers[name] = value
    headers.setdefault("Referrer-Policy", _REFERRER)
    is_page = response.mimetype == "text/html"
    policy = _PAGE.format(nonce=csp_nonce()) if is_page else _NOTHING
    headers.setdefault("Content-Security-Policy", policy)
    if is_only_https(public_url):
        headers["Strict-Transport-Security"] = f"max-age={HSTS_SECONDS}"


def is_only_https(public_url: str) -> bool:
    """Return whether responses may tell browsers to always use HTTPS. Never on loopback,
    where other sites would become unreachable.
    """
    parts = urlsplit(public_url)
    host = parts.hostname or ""
    names = {name.strip("[]") for name in LOOPBACK}
    is_loopback = host in names or host.endswith(".localhost") or host.startswith("127.")
    return parts.scheme == "https" and not is_loopback


def shown_origin() -> str:
    """Return the public URL without a trailing slash.

    Without that setting, return the request's address if its host is this machine, an IP address or
    an allowed name. Otherwise return the address that is served. People copy commands from pages
    and send their keys to this address. So it must not be a name that DNS rebinding has put into
    `Host`. An IP address cannot be rebound.
    """
    settings = services().settings
    if settings.public_url:
        return settings.public_url.rstrip("/")
    name = request.host.rpartition(":")[0] if _has_port(request.host) else request.host
    if name in {*LOOPBACK, *settings.allowed_hosts} or _is_ip_address(name):
        return f"{request.scheme}://{request.host}"
    return (last_address(settings.instance) or DEFAULT_URL).rstrip("/")


def _is_ip_address(host: str) -> bool:
    try:
        ipaddress.ip_address(host.strip("[]"))
    except ValueError:
        return False
    return True


def _has_port(host: str) -> bool:
    """Return whether a port follows the name. The colons of an IPv6 address are in brackets."""
    return host.rpartition(":")[2].isdigit()


def init_headers(app: Flask) -> None:
    """Set the headers of all responses."""
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
    """Set the caching headers. Private responses and errors are not stored. Pages are always
    private, because they show the signed-in user.
    """
    is_signed_in = "caller" in g and not g.caller.is_anonymous
    if is_signed_in and not response.is_streamed:
        response.headers["Cache-Control"] = "private, no-store"
    if response.status_code >= 400:
        response.headers.setdefault("Cache-Control", "no-store")
    if response.mimetype == "text/html":
        response.headers.setdefault("Cache-Control", "private, no-cache")
        response.vary.add("Cookie")


def _limit_other_routes() -> None:
    """Count pages and 404s by address. Endpoints count themselves when they know the account.
    Exempt endpoints are not counted.

    :raises ServiceError: `rate_limit_exceeded`.
    """
    view = current_app.view_functions.get(request.endpoint or "")
    if hasattr(view, "operation"):
        return
    g.limit = services().limits.hit_default(remote_key())
    if g.limit.exceeded:
        raise g.limit.refusal()


def _limit_state() -> LimitState:
    """Return the limit that the request was counted against, or would be."""
    state: LimitState | None = g.get("limit")
    return state or services().limits.peek_default(remote_key())


def _set_limit_headers(response: Response, state: LimitState) -> None:
    headers = response.headers
    headers["X-RateLimit-Limit"] = str(state.limit)
    headers["X-RateLimit-Remaining"] = str(state.remaining)
    headers["X-RateLimit-Reset"] = str(state.reset)
    # The OpenAPI document also describes paths below /.well-known/.
    if request.path.startswith(("/api/", "/.well-known/")):
        # draft-ietf-httpapi-ratelimit-headers
        headers["RateLimit"] = f'"{state.policy}";r={state.remaining};t={state.wait}'
        headers["RateLimit-Policy"] = f'"{state.policy}";q={state.limit};w={state.window}'


def _set_cors_headers(response: Response) -> None:
    """Let pages of the configured origins read the response. Never allow cookies: a page proves its
    caller with a key.
    """
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
