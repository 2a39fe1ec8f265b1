"""Packages of all registries in ecosyste.ms (https://packages.ecosyste.ms/docs)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

from codeintel.contracts import Collector, Conversation, Ecosystem, Evidence, SourceRequest, Target
from codeintel_plugins.trust.collectors.names import is_same, package_url, spelling
from codeintel_plugins.trust.collectors.shared.answers import rows_of
from codeintel_plugins.trust.collectors.shared.ecosystems_rows import (
    add_matching_tags,
    add_package,
    add_repository,
)
from codeintel_plugins.trust.collectors.shared.reading import part, plain, rows, time, web_url
from codeintel_plugins.trust.collectors.shared.repositories import repository_of
from codeintel_plugins.trust.collectors.shipped import Upstream

ECOSYSTEMS = Upstream("ecosyste.ms", "CODEINTEL_ECOSYSTEMS_URL", "https://packages.ecosyste.ms")
NAMES = {
    Ecosystem.NPM: "npm",
    Ecosystem.PYPI: "pypi",
    Ecosystem.CARGO: "cargo",
    Ecosystem.GOLANG: "go",
    Ecosystem.MAVEN: "maven",
    Ecosystem.NUGET: "nuget",
    Ecosystem.GEM: "rubygems",
    Ecosystem.COMPOSER: "packagist",
    Ecosystem.DOCKER: "docker",
}


class Ecosystems(Collector):
    """What registries and the host of the repository say of a package, gathered in one place.

    Of a repository itself it has nothing but the packages that come from it: of those, which are
    others, only what they say of the repository counts.
    """

    title: ClassVar[str] = "ecosyste.ms"
    gives: ClassVar[tuple[str, ...]] = (
        "version",
        "repository_tags",
        "published_at",
        "releases",
        "release_dates",
        "status",
        "licenses",
        "repository",
        "description",
        "downloads",
        "dependents",
        "maintainers",
        "rankings",
        "stars",
        "forks",
        "open_issues",
        "is_archived",
        "pushed_at",
        "issues",
    )
    is_registry: ClassVar[bool] = True

    def collects(self, target: Target) -> bool:
        return target.ecosystem in NAMES or target.ecosystem is Ecosystem.GITHUB

    def collect(self, target: Target, evidence: Evidence) -> Conversation:
        parameters = _parameters(target)
        if not parameters:
            evidence.unknown()
            return
        answer = yield SourceRequest("/api/v1/packages/lookup", parameters)
        # For packages that it does not know it answers [] and goes to look for them, so that the
        # same question may have an answer later.
        row = _chosen(target, rows_of(self, answer))
        if row is None:
            evidence.unknown()
            return
        if target.ecosystem is Ecosystem.GITHUB:
            add_repository(evidence, row, has_releases=True)
            return
        add_package(evidence, row, page(row))
        # Packagist has no uploads: a release is a tag of the repository.
        add_repository(evidence, row, has_releases=target.ecosystem is Ecosystem.COMPOSER)
        if target.ecosystem is Ecosystem.COMPOSER:
            add_matching_tags(evidence, row)
        _add_version(target, evidence, row)


def page(row: Mapping[str, Any]) -> str:
    """The page for people: that of the registry, else the one that lists where it is used."""
    return web_url(row.get("registry_url")) or web_url(row.get("usage_url"))


def _parameters(target: Target) -> dict[str, str]:
    """What to look up; nothing for names that cannot be."""
    if target.ecosystem is Ecosystem.GITHUB:
        repository = f"github.com/{target.name}"
        is_one = repository_of(repository) == repository
        return {"repository_url": f"https://{repository}"} if is_one else {}
    purl = package_url(target)
    return {"purl": purl} if purl else {}


def _chosen(target: Target, found: list[Any]) -> Mapping[str, Any] | None:
    """The row of the package itself, None if there is none: one repository has many packages, and
    a name may be in several registries, of which the ecosystem's own comes first."""
    if target.ecosystem is Ecosystem.GITHUB:
        return next((row for row in rows(found) if _is_from(target, row)), None)
    fitting = [
        row
        for row in rows(found)
        if row.get("ecosystem") == NAMES[target.ecosystem]
        and is_same(target.ecosystem, str(row.get("name")), spelling(target))
    ]
    fitting.sort(key=lambda row: part(row, "registry").get("default") is not True)
    return next(iter(fitting), None)


def _is_from(target: Target, row: Mapping[str, Any]) -> bool:
    """Whether what a row says of a repository is of this one."""
    named = part(row, "repo_metadata").get("full_name")
    link = repository_of(row.get("repository_url"))
    if not isinstance(named, str) or not link.startswith("github.com/"):
        return False
    return is_same(target.ecosystem, named, target.name)


def _add_version(target: Target, evidence: Evidence, row: Mapping[str, Any]) -> None:
    """The latest release: what the registry installs by default is for deps.dev to say, where it
    knows the ecosystem and answers. Of others that somebody asks for it has not said that there
    are such."""
    latest = plain(row.get("latest_release_number"))
    if latest and target.version in {"", latest}:
        evidence.add("version", latest, page(row))
        evidence.add("published_at", time(row.get("latest_release_published_at")), page(row))


register_settings = ECOSYSTEMS.settings()
register_trust_scorers = ECOSYSTEMS.collector(Ecosystems, "ecosystems")
