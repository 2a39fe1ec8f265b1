"""Which files of a revision are analysed, and why others are not. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import PurePosixPath
from typing import NamedTuple

from codeintel.languages import language_of_path
from codeintel.workspace.paths import REASONS
from codeintel.workspace.proof.shapes import Cause, UncheckedFile
from codeintel.workspace.records import FileEntry, SkippedFile
from codeintel.workspace.secrets import RULES

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

_CLIENT = {
    "too-large": Cause.SIZE,
    "unreadable": Cause.UNREADABLE,
    "not-utf-8": Cause.UNREADABLE,
    "binary": Cause.UNREADABLE,
    **dict.fromkeys(REASONS - {"git-folder", "reserved"}, Cause.NAME),
}
"""What clients give as reasons (docs/editor-clients.md)."""


class Chosen(NamedTuple):
    """A file that is analysed, in a canonical language."""

    entry: FileEntry
    language: str


class Plan(NamedTuple):
    """What is to be done with the files of a revision. Empty files are in neither part."""

    chosen: tuple[Chosen, ...]
    unchecked: tuple[UncheckedFile, ...]


def plan(files: Iterable[FileEntry]) -> Plan:
    """Divide the files. What a workspace stores is never too large to be analysed."""
    chosen, unchecked = [], []
    for entry in files:
        if not entry.size:
            continue
        language = language_of_path(entry.path)
        reason = _reason(entry.path, language)
        if reason is not None or language is None:
            unchecked.append(UncheckedFile(entry.path, reason or UNKNOWN))
        else:
            chosen.append(Chosen(entry, language))
    return Plan(tuple(chosen), tuple(unchecked))


def left_behind(skipped: Iterable[SkippedFile]) -> tuple[UncheckedFile, ...]:
    """The files that a client could not send and that would have been analysed. What it left out on
    purpose is not among them."""
    return tuple(
        UncheckedFile(each.path, each.reason, cause=_CLIENT[each.reason])
        for each in skipped
        if each.reason in _CLIENT and is_for_analysis(each.path)
    )


def most_telling_first(skipped: Iterable[SkippedFile]) -> list[SkippedFile]:
    """What makes a report fail or incomplete comes first: of very many not all is kept."""
    telling: list[SkippedFile] = []
    others: list[SkippedFile] = []
    for each in skipped:
        (telling if each.reason in RULES or left_behind([each]) else others).append(each)
    return telling + others


def is_for_analysis(path: str) -> bool:
    """Whether a file of this path is analysed if it is stored."""
    return _reason(path, language_of_path(path)) is None


def _reason(path: str, language: str | None) -> str | None:
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
