"""Responses with server-sent events."""

from __future__ import annotations

import select
import socket
from collections.abc import Callable, Iterator

from flask import Request, Response, request
from gevent import monkey

from codeintel.http.endpoint import services
from codeintel.http.operation import RUN_ID
from codeintel.identity.auth.caller import Caller
from codeintel.runs.events.log import RunLog, tail

HEADERS = {"Cache-Control": "no-cache, no-transform", "X-Accel-Buffering": "no"}
WRITE_SECONDS = 60.0


# gevent's version supports neither POLLRDHUP nor a poll that never waits
_poll = monkey.get_original("select", "poll")


def limit_writes(request: Request) -> None:
    """Disconnect a client that accepts no data for a minute. It holds memory, and its run must not
    count as read. gunicorn then closes the connection.
    """
    connection: socket.socket | None = request.environ.get("gunicorn.socket")
    if connection is not None:
        connection.settimeout(WRITE_SECONDS)


def client_is_gone(request: Request) -> Callable[[], bool]:
    """Return a function that reports whether the client has closed its connection. It returns False
    if the server hides the socket.
    """
    connection: socket.socket | None = request.environ.get("gunicorn.socket")

    def is_gone() -> bool:
        if connection is None:
            return False
        try:
            poller = _poll()
            poller.register(connection.fileno(), select.POLLIN | select.POLLRDHUP)
            events = dict(poller.poll(0)).get(connection.fileno(), 0)
        except (OSError, ValueError):
            return True
        return bool(events & (select.POLLHUP | select.POLLERR | select.POLLNVAL | select.POLLRDHUP))

    return is_gone


def stream_response(frames: Iterator[bytes]) -> Response:
    """Return a response that sends frames as they arrive."""
    return Response(frames, mimetype="text/event-stream", headers=HEADERS, direct_passthrough=True)


def stream_log(log: RunLog, caller: Caller, after: int = 0) -> Response:
    """Return a response that follows a run's log, after the first `after` events, while the
    caller's credential is valid.
    """
    limit_writes(request)
    frames = tail(log, client_is_gone(request), services().callers.still_valid(caller), after)
    response = stream_response(frames)
    response.headers[RUN_ID.name] = log.run_id
    return response
