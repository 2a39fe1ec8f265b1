"""Repositories on GitHub (https://docs.github.com/rest/repos/repos#get-a-repository)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, ClassVar
from urllib.parse import urlsplit

from codeintel import hookimpl
from codeintel.contracts import (
    Collector,
    Conversation,
    Ecosystem,
    Evidence,
    SourceAnswer,
    SourceError,
    SourceProblem,
    SourceRequest,
    Target,
)
from codeintel_plugins.registries.github import is_limit, until_reset
from codeintel_plugins.trust.collectors.names import owner_and_name, segment
from codeintel_plugins.trust.collectors.shipped import (
    REDIRECTS,
    count,
    flag,
    line,
    object_of,
    part,
    plain,
    rows,
    rows_of,
    time,
)

URL = "https://api.github.com"
_PUBLIC = "github.com"
_NONE_TO_COUNT = frozenset({204, 403, 404})
"""Of contributors: the repository is empty, or its history too long for GitHub to count them."""
_LIST = {"per_page": "100"}


class OnGitHub(Collector):
    """Asking GitHub; what about is for its kinds to say."""

    title: ClassVar[str] = "GitHub"

    def __init__(self, name: str, base_url: str, *, token: str = "") -> None:
        super().__init__(name, base_url, token=token)
        # The part of GitHub's limit (5,000 requests an hour with a token and 60 without) that
        # leaves room for users' own requests
        # (https://docs.github.com/rest/using-the-rest-api/rate-limits-for-the-rest-api).
        self.hourly = 4_000 if token else 40

    @property
    def host(self) -> str:
        """The host whose repositories the API has: that of GitHub Enterprise has no others."""
        parts = urlsplit(self.base_url)
        host = parts.hostname or ""
        if host.startswith("api.") and host.endswith(".ghe.com"):
            return host.removeprefix("api.")
        return host if parts.path.endswith("/api/v3") else _PUBLIC

    def is_limit(self, answer: SourceAnswer) -> bool:
        """Return whether a limit is reached, which GitHub reports with status 403, too."""
        return is_limit(answer)

    def pause(self, answer: SourceAnswer, now: float) -> float | None:
        """Return the seconds to wait, also from the Unix time at which the limit is reset."""
        told = super().pause(answer, now)
        return until_reset(answer, now) if told is None else told

    def asked(self, path: str, parameters: Mapping[str, str] | None = None) -> SourceRequest:
        """Return a request as GitHub wants it."""
        headers = {
            "Accept": "application/vnd.github+json",
            "X-GitHub-Api-Version": "2022-11-28",
        }
        if self.token:
            headers["Authorization"] = f"Bearer {self.token}"
        return SourceRequest(path, parameters or {}, headers)

    def repository(self, answer: SourceAnswer) -> Mapping[str, Any] | None:
        """Return the repository in an answer, or None if it is not publicly visible.

        Repositories that only this service's token can see must not be shown to users.

        :raises SourceError: also if the repository was renamed. GitHub gives the new location
            by a number, but the user should learn that the old name is free to be taken.
        """
        if answer.status == 404:
            return None
        if answer.status in REDIRECTS:
            raise SourceError(
                SourceProblem.REFUSED,
                "This repository was renamed on GitHub.",
            )
        found = object_of(self, answer, "full_name")
        return None if found.get("private") is True else found


class GitHub(OnGitHub):
    """A repository that is itself what is judged."""

    gives: ClassVar[tuple[str, ...]] = (
        "version",
        "published_at",
        "releases",
        "description",
        "licenses",
        "stars",
        "forks",
        "open_issues",
        "is_archived",
        "pushed_at",
        "created_at",
        "owner_type",
        "contributors",
    )
    is_registry: ClassVar[bool] = True

    def collects(self, target: Target) -> bool:
        return target.ecosystem is Ecosystem.GITHUB and self.host == _PUBLIC

    def collect(self, target: Target, evidence: Evidence) -> Conversation:
        place = owner_and_name(f"{_PUBLIC}/{target.name}", _PUBLIC)
        if place is None:
            evidence.unknown()
            return
        path = f"/repos/{segment(place[0])}/{segment(place[1])}"
        found = self.repository((yield self.asked(path)))
        if found is None:
            evidence.unknown()
            return
        url = f"https://{_PUBLIC}/{place[0]}/{place[1]}"
        add_repository(evidence, found, url, is_target=True)
        releases = yield self.asked(f"{path}/releases", _LIST)
        add_releases(evidence, rows_of(self, releases), f"{url}/releases", target.version)
        contributors = yield self.asked(f"{path}/contributors", _LIST)
        if self.is_limit(contributors) or contributors.status not in _NONE_TO_COUNT:
            add_contributors(evidence, rows_of(self, contributors), url)


class GitHubRepository(OnGitHub):
    """The repository that a package comes from."""

    gives: ClassVar[tuple[str, ...]] = (
        "stars",
        "forks",
        "open_issues",
        "is_archived",
        "pushed_at",
        "created_at",
        "owner_type",
        "contributors",
    )
    needs: ClassVar[tuple[str, ...]] = ("repository",)

    def collects(self, target: Target) -> bool:
        return target.ecosystem is not Ecosystem.GITHUB

    def collect(self, target: Target, evidence: Evidence) -> Conversation:  # noqa: ARG002
        place = owner_and_name(evidence.known.value("repository"), self.host)
        if place is None:
            return
        path = f"/repos/{segment(place[0])}/{segment(place[1])}"
        found = self.repository((yield self.asked(path)))
        if found is None:
            return
        url = f"https://{self.host}/{place[0]}/{place[1]}"
        add_repository(evidence, found, url, is_target=False)
        contributors = yield self.asked(f"{path}/contributors", _LIST)
        if self.is_limit(contributors) or contributors.status not in _NONE_TO_COUNT:
            add_contributors(evidence, rows_of(self, contributors), url)


@hookimpl
def register_trust_scorers(
    register: Callable[[Collector], None], config: Mapping[str, Any]
) -> None:
    """Register the collector. The search's settings have GitHub's URL and token."""
    url = config.get("CODEINTEL_GITHUB_URL", URL)
    token = config.get("CODEINTEL_GITHUB_TOKEN", "")
    register(GitHub("github", url, token=token))
    register(GitHubRepository("github-repository", url, token=token))


OWNERS = {"User": "user", "Organization": "organization"}
PER_PAGE = 100
"""The most entries that GitHub lists on a page."""
NOT_RECOGNISED = "NOASSERTION"
"""There is a license, but none that GitHub knows."""


def add_repository(
    evidence: Evidence, found: Mapping[str, Any], url: str, *, is_target: bool
) -> None:
    """:param is_target: whether it is what is judged: then its license and words are, too."""
    evidence.add("stars", count(found, "stargazers_count"), f"{url}/stargazers")
    evidence.add("forks", count(found, "forks_count"), f"{url}/forks")
    evidence.add("open_issues", count(found, "open_issues_count"), f"{url}/issues")
    evidence.add("is_archived", flag(found, "archived"), url)
    evidence.add("pushed_at", time(found.get("pushed_at")), url)
    evidence.add("created_at", time(found.get("created_at")), url)
    evidence.add("owner_type", OWNERS.get(line(part(found, "owner").get("type"))), url)
    if is_target:
        license_id = line(part(found, "license").get("spdx_id"), 100)
        named = "non-standard" if license_id == NOT_RECOGNISED else license_id
        evidence.add("licenses", [named] if named else None, url)
        evidence.add("description", line(found.get("description")), url)


def add_releases(evidence: Evidence, listed: list[Any], url: str, asked: str) -> None:
    """Add the releases, and select the assessed version.

    That is the requested version, otherwise the last published one that is not a pre-release.
    Drafts, which are not visible to all, do not count.

    :param asked: a version; empty for none.
    """
    released = {
        version: (at, row.get("prerelease") is not True)
        for row in rows(listed)
        if row.get("draft") is not True
        and (version := plain(row.get("tag_name")))
        and (at := time(row.get("published_at")))
    }
    dated = sorted((at, version) for version, (at, _) in released.items())
    if dated:
        evidence.add("releases", [{"version": version, "at": at} for at, version in dated], url)
    finished = [version for _, version in dated if released[version][1]]
    version = asked or next(reversed(finished), "")
    evidence.add("version", version, url)
    evidence.add("published_at", released.get(version, (None, False))[0], url)


def add_contributors(evidence: Evidence, listed: list[Any], url: str) -> None:
    """Add the number of contributors, and the share of the most active one. Bots do not count.

    Only the 100 most active contributors are counted.
    """
    done = [
        contributions
        for row in rows(listed[:PER_PAGE])
        if row.get("type") != "Bot" and (contributions := count(row, "contributions"))
    ]
    if done:
        people = {
            "count": len(done),
            "isCapped": len(listed) >= PER_PAGE,
            "topShare": round(max(done) / sum(done), 4),
        }
        evidence.add("contributors", people, f"{url}/graphs/contributors")
