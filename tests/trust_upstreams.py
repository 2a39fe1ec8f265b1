"""The upstreams of the trust network on loopback, with answers in their real shapes."""

from __future__ import annotations

import json
import re
import threading
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qs, unquote, urlsplit

UPSTREAMS = ("depsdev", "ecosystems", "osv", "scorecard", "github")
SETTINGS = {
    "depsdev": "CODEINTEL_DEPSDEV_URL",
    "ecosystems": "CODEINTEL_ECOSYSTEMS_URL",
    "osv": "CODEINTEL_OSV_URL",
    "scorecard": "CODEINTEL_SCORECARD_URL",
    "github": "CODEINTEL_GITHUB_URL",
}
TODAY = datetime.now(UTC).replace(microsecond=0)
CHECKS = {
    "Maintained": 10,
    "Code-Review": 6,
    "Dangerous-Workflow": 10,
    "Branch-Protection": -1,
    "Token-Permissions": 0,
    "Binary-Artifacts": 10,
    "Security-Policy": 10,
    "SAST": 7,
    "Signed-Releases": -1,
}


@dataclass
class Package:
    """What the upstreams say of a package."""

    name: str
    repository: str = "example-org/kit"
    version: str = "1.2.6"
    releases: int = 24
    days_between: int = 45
    days_since: int = 20
    licenses: tuple[str, ...] = ("MIT",)
    attested: bool = True
    maintainers: tuple[str, ...] = ("ada", "grace", "linus")
    downloads: int = 2_500_000
    dependents: int = 1_200
    stars: int = 4_821
    dependencies: tuple[str, ...] = ("left", "right")
    advisories: tuple[tuple[str, str], ...] = ()
    """Ids and vectors."""
    checks: dict[str, int] = field(default_factory=lambda: dict(CHECKS))
    status: str | None = None
    archived: bool = False

    def dates(self) -> list[datetime]:
        """Of its releases, the latest last."""
        last = TODAY - timedelta(days=self.days_since)
        return [last - timedelta(days=self.days_between * i) for i in range(self.releases)][::-1]


class FakeUpstreams:
    """Answers for the packages that it knows; `down` and `slow` name upstreams that do not."""

    def __init__(self) -> None:
        self.packages: dict[str, Package] = {}
        self.down: set[str] = set()
        self.limited: set[str] = set()
        self.asked: Counter[str] = Counter()
        self.url = ""

    def add(self, name: str, **facts: Any) -> Package:
        """Make a package known, in all ecosystems."""
        package = self.packages[name] = Package(name, **facts)
        return package

    def settings(self) -> dict[str, str]:
        """For an application that is to ask here."""
        return {SETTINGS[name]: f"{self.url}/{name}" for name in UPSTREAMS}

    def answer(self, path: str, body: bytes) -> tuple[int, Any]:
        """Status and document."""
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
            return 200, _versions(package, found[1])
        pattern = r"v3/systems/(\w+)/packages/([^/]+)/versions/([^/:]+)(:dependencies)?"
        if found := re.fullmatch(pattern, rest):
            package = self.packages.get(unquote(found[2]))
            if package is None:
                return 404, "version not found\n"
            make = _dependencies if found[4] else _version
            return 200, make(package, found[1])
        if found := re.fullmatch(r"v3/projects/([^/]+)", rest):
            for package in self.packages.values():
                if unquote(found[1]) == f"github.com/{package.repository}":
                    return 200, _project(package)
        return 404, "project not found\n"

    def _ecosystems(self, _rest: str, query: dict[str, str], _body: bytes) -> tuple[int, Any]:
        purl = unquote(query.get("purl", ""))
        found = re.fullmatch(r"pkg:(\w+)/(.+)", purl)
        package = self.packages.get(found[2].split("@1")[0]) if found else None
        return 200, [_row(package, found[1], purl)] if package and found else []

    def _osv(self, _rest: str, _query: dict[str, str], body: bytes) -> tuple[int, Any]:
        asked = json.loads(body)
        package = self.packages.get(asked["package"]["name"])
        if package is None or not package.advisories:
            return 200, {}
        system = asked["package"]["ecosystem"]
        return 200, {"vulns": [_advisory(package, system, *each) for each in package.advisories]}

    def _scorecard(self, rest: str, _query: dict[str, str], _body: bytes) -> tuple[int, Any]:
        for package in self.packages.values():
            if rest == f"projects/github.com/{package.repository}" and package.checks:
                return 200, _card(package)
        return 404, None

    def _github(self, rest: str, _query: dict[str, str], _body: bytes) -> tuple[int, Any]:
        for package in self.packages.values():
            base = f"repos/{package.repository}"
            if rest == base:
                return 200, _repository(package)
            if rest == f"{base}/contributors":
                counts = [300, 120, 40, 9]
                return 200, [
                    {"login": f"dev{i}", "contributions": count} for i, count in enumerate(counts)
                ]
            if rest == f"{base}/releases":
                return 200, [
                    {"tag_name": f"v{i}", "published_at": _time(at), "draft": False}
                    for i, at in enumerate(package.dates())
                ]
        return 404, {"message": "Not Found"}


def _time(at: datetime) -> str:
    return f"{at:%Y-%m-%dT%H:%M:%SZ}"


def _key(package: Package, system: str, version: str) -> dict[str, str]:
    return {"system": system.upper(), "name": package.name, "version": version}


