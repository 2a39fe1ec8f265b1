"""Crates on crates.io (https://crates.io/data-access)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar
from urllib.parse import quote

from codeintel.contracts import Hit, SearchSource, SourceAnswer, SourceRequest
from codeintel_plugins.registries.shipped import Shipped, count, rows, words


class Crates(SearchSource):
    """Crates, in the order that the registry gives them. `downloads` are all ever."""

    kind: ClassVar[str] = "crates"
    title: ClassVar[str] = "crates.io"
    interval: ClassVar[float] = 1.0

    def request(self, query: str, limit: int) -> SourceRequest:
        return SourceRequest("/api/v1/crates", {"q": query, "per_page": str(limit)})

    def hits(self, answer: SourceAnswer) -> Iterator[Hit]:
        for row in rows(answer.json(), "crates"):
            name = words(row, "name")
            yield Hit(
                id=words(row, "id") or name,
                name=name,
                url=f"{self.base_url}/crates/{quote(name)}",
                description=words(row, "description"),
                downloads=count(row, "downloads"),
            )


register_settings, register_search_sources = Shipped(
    Crates, "crates", "CODEINTEL_CRATES", "https://crates.io"
).hooks()
