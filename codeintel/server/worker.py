"""gunicorn's gevent worker, with limits for unread bodies, a count of open connections, and the
application's error format for requests that it rejects early.
"""

from __future__ import annotations

import socket
import time
from contextlib import closing, suppress
from typing import Any, cast

import gevent
from flask import Flask, Response
from gevent.server import StreamServer
from gunicorn.http.errors import LimitRequestLine
from gunicorn.workers import ggevent
from gunicorn.workers.ggevent import GeventWorker

from codeintel.base.errors import ErrorCode
from codeintel.base.gevent_patch import entry_points_read_once
from codeintel.http.address import is_shared, limit_key
from codeintel.http.errors import error_response
from codeintel.platform.limits.concurrency import Gauge, Hold, refusal

_TOO_MANY = "codeintel too many connections"
MESSAGE = "The path with its parameters is too long: at most 8,190 bytes, with the method."


def refused(app: Flask, error: BaseException, address: str) -> bytes | None:
    """Return the complete response to an unreadable request, with the usual headers. None if
    gunicorn answers itself, because the bytes are not HTTP.
    """
    if not isinstance(error, LimitRequestLine):
        return None
    with app.test_request_context("/api/", environ_base={"REMOTE_ADDR": address}):
        return _whole(app, error_response(ErrorCode.URI_TOO_LONG, MESSAGE))


def too_many_connections(app: Flask) -> bytes:
    """Return the complete response to a connection over the limit of its address. It is created at
    most once a second, because it must cost the service less than the client.
    """
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
    """Serialize a response, with the usual headers."""
    response = app.process_response(response)
    response.headers["Connection"] = "close"
    head = "".join(f"{name}: {value}\r\n" for name, value in response.headers)
    body: bytes = response.data
    return f"HTTP/1.1 {response.status}\r\n{head}\r\n".encode("latin-1") + body


def send(client: Any, answer: bytes) -> None:
    """Send a response. Ignore a client that has disconnected."""
    try:
        client.sendall(answer)
    except OSError:
        return


UNREAD_BYTES = 8 * 1024 * 1024
UNREAD_SECONDS = 2.0
CHUNK_BYTES = 65_536
REFUSED_SECONDS = 0.5
"""The seconds for which a connection over the limit of its address stays open, to deliver the
error.
"""


class Listener(StreamServer):
    """Accepts all waiting connections before it closes. The kernel has already connected them, and
    would reset them with their data, which may be a POST that must not be repeated.
    """

    def close(self) -> None:
        """Stop listening."""
        while "socket" in vars(self) and not self.full():
            waiting: Any = self.do_read()
            if waiting is None:
                break
            self.do_handle(*waiting)
        super().close()


vars(ggevent)["StreamServer"] = Listener  # gunicorn has no other way to do this


class Worker(GeventWorker):
    """Discards the unread rest of a rejected request's body.

    gunicorn does so without a limit and without yielding while bytes arrive, so one connection
    could block all others. Reading a part lets honest clients see their response, because they send
    the whole body first.
    """

    connections = 0
    """The number of open connections."""

    def patch(self) -> None:
        """Patch the standard library, as `codeintel serve` has already done, and the listeners."""
        with entry_points_read_once():
            super().patch()

    @property
    def is_left(self) -> bool:
        """Return whether no more requests can arrive: no socket listens, and no connection is
        open.
        """
        return not self.connections and all(each.fileno() < 0 for each in self.sockets)

    def handle(self, listener: Any, client: Any, addr: Any) -> None:
        """Serve a connection."""
        self.connections += 1
        try:
            with self._place(addr) as place:
                if place.amount:
                    super().handle(listener, client, addr)
                else:
                    self._refuse(client)
        finally:
            self.connections -= 1

    def _place(self, addr: Any) -> Hold:
        """Return a slot among the connections of an address, or an empty one if it has too many."""
        services = cast(Flask, self.wsgi).extensions["codeintel"]
        gauge = services.concurrency.connections
        address = addr[0] if isinstance(addr, tuple) else ""
        if is_shared(address, services.settings.trusted_proxies):
            return Gauge(gauge.policy, 0).taken(address)
        return cast(Hold, gauge.take(limit_key(address)) or Hold(gauge, ""))

    def _refuse(self, client: Any) -> None:
        """Answer without parsing the request. Discard its data for a moment, because closing a
        connection with unread bytes would drop the response.
        """
        quietly: Any = False
        with gevent.Timeout(REFUSED_SECONDS, quietly), closing(client), suppress(OSError):
            client.settimeout(REFUSED_SECONDS)
            client.sendall(too_many_connections(cast(Flask, self.wsgi)))
            client.shutdown(socket.SHUT_WR)
            client.recv(CHUNK_BYTES)

    def handle_request(self, listener_name: Any, req: Any, sock: Any, addr: Any) -> bool:
        """Serve a request. Close the connection if its body was not read completely in time.

        :raises StopIteration: tells gunicorn to close the connection.
        """
        served = super().handle_request(listener_name, req, sock, addr)
        if req.body is not None and (_is_broken(req.body) or not _discard_rest(req.body)):
            raise StopIteration
        gevent.sleep(0)  # yield to others when a client sends requests back to back
        return bool(served)

    def handle_error(self, req: Any, client: Any, addr: Any, exc: BaseException) -> None:
        """Answer a request that is unreadable, or that failed outside the application."""
        answer = refused(cast(Flask, self.wsgi), exc, addr[0] if addr else "")
        if answer is None:
            super().handle_error(req, client, addr, exc)
        else:
            send(client, answer)


def _is_broken(body: Any) -> bool:
    """Return whether reading has failed, for example because the body arrived too slowly. The rest
    is then not read.
    """
    return bool(getattr(body, "failed", False))


def _discard_rest(body: Any) -> bool:
    """Return whether the end was reached within the limits."""
    unread = 0
    try:
        with gevent.Timeout(UNREAD_SECONDS):
            while unread < UNREAD_BYTES:
                chunk = body.read(CHUNK_BYTES)
                if not chunk:
                    return True
                unread += len(chunk)
                gevent.sleep(0)  # a read does not yield while data is available
    except gevent.Timeout:
        pass
    return False
