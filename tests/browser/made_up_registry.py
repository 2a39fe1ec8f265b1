"""An npm registry that returns the same packages for every query."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread

PACKAGES = {
    "stargazer": "Counts the stars of a night",
    "@acme/stargazer-with-a-name-that-goes-on-and-on": "Counts them for a company. " * 8,
    "nightfall": "",
}


class _Registry(BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        """Answer a search: with nothing for `nothing`."""
        found = {} if "text=nothing" in self.path else PACKAGES
        rows = [
            {"package": {"name": name, "description": text}, "downloads": {"monthly": 12_345}}
            for name, text in found.items()
        ]
        body = json.dumps({"objects": rows, "total": len(rows)}).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - of the base class
        """Say nothing."""


@contextmanager
def running_registry() -> Iterator[str]:
    """Run the registry within the block and return its URL."""
    with ThreadingHTTPServer(("127.0.0.1", 0), _Registry) as server:
        thread = Thread(target=server.serve_forever, args=(0.05,))
        thread.start()
        try:
            yield f"http://127.0.0.1:{server.server_port}"
        finally:
            server.shutdown()
            thread.join()
