"""The upstreams of the trust network on loopback, with answers in their real shapes."""

from __future__ import annotations

import json
import re
import threading
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qs, unquote, urlsplit

import trust_upstream_documents as documents
from trust_upstream_documents import Package

UPSTREAMS = ("depsdev", "ecosystems", "osv", "scorecard", "github")
SETTINGS = {
    "depsdev": "CODEINTEL_DEPSDEV_URL",
    "ecosystems": "CODEINTEL_ECOSYSTEMS_URL",
    "osv": "CODEINTEL_OSV_URL",
    "scorecard": "CODEINTEL_SCORECARD_URL",
    "github": "CODEINTEL_GITHUB_URL",
}


class FakeUpstreams:
    """Answers for the packages that it knows; `down` and `slow` name upstreams that do not."""

    def __init__(self) -> None:
        self.packages: dict[str, Package] = {}
        self.malware: dict[str, tuple[str, str]] = {}
        """Ecosystem and name by id, of packages that no registry here lists."""
        self.down: set[str] = set()
        self.limited: set[str] = set()
        self.asked: Counter[str] = Counter()
        self.url = ""

    def add(self, name: str, **facts: Any) -> Package:
        """Make a package known, in all ecosystems."""
        package = self.packages[name] = Package(name, **facts)
        return package

    def settings(self) -> dict[str, str]:
        """Return settings for an application that queries these upstreams."""
        return {SETTINGS[name]: f"{self.url}/{name}" for name in UPSTREAMS}

    def answer(self, path: str, body: bytes) -> tuple[int, Any]:
        """Return status and document."""
        upstream, _, rest = urlsplit(path).path.lstrip("/").partition("/")
        self.asked[upstream] += 1
        if upstream in self.down:
            return 503, {"error": "down"}
        if upstream in self.limited:
            return 429, "Too Many Requests"
        query = {name: values[0] for name, values in parse_qs(urlsplit(path).query).items()}
        found: tuple[int, Any] = getattr(self, f"_{upstream}")(rest, query, body)
        return found

    def _depsdev(self, rest: str, _query: dict[str, str], _body: bytes) -> tuple[int, Any]:
        if found := re.fullmatch(r"v3/systems/(\w+)/packages/([^/]+)", rest):
            package = self.packages.get(unquote(found[2]))
            if package is None:
                return 404, "package not found\n"
            return 200, documents.versions(package, found[1])
        pattern = r"v3/systems/(\w+)/packages/([^/]+)/versions/([^/:]+)(:dependencies)?"
        if found := re.fullmatch(pattern, rest):
            package = self.packages.get(unquote(found[2]))
            if package is None:
                return 404, "version not found\n"
            make = documents.dependencies if found[4] else documents.version
            return 200, make(package, found[1])
        if found := re.fullmatch(r"v3/projects/([^/]+)", rest):
            for package in self.packages.values():
                if unquote(found[1]) == f"github.com/{package.repository}":
                    return 200, documents.project(package)
        return 404, "project not found\n"

    def _ecosystems(self, _rest: str, query: dict[str, str], _body: bytes) -> tuple[int, Any]:
        purl = unquote(query.get("purl", ""))
        found = re.fullmatch(r"pkg:(\w+)/(.+)", purl)
        package = self.packages.get(found[2].split("@1")[0]) if found else None
        return 200, [documents.row(package, found[1], purl)] if package and found else []

    def _osv(self, rest: str, _query: dict[str, str], body: bytes) -> tuple[int, Any]:
        if rest.startswith("v1/vulns/"):
            return self._malware(rest.removeprefix("v1/vulns/"))
        asked = json.loads(body)
        if rest == "v1/querybatch":
            return 200, {"results": [self._ids(each) for each in asked["queries"]]}
        package = self.packages.get(asked["package"]["name"])
        if package is None or not package.advisories:
            return 200, {}
        system = asked["package"]["ecosystem"]
        return 200, {
            "vulns": [documents.advisory(package, system, *each) for each in package.advisories]
        }

    def _ids(self, query: dict[str, Any]) -> dict[str, Any]:
        """Return the answer of the batch endpoint: only ids."""
        name = query["package"]["name"]
        package = self.packages.get(name)
        ids = [id_ for id_, _ in package.advisories] if package is not None else []
        ids += [id_ for id_, of in self.malware.items() if of[1] == name]
        return {"vulns": [{"id": id_, "modified": "2026-01-01T00:00:00Z"} for id_ in ids]}

    def _malware(self, id_: str) -> tuple[int, Any]:
        """Return a record of a package that registries have removed, or of an existing one."""
        if id_ in self.malware:
            ecosystem, name = self.malware[id_]
            package = {"ecosystem": ecosystem, "name": name}
            affected = [{"package": package, "versions": ["1.0.0"]}]
            return 200, {"id": id_, "summary": f"Malicious code in {name}", "affected": affected}
        for package_ in self.packages.values():
            if any(id_ == each for each, _ in package_.advisories):
                return 200, documents.advisory(package_, "npm", id_, "")
        return 404, {"code": 5, "message": "Bug not found."}

    def _scorecard(self, rest: str, _query: dict[str, str], _body: bytes) -> tuple[int, Any]:
        for package in self.packages.values():
            if rest == f"projects/github.com/{package.repository}" and package.checks:
                return 200, documents.card(package)
        return 404, None

    def _github(self, rest: str, _query: dict[str, str], _body: bytes) -> tuple[int, Any]:
        for package in self.packages.values():
            base = f"repos/{package.repository}"
            if rest == base:
                return 200, documents.repository(package)
            if rest == f"{base}/contributors":
                counts = [300, 120, 40, 9]
                return 200, [
                    {"login": f"dev{i}", "contributions": count} for i, count in enumerate(counts)
                ]
            if rest == f"{base}/releases":
                return 200, [
                    {"tag_name": f"v{i}", "published_at": documents.time(at), "draft": False}
                    for i, at in enumerate(package.dates())
                ]
        return 404, {"message": "Not Found"}


@contextmanager
def fake_upstreams() -> Iterator[FakeUpstreams]:
    """Run upstreams within the block."""
    fake = FakeUpstreams()

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_GET(self) -> None:
            length = int(self.headers.get("Content-Length", 0))
            status, document = fake.answer(self.path, self.rfile.read(length))
            is_text = isinstance(document, str)
            body = document.encode() if is_text else json.dumps(document).encode()
            if document is None:
                body = b""
            self.send_response(status)
            self.send_header("Content-Type", "text/plain" if is_text else "application/json")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        do_POST = do_GET  # noqa: N815 - the library's name

        def log_message(self, *_: object) -> None:
            """Drop the message."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, args=(0.05,), daemon=True)
    thread.start()
    fake.url = f"http://127.0.0.1:{server.server_address[1]}"
    try:
        yield fake
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
