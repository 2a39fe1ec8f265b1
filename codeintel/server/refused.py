"""What the server refuses before the application sees it, in the words of the application."""

from __future__ import annotations

import time
from typing import Any

from flask import Flask, Response
from gunicorn.http.errors import LimitRequestLine

from codeintel.base.errors import ErrorCode
from codeintel.http.envelope import error_response
from codeintel.platform.limits.concurrency import refusal

_TOO_MANY = "codeintel too many connections"
MESSAGE = "The path with its parameters is too long: at most 8,190 bytes, with the method."


def refused(app: Flask, error: BaseException, address: str) -> bytes | None:
    """The whole answer to a request that cannot be read, with the headers of every answer; None
    for what gunicorn has an answer of its own to: it is about bytes that are no HTTP."""
    if not isinstance(error, LimitRequestLine):
        return None
    with app.test_request_context("/api/", environ_base={"REMOTE_ADDR": address}):
        return _whole(app, error_response(ErrorCode.URI_TOO_LONG, MESSAGE))


def too_many_connections(app: Flask) -> bytes:
    """The whole answer to a connection over the limit of its address. It is made once a second at
    most: it must be cheaper for the service than for those who ask for it."""
    made: tuple[int, bytes] | None = app.extensions.get(_TOO_MANY)
    now = int(time.monotonic())
    if made is None or made[0] != now:
        gauge = app.extensions["codeintel"].concurrency.connections
        with app.test_request_context("/api/"):
            error = refusal(gauge, "This address has", "connections open")
            response = error_response(error.code, error.message, error.details)
            response.headers["Retry-After"] = str(error.retry_after)
            made = app.extensions[_TOO_MANY] = now, _whole(app, response)
    return made[1]


def _whole(app: Flask, response: Response) -> bytes:
    """An answer as it is sent, with the headers of every answer."""
    response = app.process_response(response)
    response.headers["Connection"] = "close"
    head = "".join(f"{name}: {value}\r\n" for name, value in response.headers)
    body: bytes = response.data
    return f"HTTP/1.1 {response.status}\r\n{head}\r\n".encode("latin-1") + body


def send(client: Any, answer: bytes) -> None:
    """Send it; whoever is gone by now will not miss it."""
    try:
        client.sendall(answer)
    except OSError:
        return
