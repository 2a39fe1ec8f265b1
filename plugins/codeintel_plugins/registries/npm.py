"""Packages in npm registries, the public one and others such as Verdaccio
(https://github.com/npm/registry/blob/main/docs/REGISTRY-API.md)."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from typing import Any, ClassVar
from urllib.parse import quote

from codeintel.contracts import Hit, SearchSource, SourceAnswer, SourceRequest
from codeintel_plugins.registries.shipped import Shipped, count, part, rows, words

# A public mirror of npm's registry with the same API; operators set their own.
PUBLIC = "https://registry.yarnpkg.com"


class Npm(SearchSource):
    """Packages, in the order that the registry gives them. `downloads` are those of a month."""

    kind: ClassVar[str] = "npm"
    title: ClassVar[str] = "npm"

    def request(self, query: str, limit: int) -> SourceRequest:
        headers = {"Authorization": f"Bearer {self.token}"} if self.token else {}
        return SourceRequest("/-/v1/search", {"text": query, "size": str(limit)}, headers)

    def hits(self, answer: SourceAnswer) -> Iterator[Hit]:
        for row in rows(answer.json(), "objects"):
            package = part(row, "package")
            name = words(package, "name")
            yield Hit(
                id=name,
                name=name,
                url=words(part(package, "links"), "npm") or self._page(row, name),
                description=words(package, "description"),
                downloads=count(part(row, "downloads"), "monthly"),
            )

    def _page(self, row: Mapping[str, Any], name: str) -> str:
        """Return the URL of a row's page.

        Verdaccio, whose rows say whether a package is local, has pages for readers. For other
        registries the URL is that of the document.
        """
        page = f"-/web/detail/{name}" if "local" in row else quote(name)
        return f"{self.base_url}/{page}"


def _default() -> str:
    """Return the registry that npm itself would use. npm reads its variables in any case."""
    told = {name.lower(): value for name, value in os.environ.items()}
    return told.get("npm_config_registry", "").rstrip("/") or PUBLIC


register_settings, register_search_sources = Shipped(
    Npm,
    "npm",
    "CODEINTEL_NPM",
    _default,
    url_setting="CODEINTEL_NPM_REGISTRY",
    has_token=True,
    is_default=True,
).hooks()
