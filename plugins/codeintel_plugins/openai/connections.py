"""HTTP to one API, over persistent connections.

urllib3 opens the connections: names, addresses, TLS. httptools, which is written in C, parses the
data. urllib3's own responses read the parts of a streamed body one by one, which would take a third
of the whole time of a stream.
"""

from __future__ import annotations

import select
import socket
import ssl
import time
import weakref
from collections import deque
from collections.abc import Callable
from http import HTTPStatus
from typing import Any
from urllib.parse import urlsplit

import gevent
import httptools
from gevent import monkey
from urllib3.connection import HTTPConnection, HTTPSConnection

from codeintel import __version__

# gevent's own knows no poll that never waits.
_poll = monkey.get_original("select", "poll")

MOST_KEPT = 1_000
LONGEST_IDLE_SECONDS = 30.0
READ_BYTES = 65_536
MAX_HEAD_BYTES = 65_536


class BrokenOff(ConnectionError):  # noqa: N818 - says what happened
    """A response ended before its end, or is no HTTP."""


class Connections:
    """Connections to one API. More are opened when all are in use.

    :param base_url: the URL that the path of a request is added to.
    :param connect_timeout: seconds.
    """

    def __init__(self, base_url: str, connect_timeout: float) -> None:
        parts = urlsplit(base_url)
        self._host, self._port, self._path = parts.hostname or "", parts.port, parts.path
        self._authority = parts.netloc
        self._timeout = connect_timeout
        self._tls = ssl.create_default_context() if parts.scheme == "https" else None
        self._kept: deque[tuple[float, socket.socket]] = deque()
        weakref.finalize(self, _close_all, self._kept)

    def post(self, path: str, body: bytes, headers: dict[str, str], timeout: float) -> Response:
        """Send a request and return the beginning of the response.

        :param timeout: seconds that may pass between two parts of the response.
        :raises ValueError: for a path or header that would end its line.
        :raises OSError: if no response arrives; :class:`TimeoutError` on timeout.
        :raises urllib3.exceptions.HTTPError: if the API cannot be reached.
        """
        lines = [
            f"POST {self._path}{path} HTTP/1.1",
            f"Host: {self._authority}",
            f"User-Agent: codeintel/{__version__}",
            "Accept-Encoding: identity",
            f"Content-Length: {len(body)}",
            *[f"{name}: {value}" for name, value in headers.items()],
        ]
        if any("\r" in line or "\n" in line for line in lines):
            raise ValueError("a header must be one line")
        request = "\r\n".join(lines).encode("latin-1") + b"\r\n\r\n" + body
        kept = self._take()
        if kept is not None:
            response = Response(self, kept, timeout)
            try:
                response.begin(request)
            except (BrokenPipeError, ConnectionResetError, BrokenOff):
                # The API has just closed the connection and not seen the request, so it is sent
                # again.
                if response.has_come:
                    raise
            else:
                return response
        response = Response(self, self._open(), timeout)
        response.begin(request)
        return response

    def keep(self, sock: socket.socket) -> None:
        """Use a connection again, if that is soon."""
        now = time.monotonic()
        while self._kept and now - self._kept[0][0] > LONGEST_IDLE_SECONDS:
            self._kept.popleft()[1].close()
        if len(self._kept) < MOST_KEPT:
            self._kept.append((now, sock))
        else:
            sock.close()

    def _take(self) -> socket.socket | None:
        """Return the most recently used connection that the API has not closed, if any."""
        while self._kept:
            _, sock = self._kept.pop()
            poller = _poll()
            poller.register(sock.fileno(), select.POLLIN | select.POLLRDHUP)
            if not poller.poll(0):
                return sock
            sock.close()
        return None

    def _open(self) -> socket.socket:
        if self._tls is None:
            connection = HTTPConnection(self._host, self._port, timeout=self._timeout)
        else:
            connection = HTTPSConnection(
                self._host, self._port, timeout=self._timeout, ssl_context=self._tls
            )
        try:
            connection.connect()
        except BaseException:
            connection.close()
            raise
        sock: socket.socket = connection.sock
        return sock


def _close_all(kept: deque[tuple[float, socket.socket]]) -> None:
    for _, sock in kept:
        sock.close()


