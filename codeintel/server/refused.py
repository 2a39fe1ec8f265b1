"""What the server refuses before the application sees it, in the words of the application."""

from __future__ import annotations

from typing import Any

from flask import Flask
from gunicorn.http.errors import LimitRequestLine

from codeintel.errors import ErrorCode
from codeintel.http.envelope import error_response

MESSAGE = "The path with its parameters is too long: at most 8,190 bytes, with the method."


def refused(app: Flask, error: BaseException, address: str) -> bytes | None:
    """The whole answer to a request that cannot be read, with the headers of every answer; None
    for what gunicorn has an answer of its own to: it is about bytes that are no HTTP."""
    if not isinstance(error, LimitRequestLine):
        return None
    with app.test_request_context("/api/", environ_base={"REMOTE_ADDR": address}):
        response = app.process_response(error_response(ErrorCode.URI_TOO_LONG, MESSAGE))
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
