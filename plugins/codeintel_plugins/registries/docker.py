"""Images on Docker Hub (https://docs.docker.com/reference/api/hub/latest/)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar
from urllib.parse import quote

from codeintel.contracts import Hit, SearchSource, SourceAnswer, SourceRequest
from codeintel_plugins.registries.shipped import Shipped, count, rows, until, words

PAGES = "https://hub.docker.com"


class Docker(SearchSource):
    """Images; official ones are named without an owner. `downloads` are all pulls ever."""

    kind: ClassVar[str] = "docker"
    title: ClassVar[str] = "Docker Hub"

    def request(self, query: str, limit: int) -> SourceRequest:
        # The slash before the question mark spares a redirect.
        return SourceRequest(
            "/v2/search/repositories/", {"query": query, "page": "1", "page_size": str(limit)}
        )

    def hits(self, answer: SourceAnswer) -> Iterator[Hit]:
        for row in rows(answer.json(), "results"):
            name = words(row, "repo_name")
            yield Hit(
                id=name,
                name=name,
                url=f"{PAGES}/{'r' if '/' in name else '_'}/{quote(name)}",
                description=words(row, "short_description"),
                stars=count(row, "star_count"),
                downloads=count(row, "pull_count"),
            )

    def pause(self, answer: SourceAnswer, now: float) -> float | None:
        """Return the seconds to wait, also from a Unix time in an older header, or that of the
        next window."""
        told = super().pause(answer, now)
        if told is None:
            told = until(answer.headers.get("x-retry-after", ""), now)
        if told is None and answer.headers.get("x-ratelimit-remaining") == "0":
            told = until(answer.headers.get("x-ratelimit-reset", ""), now)
        return told


register_settings, register_search_sources = Shipped(
    Docker, "docker", "CODEINTEL_DOCKER", "https://hub.docker.com", is_default=True
).hooks()
