"""Repositories on GitHub and GitHub Enterprise
(https://docs.github.com/rest/search/search#search-repositories)."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import ClassVar

from codeintel.contracts import Hit, SearchSource, SourceAnswer, SourceRequest, Visibility
from codeintel_plugins.registries.shipped import Shipped, count, number, rows, until, words


def is_limit(answer: SourceAnswer) -> bool:
    """Return whether a limit is reached, which GitHub reports with status 403, too."""
    return answer.status == 429 or (
        answer.status == 403
        and (
            "retry-after" in answer.headers
            or _is_used_up(answer)
            or b"secondary rate limit" in answer.body.lower()
        )
    )


def until_reset(answer: SourceAnswer, now: float) -> float | None:
    """Return the seconds until a limit is reset, or None if the answer has no such time."""
    if not _is_used_up(answer):
        return None
    return until(answer.headers.get("x-ratelimit-reset", ""), now)


def _is_used_up(answer: SourceAnswer) -> bool:
    return answer.headers.get("x-ratelimit-remaining") == "0"


_INCOMPLETE = re.compile(rb'"incomplete_results"\s*:\s*true')


class GitHub(SearchSource):
    """Repositories by their names, descriptions and topics, those with most stars first."""

    kind: ClassVar[str] = "github"
    title: ClassVar[str] = "GitHub"

    @property
    def per_minute(self) -> int:  # type: ignore[override]
        """Return GitHub's own limit of searches. Other instances have their operators' limits."""
        if self.base_url != "https://api.github.com":
            return 0
        return 30 if self.token else 10

    def request(self, query: str, limit: int) -> SourceRequest:
        if self.visibility is Visibility.PUBLIC:
            query = f"{query} is:public"
        headers = {
            "Accept": "application/vnd.github+json",
            "X-GitHub-Api-Version": "2022-11-28",
        }
        if self.token:
            headers["Authorization"] = f"Bearer {self.token}"
        parameters = {"q": query, "sort": "stars", "order": "desc", "per_page": str(limit)}
        return SourceRequest("/search/repositories", parameters, headers)

    def hits(self, answer: SourceAnswer) -> Iterator[Hit]:
        for row in rows(answer.json(), "items"):
            if row.get("private") is True and self.visibility is Visibility.PUBLIC:
                continue
            name = words(row, "full_name")
            yield Hit(
                id=number(row, "id") or name,
                name=name,
                url=words(row, "html_url"),
                description=words(row, "description"),
                stars=count(row, "stargazers_count"),
            )

    def is_whole(self, answer: SourceAnswer) -> bool:
        """Return whether the answer is complete. GitHub sends a partial answer on a timeout."""
        return _INCOMPLETE.search(answer.body) is None

    def is_limit(self, answer: SourceAnswer) -> bool:
        """Return whether a limit is reached, which GitHub reports with status 403, too."""
        return is_limit(answer)

    def pause(self, answer: SourceAnswer, now: float) -> float | None:
        """Return the seconds to wait, also from the Unix time at which the limit is reset."""
        told = super().pause(answer, now)
        return until_reset(answer, now) if told is None else told


register_settings, register_search_sources = Shipped(
    GitHub, "github", "CODEINTEL_GITHUB", "https://api.github.com", has_token=True, is_default=True
).hooks()
