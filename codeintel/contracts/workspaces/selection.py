"""Which files of a folder are analysed by their paths, and which others count most."""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import PurePosixPath

from codeintel.contracts.languages import language_of_path
from codeintel.contracts.workspaces.paths import REASONS
from codeintel.contracts.workspaces.records import SkippedFile
from codeintel.contracts.workspaces.secrets import RULES

UNKNOWN = "no known language"
MINIFIED = "minified"
VENDORED = "others' code, vendored"
GENERATED = "generated"
LOCKED = "a lock file"

_VENDORED = frozenset({"node_modules", "bower_components", "vendor", "site-packages", ".venv"})
_MINIFIED = re.compile(r"[.-]min\.(?:js|mjs|cjs|css)$|\.bundle\.js$")
_GENERATED = re.compile(
    r"(?:_pb2(?:_grpc)?\.pyi?|\.pb\.(?:go|cc|h)|_pb\.(?:js|d\.ts)|\.g\.dart|\.designer\.cs"
    r"|\.generated\.\w+|\.map)$"
)
_LOCKS = frozenset(
    {
        "package-lock.json",
        "npm-shrinkwrap.json",
        "pnpm-lock.yaml",
        "bun.lock",
        "deno.lock",
        "composer.lock",
        "cargo.lock",
        "gemfile.lock",
        "poetry.lock",
        "pdm.lock",
        "uv.lock",
        "pipfile.lock",
        "yarn.lock",
        "go.sum",
        "packages.lock.json",
    }
)
UNSENT_SIZE = "too-large"
UNSENT_READING = frozenset({"unreadable", "not-utf-8", "binary"})
UNSENT_NAMES = REASONS - {"git-folder", "reserved"}
"""Reasons of clients that leave a file unchecked (docs/editor-clients.md)."""
_UNSENT = UNSENT_READING | UNSENT_NAMES | {UNSENT_SIZE}


def most_telling_first(skipped: Iterable[SkippedFile]) -> list[SkippedFile]:
    """What makes a report fail or incomplete comes first: of very many not all is kept."""
    telling: list[SkippedFile] = []
    others: list[SkippedFile] = []
    for each in skipped:
        (telling if _is_telling(each) else others).append(each)
    return telling + others


def _is_telling(skipped: SkippedFile) -> bool:
    return skipped.reason in RULES or (skipped.reason in _UNSENT and is_for_analysis(skipped.path))


def is_for_analysis(path: str) -> bool:
    """Whether a file of this path is analysed if it is stored."""
    return reason_against(path, language_of_path(path)) is None


def reason_against(path: str, language: str | None) -> str | None:
    """Why a file is not analysed, as far as its path tells."""
    parts = PurePosixPath(path.lower()).parts
    name = parts[-1] if parts else ""
    if not _VENDORED.isdisjoint(parts[:-1]):
        return VENDORED
    if name in _LOCKS:
        return LOCKED
    if _MINIFIED.search(name):
        return MINIFIED
    if _GENERATED.search(name):
        return GENERATED
    return UNKNOWN if language is None else None
