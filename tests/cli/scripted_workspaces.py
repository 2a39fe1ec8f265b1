"""A service on the loopback interface that answers about one workspace as a test says, wrongly and
with malice too."""

from __future__ import annotations

import hashlib
import io
import json
import threading
import zipfile
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import unquote, urlsplit

SESSION = "wsp_1"
Answer = tuple[int, dict[str, str], bytes]


def entry(path: str, data: bytes, **more: Any) -> dict[str, Any]:
    """Return a file as a listing has it."""
    return {"path": path, "sha256": hashlib.sha256(data).hexdigest(), "size": len(data), **more}


class ScriptedService:
    """One session with files, at a revision. `on` has other answers by method and path."""

    def __init__(self) -> None:
        self.url = ""
        self.revision = 1
        self.files: dict[str, bytes] = {}
        self.listing: list[dict[str, Any]] | None = None
        """Replaces the list of the existing files."""
        self.on: dict[str, Callable[[Mapping[str, Any]], Answer | None]] = {}
        self.requests: list[tuple[str, str, dict[str, str]]] = []

    def session(self) -> dict[str, Any]:
        """Return the session as answers have it."""
        return {
            "sessionId": SESSION,
            "name": "n",
            "localRootName": "n",
            "branchName": "",
            "remoteUrl": "",
            "revision": self.revision,
            "environmentUrl": f"{self.url}/workspace/{SESSION}",
            "editorUri": f"{self.url}/workspace/{SESSION}",
            "reportsUrl": f"{self.url}/workspace/{SESSION}/reports",
        }

    def snapshot(self) -> dict[str, Any]:
        """Return the session with its files."""
        files = [entry(path, data) for path, data in self.files.items()]
        return {
            "session": self.session(),
            "revision": {"number": self.revision},
            "proofLoop": {"status": "passed", "revision": self.revision},
            "bridge": {"sessionId": SESSION},
            "files": files if self.listing is None else self.listing,
        }

    def pushed(self, **more: Any) -> dict[str, Any]:
        """Return the answer to a push."""
        proof = {"status": "queued", "revision": self.revision}
        answer = {**self.session(), "proofLoop": proof, "bridge": {"sessionId": SESSION}}
        return {**answer, "files": {"stored": 1, "unchanged": 0, "skipped": []}, **more}

    def archive(self) -> bytes:
        """Return all files as a zip file."""
        packed = io.BytesIO()
        with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
            for path, data in self.files.items():
                archive.writestr(path.removeprefix("/"), data)
        return packed.getvalue()

    def answer(self, method: str, path: str, body: Mapping[str, Any]) -> Answer:
        """Return the answer to a request."""
        given = self.on.get(f"{method} {path}")
        made = given(body) if given else None
        if made is not None:
            return made
        at = f"/api/workspace/{SESSION}"
        if (method, path) == ("POST", "/api/workspace/sync"):
            return as_json(self.pushed(), 201)
        if path == at:
            return as_json(self.snapshot())
        if path == f"{at}/archive.zip":
            return 200, {}, self.archive()
        name = unquote(path).removeprefix(f"{at}/files")
        if name in self.files:
            return 200, {}, self.files[name]
        return as_json(refusal("not_found"), 404)


def as_json(document: Any, status: int = 200) -> Answer:
    """Return a JSON answer."""
    return status, {"Content-Type": "application/json"}, json.dumps(document).encode()


def refusal(code: str, **details: Any) -> dict[str, Any]:
    """Return an error of the service."""
    return {"error": {"code": code, "message": "No.", "details": details}, "meta": {}}


def events(*statuses: dict[str, Any]) -> Answer:
    """Return a stream of statuses of the proof loop."""
    lines = "".join(f"event: proof\ndata: {json.dumps(each)}\n\n" for each in statuses)
    return 200, {"Content-Type": "text/event-stream"}, lines.encode()


@contextmanager
def scripted_service() -> Iterator[ScriptedService]:
    """Run a service within the block."""
    service = ScriptedService()

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_GET(self) -> None:
            self._do()

        def do_POST(self) -> None:
            self._do()

        def _do(self) -> None:
            raw = self.rfile.read(int(self.headers.get("Content-Length") or 0))
            path = urlsplit(self.path).path
            service.requests.append((self.command, self.path, dict(self.headers)))
            try:
                status, headers, data = service.answer(self.command, path, json.loads(raw or "{}"))
            except ConnectionAbortedError:
                self.close_connection = True
                return
            self.send_response(status)
            for name, value in {**headers, "Content-Length": str(len(data))}.items():
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(data)

        def log_message(self, *_: Any) -> None:
            """Drop the message."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    service.url = f"http://127.0.0.1:{server.server_address[1]}"
    thread = threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True)
    thread.start()
    try:
        yield service
    finally:
        server.shutdown()
        thread.join()
        server.server_close()
