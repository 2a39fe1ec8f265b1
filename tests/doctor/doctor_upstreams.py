"""Local services with predefined answers, for the doctor to query."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any


class Upstreams:
    """Answers by path, and remembers the credentials that it was sent."""

    def __init__(self) -> None:
        self.answers: dict[str, tuple[int, Any]] = {}
        """Status and JSON by the beginning of a path; None as JSON: it hangs."""
        self.credentials: list[str] = []
        self.host = ""
        """The only `Host` that is answered, if it is set; others get 400."""
        self.end = threading.Event()
        self.url = ""

    def find(self, path: str) -> tuple[int, Any]:
        """Return the answer for a path."""
        found = (each for name, each in self.answers.items() if path.startswith(name))
        return next(found, (404, {}))


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: Any

    def do_GET(self) -> None:
        upstreams: Upstreams = self.server.upstreams
        upstreams.credentials += [
            value
            for name, value in self.headers.items()
            if name in {"Authorization", "PRIVATE-TOKEN"}
        ]
        status, document = upstreams.find(self.path)
        if upstreams.host and self.headers["Host"] != upstreams.host:
            status, document = 400, {"error": {"code": "invalid_request"}}
        if document is None:
            self.close_connection = True
            upstreams.end.wait(30)
            return
        body = json.dumps(document).encode()
        self.send_response(status)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        """Drop the message."""


@contextmanager
def serving() -> Iterator[Upstreams]:
    """Run such services, all at one address."""
    upstreams = Upstreams()
    server = ThreadingHTTPServer(("127.0.0.1", 0), _Handler)
    server.upstreams = upstreams  # type: ignore[attr-defined]
    upstreams.url = f"http://127.0.0.1:{server.server_address[1]}"
    thread = threading.Thread(target=server.serve_forever, args=(0.02,))
    thread.start()
    try:
        yield upstreams
    finally:
        upstreams.end.set()
        server.shutdown()
        server.server_close()
        thread.join()
