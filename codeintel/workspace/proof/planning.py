"""Which files of a revision are analysed, and why others are not. Pure."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from pathlib import PurePosixPath
from typing import NamedTuple

from codeintel.contracts.analysis import MAX_CODE_CHARACTERS
from codeintel.languages import language_of_path
from codeintel.workspace.records import FileEntry, SkippedFile

UNKNOWN = "no known language"
TOO_LONG = f"over {MAX_CODE_CHARACTERS:,} characters"
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


class Chosen(NamedTuple):
    """A file that is analysed, in a canonical language."""

    entry: FileEntry
    language: str


class Plan(NamedTuple):
    """What is to be done with the files of a revision. Empty files are in neither part."""

    chosen: tuple[Chosen, ...]
    unchecked: tuple[SkippedFile, ...]


def plan(files: Iterable[FileEntry], characters: Callable[[FileEntry], int]) -> Plan:
    """Divide the files.

    :param characters: how long a file is; asked of those whose bytes do not tell that it is short
        enough.
    """
    chosen, unchecked = [], []
    for entry in files:
        if not entry.size:
            continue
        language = language_of_path(entry.path)
        reason = _reason(entry.path, language)
        if reason is None and entry.size > MAX_CODE_CHARACTERS:
            reason = TOO_LONG if characters(entry) > MAX_CODE_CHARACTERS else None
        if reason is not None or language is None:
            unchecked.append(SkippedFile(entry.path, reason or UNKNOWN))
        else:
            chosen.append(Chosen(entry, language))
    return Plan(tuple(chosen), tuple(unchecked))


def _reason(path: str, language: str | None) -> str | None:
    """Why a file is not analysed, as far as its path tells."""
    parts = PurePosixPath(path.lower()).parts
    name = parts[-1]
    if not _VENDORED.isdisjoint(parts[:-1]):
        return VENDORED
    if name in _LOCKS:
        return LOCKED
    if _MINIFIED.search(name):
        return MINIFIED
    if _GENERATED.search(name):
        return GENERATED
    return UNKNOWN if language is None else None
