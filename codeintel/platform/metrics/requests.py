"""Count every request, and identify it in the log."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Iterable
from time import perf_counter
from typing import Any

from flask import Flask, g, request

from codeintel.base import logging as log_context
from codeintel.platform.metrics import table

_REQUEST_ID = "codeintel.request_id"
"""A key in a request's WSGI environment."""
_ROUTE = "codeintel.route"
Wsgi = Callable[[dict[str, Any], Any], Iterable[bytes]]


def init_metrics(app: Flask) -> None:
    """Count the responses of the application."""
    # The first hook of all, because each may reject the request. Later, Flask forgets what matched.
    app.before_request_funcs.setdefault(None, []).insert(0, _note_route)
    app.wsgi_app = _counted(app.wsgi_app)  # type: ignore[method-assign,assignment]


def _counted(service: Wsgi) -> Wsgi:
    """Wrap the whole application, because no hook sees every response and all of its time."""

    def application(environ: dict[str, Any], start_response: Any) -> Iterable[bytes]:
        began = perf_counter()
        environ[_REQUEST_ID] = request_id = secrets.token_hex(8)
        log_context.begin_request(request_id)
        status = "500"

        def begin(line: str, headers: Any, exc_info: Any = None) -> Any:
            nonlocal status
            status = line[:3]
            return start_response(line, headers, exc_info)

        table.IN_PROGRESS.up()
        try:
            return service(environ, begin)
        finally:
            table.IN_PROGRESS.down()
            route = environ.get(_ROUTE, table.UNMATCHED)
            method = environ["REQUEST_METHOD"]
            table.REQUESTS.add(route, method, status)
            table.REQUEST_SECONDS.observe(perf_counter() - began, route, method)

    return application


def _note_route() -> None:
    if request.url_rule is not None:
        request.environ[_ROUTE] = request.url_rule.rule


def request_id() -> str:
    """Return the id of the current request, which is made here and sent as `X-Request-Id`."""
    existing: str | None = g.get("request_id")
    if existing is None:
        known: str | None = request.environ.get(_REQUEST_ID) if request else None
        existing = g.request_id = known or secrets.token_hex(8)
    return existing