class Response:
    """An HTTP response as it comes in. `headers` have their names in lower case.

    :param timeout: seconds that the headers, or the next part of the body, may take.
    """

    def __init__(self, owner: Connections, sock: socket.socket, timeout: float) -> None:
        self.status = 0
        self.headers: dict[str, str] = {}
        self.has_come = False
        """Whether anything has."""
        self.has_more = False
        """Whether more data has probably arrived than a single read returned."""
        self._owner = owner
        self._sock: socket.socket | None = sock
        self._timeout = timeout
        self._pieces: list[bytes] = []
        self._parser: Any = httptools.HttpResponseParser(self)
        self._is_whole = False
        self._is_over = False
        """Whether more came behind the end."""
        self._may_be_kept = False

    def begin(self, request: bytes) -> None:
        """Send the request and wait for the headers. After an error the connection is closed.

        :raises OSError: as :meth:`read`.
        """
        try:
            assert self._sock is not None  # noqa: S101 - for the type checker
            self._sock.settimeout(self._timeout)
            self._sock.sendall(request)
            self._receive(lambda: bool(self.status))
        except BaseException:
            self.close()
            raise

    def read(self) -> bytes:
        """Return the data of the body that has arrived since the last call, and wait if necessary.

        Returns empty bytes at the end of the body.

        :raises OSError: if the body breaks off; :class:`TimeoutError` on timeout.
        """
        if not self._pieces and not self._is_whole:
            self._receive(lambda: bool(self._pieces) or self._is_whole)
        data = b"".join(self._pieces)
        self._pieces.clear()
        return data

    def set_timeout(self, seconds: float) -> None:
        """Set the timeout of each further part, in seconds."""
        self._timeout = seconds

    def close(self) -> None:
        """Drop the connection, so that the API stops generating. Does nothing if it was already
        released.
        """
        sock = self._let_go()
        if sock is not None:
            sock.close()

    def release(self) -> None:
        """Keep the connection for the next request, if the response has ended."""
        if not self._may_be_kept or self._pieces:
            self.close()
        elif sock := self._let_go():
            self._owner.keep(sock)

    def _let_go(self) -> socket.socket | None:
        """Return the connection, and stop using it."""
        self._parser = None  # which refers to the response
        sock, self._sock = self._sock, None
        return sock

    def _receive(self, is_enough: Callable[[], bool]) -> None:
        """Take what comes until there is enough. What is no part of the body, such as headers, is
        bounded, and other greenlets have their turn in between: a socket that always has something
        never waits."""
        end = time.monotonic() + self._timeout
        size = 0
        while not is_enough():
            left = end - time.monotonic()
            if left <= 0:
                raise TimeoutError
            if self._sock is None:
                raise BrokenOff("the connection was closed")
            self._sock.settimeout(left)
            data = self._sock.recv(READ_BYTES)
            self.has_come = self.has_come or bool(data)
            self.has_more = len(data) == READ_BYTES
            self._feed(data)
            size += len(data)
            if size > MAX_HEAD_BYTES and not is_enough():
                raise BrokenOff("the response headers are incomplete")
            if self.has_more or not is_enough():
                gevent.sleep(0)

    def _feed(self, data: bytes) -> None:
        if not data:
            self._end()
        try:
            self._parser.feed_data(data)
        except (httptools.HttpParserError, httptools.HttpParserUpgrade):
            raise BrokenOff("the response is not HTTP") from None

    def _end(self) -> None:
        """Handle a closed connection, which may be how the API ends a body of unknown length."""
        is_bounded = "content-length" in self.headers or "transfer-encoding" in self.headers
        if not self.status or is_bounded:
            raise BrokenOff("the response is incomplete")
        self._is_whole = True

    # What the parser calls, by its names.

    def on_message_begin(self) -> None:
        if self._is_whole:  # what follows the end is no answer to anything
            self._may_be_kept, self._is_over = False, True

    def on_header(self, name: bytes, value: bytes) -> None:
        if not self.status:  # no trailers
            self.headers[name.decode("latin-1").lower()] = value.decode("latin-1")

    def on_headers_complete(self) -> None:
        status = self._parser.get_status_code()
        if status < HTTPStatus.OK:  # an interim one, another follows
            self.headers.clear()
        elif not self.status:
            self.status = status

    def on_body(self, data: bytes) -> None:
        if not self._is_over:
            self._pieces.append(data)

    def on_message_complete(self) -> None:
        if self.status and not self._is_over:
            self._is_whole = True
            self._may_be_kept = self._parser.should_keep_alive()
