"""An API with scripted bytes, and connections to it."""

from __future__ import annotations

import ssl
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from socketserver import BaseRequestHandler, ThreadingTCPServer
from threading import Event, Thread
from typing import Any

from codeintel_plugins.openai.connections import Connections, Response

HEAD = b"HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\n"
CHUNKED = HEAD + b"Transfer-Encoding: chunked\r\n\r\n"
WHOLE = HEAD + b"Content-Length: 2\r\n\r\nok"
SECONDS = 1.0


class Api(ThreadingTCPServer):
    """Answers each request with the same pieces; then it closes the connection, if told to."""

    daemon_threads = True

    def __init__(self, *pieces: bytes, closes: bool = False, tls: Path | None = None) -> None:
        self.requests: list[bytes] = []
        self.opened = 0
        self.closed = Event()
        self._pieces = pieces
        self._closes = closes
        self._context = None
        if tls is not None:
            self._context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
            self._context.load_cert_chain(tls)
        super().__init__(("127.0.0.1", 0), BaseRequestHandler)

    @property
    def port(self) -> int:
        return int(self.server_address[1])

    def finish_request(self, request: Any, _address: object) -> None:
        self.opened += 1
        with suppress(OSError), ExitStack() as stack:
            if self._context is not None:
                request = stack.enter_context(self._context.wrap_socket(request, server_side=True))
            while data := request.recv(65_536):
                self.requests.append(data)
                for piece in self._pieces:
                    request.sendall(piece)
                if self._closes:
                    return

    def shutdown_request(self, request: Any) -> None:
        super().shutdown_request(request)
        self.closed.set()


@contextmanager
def connected(api: Api, scheme: str = "http") -> Iterator[Callable[[], Response]]:
    """Return a function that sends a request."""
    connections = Connections(f"{scheme}://localhost:{api.port}/v1", SECONDS)
    with api:
        thread = Thread(target=api.serve_forever, args=(0.01,))
        thread.start()
        try:
            yield lambda: connections.post("/x", b"{}", {"Accept": "a/b"}, SECONDS)
        finally:
            api.shutdown()
            thread.join()


def read(response: Response) -> bytes:
    return b"".join(iter(response.read, b""))
