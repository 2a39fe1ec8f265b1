"""Packages of all registries in ecosyste.ms (https://packages.ecosyste.ms/docs)."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from itertools import islice
from typing import Any, ClassVar

from codeintel.contracts import Collector, Conversation, Ecosystem, Evidence, SourceRequest, Target
from codeintel_plugins.trust.collectors.names import is_same, package_url, repository_of, spelling
from codeintel_plugins.trust.collectors.shipped import (
    MAX_COUNT,
    Upstream,
    count,
    flag,
    line,
    lines,
    part,
    plain,
    real,
    rows,
    rows_of,
    time,
    web_url,
)

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
    """The facts of registries and of the repository's host about a package, collected in one
    response.

    About a repository itself, it only has the packages that come from it. Those are other packages,
    so only their facts about the repository count.
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
    """Return the web page of the registry, otherwise the page that lists where the package is
    used."""
    return web_url(row.get("registry_url")) or web_url(row.get("usage_url"))


def _parameters(target: Target) -> dict[str, str]:
    """Return the parameters of the request, or none for names that cannot be looked up."""
    if target.ecosystem is Ecosystem.GITHUB:
        repository = f"github.com/{target.name}"
        is_one = repository_of(repository) == repository
        return {"repository_url": f"https://{repository}"} if is_one else {}
    purl = package_url(target)
    return {"purl": purl} if purl else {}


def _chosen(target: Target, found: list[Any]) -> Mapping[str, Any] | None:
    """Return the row of the package itself, or None.

    One repository has many packages, and a name may be in several registries. The ecosystem's own
    registry comes first.
    """
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
    """Return whether a row's repository facts are about this repository."""
    named = part(row, "repo_metadata").get("full_name")
    link = repository_of(row.get("repository_url"))
    if not isinstance(named, str) or not link.startswith("github.com/"):
        return False
    return is_same(target.ecosystem, named, target.name)


def _add_version(target: Target, evidence: Evidence, row: Mapping[str, Any]) -> None:
    """Add the latest release.

    The version that the registry installs by default comes from deps.dev, where it supports the
    ecosystem and answers. The service does not confirm that other requested versions exist.
    """
    latest = plain(row.get("latest_release_number"))
    if latest and target.version in {"", latest}:
        evidence.add("version", latest, page(row))
        evidence.add("published_at", time(row.get("latest_release_published_at")), page(row))


register_settings = ECOSYSTEMS.settings()
register_trust_scorers = ECOSYSTEMS.collector(Ecosystems, "ecosystems")


MAX_MAINTAINERS = 500
MAX_RELEASES = 5_000
MAX_LICENSES = 20
MAX_RANKINGS = 20
STATUSES = frozenset({"active", "deprecated", "removed", "unpublished", "yanked"})
PERIODS = frozenset({"last-month", "total"})
_RANKING = re.compile(r"[a-z][a-z_]{0,39}")
_ISSUE_COUNTS = {
    "issues": "issues_count",
    "pullRequests": "pull_requests_count",
    "pastYearIssues": "past_year_issues_count",
    "pastYearPullRequests": "past_year_pull_requests_count",
}


def add_package(evidence: Evidence, row: Mapping[str, Any], url: str) -> None:
    """Add the facts about the package itself.

    :param url: the web page with the facts.
    """
    evidence.add("release_dates", _release_dates(row), url)
    evidence.add("status", _status(row), url)
    evidence.add("licenses", _licenses(row), url)
    evidence.add("description", line(row.get("description")), url)
    evidence.add("downloads", _downloads(row), url)
    evidence.add("dependents", _dependents(row), web_url(row.get("usage_url")) or url)
    evidence.add("rankings", dict(_rankings(row)) or None, url)
    evidence.add("maintainers", list(_maintainers(row)) or None, url)
    if repository := repository_of(row.get("repository_url")):
        evidence.add("repository", repository, url)


