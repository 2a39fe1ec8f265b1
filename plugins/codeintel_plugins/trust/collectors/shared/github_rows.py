"""What GitHub says of a repository, its releases and those who work on it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from codeintel.contracts import Evidence
from codeintel_plugins.trust.collectors.shared.reading import (
    count,
    flag,
    line,
    part,
    plain,
    rows,
    time,
)

OWNERS = {"User": "user", "Organization": "organization"}
PER_PAGE = 100
"""The most that GitHub lists at once."""
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
    """The releases, and which is judged: the one asked for, else the one published last that is no
    pre-release. Drafts, which only some see, are none.

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
    """How many people there are, and the part of the one who did most. Robots are none.

    Counted are at most the first 100, who did most.
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
