"""Which host names and paths requests may carry."""

from __future__ import annotations

from urllib.parse import urlsplit, urlunsplit

from flask import Flask, Response, abort, request
from werkzeug.routing import RequestRedirect

from codeintel.platform.config import Settings

LOOPBACK = ("localhost", "127.0.0.1", "[::1]")


def init_hosts(app: Flask, settings: Settings) -> None:
    """Refuse other hosts with 400, once the operator has said under which the service is reached:
    links must not be made for a name that an attacker chose. That is so for every path, also where
    a node is asked past its proxy: whoever looks at its health has to name the public host."""
    named = [urlsplit(settings.public_url).hostname or ""] if settings.public_url else []
    allowed = [*named, *settings.allowed_hosts]
    if allowed:
        app.config["TRUSTED_HOSTS"] = [*allowed, *LOOPBACK]
    app.before_request(_refuse_nul)
    app.after_request(_without_host)


def _without_host(response: Response) -> Response:
    """Let a redirect to another spelling of the path, such as without doubled slashes, stay at the
    host that was asked: the absolute address that Werkzeug makes repeats whatever `Host` says."""
    if isinstance(request.routing_exception, RequestRedirect):
        target = urlsplit(response.headers.get("Location", ""))
        path = f"/{target.path.lstrip('/')}"  # two slashes would begin a host
        response.headers["Location"] = urlunsplit(("", "", path, target.query, ""))
        response.set_data(b"")
    return response


def _refuse_nul() -> None:
    """Nothing has a name with U+0000 in it, and PostgreSQL fails when it is asked."""
    if "\0" in request.path:
        abort(404)