def add_repository(evidence: Evidence, row: Mapping[str, Any], *, has_releases: bool) -> None:
    """Add the facts about the repository that the package names.

    :param has_releases: whether its tags are the releases.
    """
    found = part(row, "repo_metadata")
    url = web_url(row.get("repository_url"))
    evidence.add("stars", count(found, "stargazers_count"), url)
    evidence.add("forks", count(found, "forks_count"), url)
    evidence.add("open_issues", count(found, "open_issues_count"), url)
    evidence.add("is_archived", flag(found, "archived"), url)
    evidence.add("pushed_at", time(found.get("pushed_at")), url)
    evidence.add("issues", _issues(row), url)
    tags = _tags(found) or None
    evidence.add("releases" if has_releases else "repository_tags", tags, url)


def add_matching_tags(evidence: Evidence, row: Mapping[str, Any]) -> None:
    """Add the repository's tags, if the registry's latest release is one of them. Only then do
    the releases come from this repository."""
    latest = plain(row.get("latest_release_number")).removeprefix("v")
    tags = _tags(part(row, "repo_metadata"))
    if latest and any(tag["version"].removeprefix("v") == latest for tag in tags):
        evidence.add("repository_tags", tags, web_url(row.get("repository_url")))


def _release_dates(row: Mapping[str, Any]) -> dict[str, Any] | None:
    """Return the release dates, or None without a release.

    The service has no versions of images.
    """
    first, latest = (time(row.get(f"{end}_release_published_at")) for end in ("first", "latest"))
    releases = count(row, "versions_count")
    if not first and not latest and not releases:
        return None
    return {"first": first, "latest": latest, "count": releases}


def _status(row: Mapping[str, Any]) -> str | None:
    """Return the status, or None for unknown words, which need not be good."""
    status = row.get("status") or "active"
    return status if isinstance(status, str) and status in STATUSES else None


def _licenses(row: Mapping[str, Any]) -> list[str] | None:
    """Return known license ids, otherwise the package's own text."""
    return (
        lines(row.get("normalized_licenses"), MAX_LICENSES)
        or lines([row.get("licenses")], 1)
        or None
    )


def _downloads(row: Mapping[str, Any]) -> dict[str, Any] | None:
    """Return the downloads, or None without a period, because the meaning of the number is
    unknown."""
    downloads, period = count(row, "downloads"), row.get("downloads_period")
    is_known = isinstance(period, str) and period in PERIODS
    return {"count": downloads, "period": period} if is_known and downloads is not None else None


def _dependents(row: Mapping[str, Any]) -> dict[str, Any] | None:
    packages, repositories = (count(row, f"dependent_{of}_count") for of in ("packages", "repos"))
    if packages is None and repositories is None:
        return None
    return {"packages": packages, "repositories": repositories}


def _rankings(row: Mapping[str, Any]) -> Iterator[tuple[str, float]]:
    """Yield percentiles: smaller is better."""
    rankings = part(row, "rankings")
    for key in islice(sorted(filter(_RANKING.fullmatch, rankings)), MAX_RANKINGS):
        if (percentile := real(rankings, key, 100)) is not None:
            yield key, percentile


def _maintainers(row: Mapping[str, Any]) -> Iterator[dict[str, str]]:
    """Yield the maintainers, who may publish the package. Their email addresses stay private."""
    seen: set[str] = set()
    for person in islice(rows(row.get("maintainers")), MAX_MAINTAINERS):
        login = line(person.get("login"), 100)
        known_as = line(person.get("uuid"), 100) or login
        if known_as and known_as not in seen:
            seen.add(known_as)
            yield {
                "id": known_as,
                "name": line(person.get("name"), 100) or login or known_as,
                "url": web_url(person.get("html_url")) or web_url(person.get("url")),
            }


def _issues(row: Mapping[str, Any]) -> dict[str, Any] | None:
    found = part(row, "issue_metadata")
    counts = {name: count(found, key) for name, key in _ISSUE_COUNTS.items()}
    told = {**counts, "closeSeconds": real(found, "avg_time_to_close_issue", MAX_COUNT)}
    return {name: value for name, value in told.items() if value is not None} or None


def _tags(found: Mapping[str, Any]) -> list[dict[str, str]]:
    """Return the versions of the repository that have a date, by date."""
    dated = {
        (at, version)
        for row in rows(found.get("tags"))
        if (at := time(row.get("published_at"))) and (version := plain(row.get("name")))
    }
    return [{"version": version, "at": at} for at, version in sorted(dated)[-MAX_RELEASES:]]
