"""HTTP to one API, over connections that are kept.

urllib3 opens the connections: names, addresses, TLS. What goes over them is parsed by httptools, in
C: with urllib3's own responses, which read the parts of a streamed body one by one, a third of all
the time that a stream takes would go there.
"""

from __future__ import annotations

import select
import socket
import ssl
import weakref
from http import HTTPStatus
from typing import Any
from urllib.parse import urlsplit

import httptools
from gevent import monkey
from urllib3.connection import HTTPConnection, HTTPSConnection

from codeintel import __version__

# gevent's own knows no poll that never waits.
_poll = monkey.get_original("select", "poll")

MOST_KEPT = 1_000
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
        self._authority = parts.netloc.rpartition("@")[2]
        self._timeout = connect_timeout
        self._tls = ssl.create_default_context() if parts.scheme == "https" else None
        self._kept: list[socket.socket] = []
        weakref.finalize(self, _close_all, self._kept)

    def post(self, path: str, body: bytes, headers: dict[str, str], timeout: float) -> Response:
        """Send a request and return the beginning of the response.

        :param timeout: seconds that may pass between two parts of it.
        :raises OSError: if there is none; :class:`TimeoutError` if it took too long.
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
        sock = self._take()
        try:
            sock.settimeout(timeout)
            sock.sendall("\r\n".join(lines).encode("latin-1") + b"\r\n\r\n" + body)
            response = Response(self, sock)
            response.begin()
        except BaseException:
            sock.close()
            raise
        return response

    def keep(self, sock: socket.socket) -> None:
        """Use a connection again."""
        if len(self._kept) < MOST_KEPT:
            self._kept.append(sock)
        else:
            sock.close()

    def _take(self) -> socket.socket:
        """The connection that was used last of those that the API has not closed; or a new one."""
        while self._kept:
            sock = self._kept.pop()
            poller = _poll()
            poller.register(sock.fileno(), select.POLLIN | select.POLLRDHUP)
            if not poller.poll(0):
                return sock
            sock.close()
        return self._open()

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


def _close_all(kept: list[socket.socket]) -> None:
    for sock in kept:
        sock.close()


class Response:
    """An HTTP response as it comes in. `headers` have their names in lower case."""

    def __init__(self, owner: Connections, sock: socket.socket) -> None:
        self.status = 0
        self.headers: dict[str, str] = {}
        self.has_more = False
        """Whether more seems to have come than was read at once."""
        self._owner = owner
        self._sock = sock
        self._pieces: list[bytes] = []
        self._parser: Any = httptools.HttpResponseParser(self)
        self._is_whole = False
        self._is_over = False
        """Whether more came behind the end."""
        self._may_be_kept = False

    def begin(self) -> None:
        """Wait for the headers."""
        size = 0
        while not self.status:
            size += self._receive()
            if size > MAX_HEAD_BYTES and not self.status:
                raise BrokenOff("the headers of the response have no end")

    def read(self) -> bytes:
        """What has come of the body since; waits for some of it. Empty at its end.

        :raises OSError: if it breaks off; :class:`TimeoutError` if it took too long.
        """
        while not self._pieces and not self._is_whole:
            self._receive()
        data = b"".join(self._pieces)
        self._pieces.clear()
        return data

    def set_timeout(self, seconds: float) -> None:
        """How long each part may take from now on."""
        self._sock.settimeout(seconds)

    def close(self) -> None:
        """Drop the connection, by which the API learns that nobody waits any more."""
        self._parser = None  # which refers to the response
        self._sock.close()

    def release(self) -> None:
        """Keep the connection for the next request, if the response has come to its end."""
        if self._may_be_kept and not self._pieces:
            self._parser = None
            self._owner.keep(self._sock)
        else:
            self.close()

    def _receive(self) -> int:
        """Take what comes next; returns how many bytes."""
        data = self._sock.recv(READ_BYTES)
        self.has_more = len(data) == READ_BYTES
        if not data:
            self._end()
        try:
            self._parser.feed_data(data)
        except (httptools.HttpParserError, httptools.HttpParserUpgrade):
            raise BrokenOff("the response is no HTTP") from None
        return len(data)

    def _end(self) -> None:
        """The API has closed the connection, which may be how it ends a body of unknown length."""
        is_bounded = "content-length" in self.headers or "transfer-encoding" in self.headers
        if not self.status or is_bounded:
            raise BrokenOff("the response is not whole")
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
