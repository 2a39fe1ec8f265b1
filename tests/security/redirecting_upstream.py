"""An upstream on loopback that answers every request with the same status and redirect URL."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

HEADERS = ("Location", "Content-Location", "Refresh", "Link", "Alt-Svc")


@contextmanager
def redirecting(status: int, target: str, body: bytes = b"{}") -> Iterator[str]:
    """Run the upstream within the block and return its URL."""

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_GET(self) -> None:
            self.rfile.read(int(self.headers.get("Content-Length", 0)))
            self.send_response(status)
            values = (
                target,
                target,
                f"0; url={target}",
                f'<{target}>; rel="next"',
                f'h2="{target}"',
            )
            for name, value in zip(HEADERS, values, strict=True):
                self.send_header(name, value)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        do_POST = do_GET  # noqa: N815 - the library's name

        def log_message(self, *_: object) -> None:
            """Drop the message."""

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        thread = threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True)
        thread.start()
        try:
            yield f"http://127.0.0.1:{server.server_port}"
        finally:
            server.shutdown()
            thread.join()
