"""A made-up package, and the answers of each upstream of the trust network about it, in their
real format."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Any

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
    """The upstreams' data about a package."""

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
        """Return the dates of its releases, the latest last."""
        last = TODAY - timedelta(days=self.days_since)
        return [last - timedelta(days=self.days_between * i) for i in range(self.releases)][::-1]


def time(at: datetime) -> str:
    """Return a time in the format of all upstreams."""
    return f"{at:%Y-%m-%dT%H:%M:%SZ}"


def _key(package: Package, system: str, version: str) -> dict[str, str]:
    return {"system": system.upper(), "name": package.name, "version": version}


def versions(package: Package, system: str) -> dict[str, Any]:
    """Return all releases, as deps.dev does."""
    dates = package.dates()
    names = [*(f"1.0.{i}" for i in range(len(dates) - 1)), package.version]
    return {
        "packageKey": {"system": system.upper(), "name": package.name},
        "versions": [
            {
                "versionKey": _key(package, system, name),
                "publishedAt": time(at),
                "isDefault": name == package.version,
            }
            for name, at in zip(names, dates, strict=True)
        ],
    }


def version(package: Package, system: str) -> dict[str, Any]:
    """Return one release, as deps.dev does."""
    source = f"https://github.com/{package.repository}"
    attestation = {
        "type": "https://slsa.dev/provenance/v1",
        "url": "https://registry.example.test/-/attestations",
        "verified": True,
        "sourceRepository": source,
    }
    return {
        "versionKey": _key(package, system, package.version),
        "publishedAt": time(package.dates()[-1]),
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


def dependencies(package: Package, system: str) -> dict[str, Any]:
    """Return the dependencies of a release, as deps.dev does."""

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


def project(package: Package) -> dict[str, Any]:
    """Return the repository, as deps.dev does."""
    return {
        "projectKey": {"id": f"github.com/{package.repository}"},
        "openIssuesCount": 37,
        "starsCount": package.stars,
        "forksCount": 310,
        "license": "MIT",
        "description": "",
        "homepage": "",
    }


def row(package: Package, ecosystem: str, purl: str) -> dict[str, Any]:
    """Return the package, as ecosyste.ms does."""
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
        "first_release_published_at": time(dates[0]),
        "latest_release_published_at": time(dates[-1]),
        "latest_release_number": package.version,
        "registry_url": f"https://registry.example.test/{package.name}",
        "repo_metadata": {
            "full_name": package.repository,
            "archived": package.archived,
            "pushed_at": time(dates[-1]),
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


def advisory(package: Package, system: str, id_: str, vector: str) -> dict[str, Any]:
    """Return an advisory by its id and vector, as OSV does."""
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


def card(package: Package) -> dict[str, Any]:
    """Return the repository's checks, as OpenSSF Scorecard does."""
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


def repository(package: Package) -> dict[str, Any]:
    """Return the repository, as GitHub does."""
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
        "created_at": time(package.dates()[0]),
        "pushed_at": time(package.dates()[-1]),
        "license": {"spdx_id": "MIT"},
    }
