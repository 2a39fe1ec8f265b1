"""Packages and their versions in deps.dev (https://docs.deps.dev/api/v3/)."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar
from urllib.parse import quote

from codeintel.contracts import Collector, Conversation, Ecosystem, Evidence, SourceRequest, Target
from codeintel_plugins.trust.collectors.names import repository_of, segment, spelling
from codeintel_plugins.trust.collectors.shipped import (
    Upstream,
    lines,
    object_of,
    part,
    plain,
    rows,
    time,
    web_url,
)

DEPSDEV = Upstream("deps.dev", "CODEINTEL_DEPSDEV_URL", "https://api.deps.dev")
SYSTEMS = {
    Ecosystem.NPM: "npm",
    Ecosystem.PYPI: "pypi",
    Ecosystem.CARGO: "cargo",
    Ecosystem.GOLANG: "go",
    Ecosystem.MAVEN: "maven",
    Ecosystem.NUGET: "nuget",
    Ecosystem.GEM: "rubygems",
}
MAX_RELEASES = 5_000
MAX_LICENSES = 20
_SEMVER = frozenset({Ecosystem.NPM, Ecosystem.CARGO, Ecosystem.GOLANG, Ecosystem.NUGET})
"""Where a `-` begins what a pre-release is called (https://semver.org/#spec-item-9)."""
_UNFINISHED = re.compile(
    r"(?<![a-z])(?:alpha|beta|a|b|c|m|rc|cr|pre|preview|dev|snapshot|nightly)(?![a-z])"
)


class DepsDev(Collector):
    """The versions of a package, and the data of the assessed version."""

    title: ClassVar[str] = "deps.dev"
    gives: ClassVar[tuple[str, ...]] = (
        "version",
        "releases",
        "published_at",
        "licenses",
        "repository",
        "repository_proof",
        "attestations",
    )
    is_registry: ClassVar[bool] = True

    def collects(self, target: Target) -> bool:
        return target.ecosystem in SYSTEMS

    def collect(self, target: Target, evidence: Evidence) -> Conversation:
        path = package_path(target)
        asked = version_of(target, target.version)
        if not path or (asked and not segment(asked)):
            evidence.unknown()
            return
        answer = yield SourceRequest(path)
        if answer.status == 404:
            evidence.unknown()
            return
        package = object_of(self, answer, "packageKey")
        releases = _releases(package)
        _add_releases(evidence, releases, page(target))
        version = asked or _default(package) or _newest(target.ecosystem, releases)
        if not segment(version):
            return
        if version in releases:
            evidence.add("version", version, page(target, version))
            evidence.add("published_at", releases[version], page(target, version))
        answer = yield SourceRequest(f"{path}/versions/{segment(version)}")
        if answer.status != 404:
            _add_version(target, evidence, object_of(self, answer, "versionKey"))
        elif version not in releases:
            evidence.unknown()


def package_path(target: Target) -> str:
    """Return the path of the package at deps.dev, or an empty text for an invalid name."""
    name = segment(spelling(target))
    return f"/v3/systems/{SYSTEMS[target.ecosystem]}/packages/{name}" if name else ""


def version_of(target: Target, version: str) -> str:
    """Return a version as deps.dev writes it: Go's begin with `v`."""
    is_bare = target.ecosystem is Ecosystem.GOLANG and version[:1].isdecimal()
    return f"v{version}" if is_bare else version


def page(target: Target, version: str = "") -> str:
    """Return the URL of the package's web page."""
    name = quote(spelling(target), safe="", errors="replace")
    url = f"https://deps.dev/{SYSTEMS[target.ecosystem]}/{name}"
    return f"{url}/{quote(version, safe='', errors='replace')}" if version else url


def _releases(package: Mapping[str, Any]) -> dict[str, str | None]:
    """Return the times of all versions, None if unknown. The order of deps.dev is arbitrary."""
    named = (
        (plain(part(row, "versionKey").get("version")), time(row.get("publishedAt")))
        for row in rows(package.get("versions"))
    )
    return {version: at for version, at in named if version}


def _add_releases(evidence: Evidence, releases: Mapping[str, str | None], url: str) -> None:
    dated = sorted((at, version) for version, at in releases.items() if at)
    if dated:
        listed = [{"version": version, "at": at} for at, version in dated[-MAX_RELEASES:]]
        evidence.add("releases", listed, url)


def _default(package: Mapping[str, Any]) -> str:
    """Return the version that is installed by default, or an empty text if unknown."""
    defaults = (row for row in rows(package.get("versions")) if row.get("isDefault") is True)
    return plain(part(next(defaults, {}), "versionKey").get("version"))


def _newest(ecosystem: Ecosystem, releases: Mapping[str, str | None]) -> str:
    """Return the version that was published last, or an empty text if there are no versions.

    Final versions come before pre-releases. Versions without a time rank lowest, and ties are
    resolved by the text.
    """

    def rank(version: str) -> tuple[bool, str, str]:
        return not is_unfinished(ecosystem, version), releases[version] or "", version

    return max(releases, key=rank, default="")


def is_unfinished(ecosystem: Ecosystem, version: str) -> bool:
    """Return whether a version is a pre-release, as far as its name shows."""
    text = version.partition("+")[0].lower()
    return "-" in text if ecosystem in _SEMVER else bool(_UNFINISHED.search(text))


def _add_version(target: Target, evidence: Evidence, found: Mapping[str, Any]) -> None:
    # The spelling of the version may differ from the requested one.
    version = plain(part(found, "versionKey").get("version"))
    url = page(target, version)
    evidence.add("version", version, url)
    evidence.add("published_at", time(found.get("publishedAt")), url)
    if licenses := lines(found.get("licenses"), MAX_LICENSES):  # none: it could not find out
        evidence.add("licenses", licenses, url)
    told = attestations(found)
    evidence.add("attestations", told.fact, told.url or url)
    name, proof = repository(found, told.proven)
    if name:
        evidence.add("repository", name, url)
        evidence.add("repository_proof", proof, told.url if proof == "attested" else url)


register_settings = DEPSDEV.settings()
register_trust_scorers = DEPSDEV.collector(DepsDev, "depsdev")


ATTESTED, DECLARED = "attested", "declared"
_BY_ORIGIN = "GO_ORIGIN"
"""Go takes the module from this very repository: there is nothing that could be only declared."""


@dataclass(frozen=True)
class Attestations:
    """The attestations of a version.

    :param fact: the number of attestations, the number of verified ones, and the repository
        that a verified one names, or None.
    :param proven: every repository that a verified one names.
    :param url: the URL of the statement, or an empty text.
    """

    fact: dict[str, Any]
    proven: tuple[str, ...]
    url: str


def attestations(version: Mapping[str, Any]) -> Attestations:
    """Return all attestations of a version.

    npm's provenances are repeated in an older, separate list, which counts only without the newer
    list.
    """
    listed = list(rows(version.get("attestations"))) or list(rows(version.get("slsaProvenances")))
    verified = [row for row in listed if row.get("verified") is True]
    named = {repository_of(row.get("sourceRepository")): row for row in reversed(verified)}
    proven = tuple(name for name in reversed(named) if name)
    urls = [web_url(row.get("url")) for row in verified or listed]
    fact = {
        "verified": len(verified),
        "total": len(listed),
        "repository": proven[0] if proven else None,
    }
    return Attestations(fact, proven, next(filter(None, urls), ""))


def repository(version: Mapping[str, Any], proven: tuple[str, ...]) -> tuple[str, str]:
    """Return the repository of a version and its proof, both empty if unknown.

    Attestations come before the package's own claims, and related projects before links, which are
    unchecked. A relation by an attestation that was not verified is no better than a declared one.
    """
    sources = dict(_sources(version))
    if by_origin := [name for name, how in sources.items() if how == _BY_ORIGIN]:
        return by_origin[0], ATTESTED
    attested = {name.casefold() for name in proven}
    for name in (*sources, *proven):
        if name.casefold() in attested:
            return name, ATTESTED
    declared = next(filter(None, (*sources, *_links(version))), "")
    return declared, DECLARED if declared else ""


def _sources(version: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """Yield the related projects that are its source, and how deps.dev identified them.

    A project may be listed twice, also as issue tracker, which is not a source.
    """
    for row in rows(version.get("relatedProjects")):
        name = repository_of(part(row, "projectKey").get("id"))
        if name and row.get("relationType") == "SOURCE_REPO":
            yield name, str(row.get("relationProvenance"))


def _links(version: Mapping[str, Any]) -> Iterator[str]:
    """Yield the repositories that the package links as its source."""
    for row in rows(version.get("links")):
        if row.get("label") == "SOURCE_REPO":
            yield repository_of(row.get("url"))
