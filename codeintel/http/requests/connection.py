"""The connection behind a request."""

from __future__ import annotations

import select
import socket
from collections.abc import Callable

from flask import Request
from gevent import monkey

# gevent's own knows neither POLLRDHUP nor a poll that never waits.
_poll = monkey.get_original("select", "poll")


WRITE_SECONDS = 60.0


def limit_writes(request: Request) -> None:
    """Give up on a client that takes nothing of what is sent to it for a minute: it holds memory,
    and its run must not count as read. gunicorn closes the connection then."""
    connection: socket.socket | None = request.environ.get("gunicorn.socket")
    if connection is not None:
        connection.settimeout(WRITE_SECONDS)


def client_is_gone(request: Request) -> Callable[[], bool]:
    """A function that tells whether the client has closed its connection, as far as one can see
    without writing: False where the server hides the socket."""
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