def _versions(package: Package, system: str) -> dict[str, Any]:
    dates = package.dates()
    names = [*(f"1.0.{i}" for i in range(len(dates) - 1)), package.version]
    return {
        "packageKey": {"system": system.upper(), "name": package.name},
        "versions": [
            {
                "versionKey": _key(package, system, name),
                "publishedAt": _time(at),
                "isDefault": name == package.version,
            }
            for name, at in zip(names, dates, strict=True)
        ],
    }


def _version(package: Package, system: str) -> dict[str, Any]:
    source = f"https://github.com/{package.repository}"
    attestation = {
        "type": "https://slsa.dev/provenance/v1",
        "url": "https://registry.example.test/-/attestations",
        "verified": True,
        "sourceRepository": source,
    }
    return {
        "versionKey": _key(package, system, package.version),
        "publishedAt": _time(package.dates()[-1]),
        "isDefault": True,
        "licenses": list(package.licenses),
        "advisoryKeys": [],
        "links": [{"label": "SOURCE_REPO", "url": f"git+{source}.git"}],
        "slsaProvenances": [],
        "attestations": [attestation] if package.attested else [],
        "registries": ["https://registry.example.test/"],
        "relatedProjects": [
            {
                "projectKey": {"id": f"github.com/{package.repository}"},
                "relationProvenance": "SLSA_ATTESTATION"
                if package.attested
                else "UNVERIFIED_METADATA",
                "relationType": "SOURCE_REPO",
            }
        ],
    }


def _dependencies(package: Package, system: str) -> dict[str, Any]:
    def node(name: str, version: str, relation: str) -> dict[str, Any]:
        key = {"system": system.upper(), "name": name, "version": version}
        return {"versionKey": key, "bundled": False, "relation": relation, "errors": []}

    nodes = [node(package.name, package.version, "SELF")]
    nodes += [node(name, "1.0.0", "DIRECT") for name in package.dependencies]
    edges = [
        {"fromNode": 0, "toNode": i + 1, "requirement": "^1.0.0"}
        for i in range(len(package.dependencies))
    ]
    return {"nodes": nodes, "edges": edges, "error": ""}


def _project(package: Package) -> dict[str, Any]:
    return {
        "projectKey": {"id": f"github.com/{package.repository}"},
        "openIssuesCount": 37,
        "starsCount": package.stars,
        "forksCount": 310,
        "license": "MIT",
        "description": "",
        "homepage": "",
    }


def _row(package: Package, ecosystem: str, purl: str) -> dict[str, Any]:
    dates = package.dates()
    return {
        "id": 101,
        "name": package.name,
        "ecosystem": ecosystem,
        "description": "An example",
        "licenses": package.licenses[0] if package.licenses else None,
        "normalized_licenses": list(package.licenses),
        "repository_url": f"https://github.com/{package.repository}",
        "versions_count": len(dates),
        "first_release_published_at": _time(dates[0]),
        "latest_release_published_at": _time(dates[-1]),
        "latest_release_number": package.version,
        "registry_url": f"https://registry.example.test/{package.name}",
        "repo_metadata": {
            "full_name": package.repository,
            "archived": package.archived,
            "pushed_at": _time(dates[-1]),
            "stargazers_count": package.stars,
            "open_issues_count": 37,
            "forks_count": 310,
        },
        "dependent_packages_count": package.dependents,
        "downloads": package.downloads,
        "downloads_period": "last-month",
        "dependent_repos_count": 19_210,
        "rankings": {"downloads": 0.41, "average": 0.86},
        "purl": purl,
        "advisories": [],
        "status": package.status,
        "maintainers": [
            {"uuid": name, "login": name, "name": name.title(), "html_url": None}
            for name in package.maintainers
        ],
        "registry": {"name": "registry.example.test", "ecosystem": ecosystem},
        "issue_metadata": None,
    }


def _advisory(package: Package, system: str, id_: str, vector: str) -> dict[str, Any]:
    return {
        "id": id_,
        "summary": "Something can be done that should not be",
        "modified": "2026-07-15T08:12:44Z",
        "published": "2026-06-23T17:54:12Z",
        "affected": [
            {
                "package": {"name": package.name, "ecosystem": system},
                "ranges": [{"type": "SEMVER", "events": [{"introduced": "0"}, {"fixed": "1.3.0"}]}],
            }
        ],
        "severity": [{"type": "CVSS_V3", "score": vector}],
    }


def _card(package: Package) -> dict[str, Any]:
    return {
        "date": f"{TODAY:%Y-%m-%d}",
        "repo": {"name": f"github.com/{package.repository}", "commit": "0" * 40},
        "scorecard": {"version": "v5.2.1", "commit": "0" * 40},
        "score": 6.4,
        "checks": [
            {
                "name": name,
                "score": score,
                "reason": "as it is",
                "documentation": {"short": "", "url": f"https://example.test/checks#{name}"},
                "details": None,
            }
            for name, score in package.checks.items()
        ],
    }


def _repository(package: Package) -> dict[str, Any]:
    return {
        "id": 1,
        "full_name": package.repository,
        "private": False,
        "html_url": f"https://github.com/{package.repository}",
        "owner": {"login": package.repository.split("/")[0], "type": "Organization"},
        "description": "An example",
        "stargazers_count": package.stars,
        "forks_count": 310,
        "open_issues_count": 37,
        "archived": package.archived,
        "created_at": _time(package.dates()[0]),
        "pushed_at": _time(package.dates()[-1]),
        "license": {"spdx_id": "MIT"},
    }


@contextmanager
def fake_upstreams() -> Iterator[FakeUpstreams]:
    """Upstreams that answer, until the end of the block."""
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
            """Nothing."""

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
