"""Models on Hugging Face (https://huggingface.co/docs/hub/api)."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import ClassVar
from urllib.parse import quote

from codeintel.contracts import Hit, SearchSource, SourceAnswer, SourceRequest, Visibility
from codeintel_plugins.registries.shipped import Shipped, count, rows, words

_USED_UP = re.compile(r";\s*r=0\s*;\s*t=([0-9]{1,9})\b")


class HuggingFace(SearchSource):
    """Models by their names, most downloads first. `stars` are likes, `downloads` those of a
    month. The list has no descriptions, so a model's task serves as one."""

    kind: ClassVar[str] = "huggingface"
    title: ClassVar[str] = "Hugging Face"

    def request(self, query: str, limit: int) -> SourceRequest:
        parameters = {
            "search": query,
            "sort": "downloads",
            "direction": "-1",
            "limit": str(limit),
        }
        headers = {"Authorization": f"Bearer {self.token}"} if self.token else {}
        return SourceRequest("/api/models", parameters, headers)

    def hits(self, answer: SourceAnswer) -> Iterator[Hit]:
        for row in rows(answer.json()):
            if row.get("private") is True and self.visibility is Visibility.PUBLIC:
                continue
            name = words(row, "id") or words(row, "modelId")
            yield Hit(
                id=name,
                name=name,
                url=f"{self.base_url}/{quote(name)}",
                description=words(row, "pipeline_tag").replace("-", " "),
                stars=count(row, "likes"),
                downloads=count(row, "downloads"),
            )

    def pause(self, answer: SourceAnswer, now: float) -> float | None:
        """Return the seconds to wait, also from `t=` in the header `RateLimit`, which every
        answer has."""
        told = super().pause(answer, now)
        used_up = _USED_UP.search(answer.headers.get("ratelimit", ""))
        return float(used_up[1]) if told is None and used_up else told

    def rest(self, answer: SourceAnswer, now: float) -> float | None:
        """Return the seconds to wait according to its own header."""
        return self.pause(answer, now)


register_settings, register_search_sources = Shipped(
    HuggingFace, "huggingface", "CODEINTEL_HUGGINGFACE", "https://huggingface.co", has_token=True
).hooks()
