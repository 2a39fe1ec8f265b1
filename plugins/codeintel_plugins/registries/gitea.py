"""Repositories on Gitea and Forgejo, such as Codeberg (https://docs.gitea.com/api/)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

from codeintel.contracts import Hit, SearchSource, SourceAnswer, SourceRequest, Visibility
from codeintel_plugins.registries.shipped import Shipped, count, number, rows, words


class Gitea(SearchSource):
    """Repositories by their names and descriptions, those with most stars first."""

    kind: ClassVar[str] = "gitea"
    title: ClassVar[str] = "Codeberg"

    def request(self, query: str, limit: int) -> SourceRequest:
        parameters = {
            "q": query,
            "includeDesc": "true",
            "sort": "stars",
            "order": "desc",
            "limit": str(limit),
        }
        if self.visibility is Visibility.PUBLIC:
            parameters["private"] = "false"
        headers = {"Authorization": f"token {self.token}"} if self.token else {}
        return SourceRequest("/api/v1/repos/search", parameters, headers)

    def hits(self, answer: SourceAnswer) -> Iterator[Hit]:
        for row in rows(answer.json(), "data"):
            hidden = row.get("private") is True or row.get("internal") is True
            if hidden and self.visibility is Visibility.PUBLIC:
                continue
            name = words(row, "full_name")
            yield Hit(
                id=number(row, "id") or name,
                name=name,
                url=words(row, "html_url"),
                description=words(row, "description"),
                stars=count(row, "stars_count"),
            )


register_settings, register_search_sources = Shipped(
    Gitea, "codeberg", "CODEINTEL_CODEBERG", "https://codeberg.org", has_token=True
).hooks()
