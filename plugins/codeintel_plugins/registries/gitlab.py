"""Projects on GitLab (https://docs.gitlab.com/api/projects/)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

from codeintel.contracts import Hit, SearchSource, SourceAnswer, SourceRequest, Visibility
from codeintel_plugins.registries.shipped import Shipped, count, number, rows, until, words


class GitLab(SearchSource):
    """Projects by their names, paths and descriptions, those with most stars first."""

    kind: ClassVar[str] = "gitlab"
    title: ClassVar[str] = "GitLab"

    def request(self, query: str, limit: int) -> SourceRequest:
        parameters = {
            "search": query,
            "order_by": "star_count",
            "sort": "desc",
            "per_page": str(limit),
        }
        if self.visibility is Visibility.PUBLIC:
            parameters["visibility"] = "public"
        headers = {"PRIVATE-TOKEN": self.token} if self.token else {}
        return SourceRequest("/api/v4/projects", parameters, headers)

    def hits(self, answer: SourceAnswer) -> Iterator[Hit]:
        for row in rows(answer.json()):
            # Without a token the answer does not tell, for all are public.
            if self.visibility is Visibility.PUBLIC and row.get("visibility", "public") != "public":
                continue
            name = words(row, "path_with_namespace")
            yield Hit(
                id=number(row, "id") or name,
                name=name,
                url=words(row, "web_url"),
                description=words(row, "description"),
                stars=count(row, "star_count"),
            )

    def pause(self, answer: SourceAnswer, now: float) -> float | None:
        """Return the seconds to wait, also from the Unix time at which the limit is reset, which
        every answer has."""
        told = super().pause(answer, now)
        if told is None and answer.headers.get("ratelimit-remaining") == "0":
            return until(answer.headers.get("ratelimit-reset", ""), now)
        return told


register_settings, register_search_sources = Shipped(
    GitLab, "gitlab", "CODEINTEL_GITLAB", "https://gitlab.com", has_token=True
).hooks()
