"""The registries under test, and answers as they give them."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from codeintel_plugins.registries.crates import Crates
from codeintel_plugins.registries.docker import Docker
from codeintel_plugins.registries.gitea import Gitea
from codeintel_plugins.registries.github import GitHub
from codeintel_plugins.registries.gitlab import GitLab
from codeintel_plugins.registries.huggingface import HuggingFace
from codeintel_plugins.registries.npm import Npm
from msgspec import UNSET, UnsetType

from codeintel.contracts import Hit, SearchSource, SourceAnswer, Visibility

BODIES = Path(__file__).parent / "bodies"
PLACES: dict[str, tuple[type[SearchSource], str]] = {
    "github": (GitHub, "https://api.github.com"),
    "npm": (Npm, "https://npm.example.test"),
    "docker": (Docker, "https://hub.docker.com"),
    "gitlab": (GitLab, "https://gitlab.com"),
    "gitea": (Gitea, "https://gitea.example.test"),
    "crates": (Crates, "https://crates.io"),
    "huggingface": (HuggingFace, "https://huggingface.co"),
}


def source(kind: str, token: str = "", visibility: str = "public") -> SearchSource:
    make, url = PLACES[kind]
    return make(kind, url, token=token, visibility=Visibility(visibility))


def document(name: str) -> Any:
    """Return one of `bodies`, by its name without `.json`."""
    return json.loads((BODIES / f"{name}.json").read_text())


def listed(kind: str, body: Any) -> list[Any]:
    """Return the list of results in a body, to be changed in place."""
    path = {"github": "items", "npm": "objects", "docker": "results", "gitea": "data"}
    key = {**path, "crates": "crates"}.get(kind)
    found: list[Any] = body[key] if key else body
    return found


def answer(body: Any, status: int = 200, headers: dict[str, str] | None = None) -> SourceAnswer:
    text = body if isinstance(body, str) else json.dumps(body)
    return SourceAnswer(status, headers or {}, text.encode())


def facts(hits: Iterable[Hit]) -> list[tuple[Any, ...]]:
    """Return hits as rows of a table: id, name, URL, description, stars, downloads."""
    return [
        (hit.id, hit.name, hit.url, hit.description, known(hit.stars), known(hit.downloads))
        for hit in hits
    ]


def known(count: int | UnsetType) -> int | None:
    return None if count is UNSET else count
