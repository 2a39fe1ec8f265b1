"""The contents of a workspace for one push, within the limits of the service."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import NamedTuple

from codeintel.client.workspaces.walk import Tree, folders_above, read
from codeintel.contracts.workspaces.records import (
    MAX_FILES,
    MAX_TOTAL_BYTES,
    LeftOutFile,
    SkippedFile,
)

SHOWN_FOLDERS = 5
MAX_SKIPPED = 10_000
_MOST = 0.8
"""A folder that has this share of what the one above it has is named in its place."""


class Pack(NamedTuple):
    """Texts by path, the SHA-256 of their bytes, all that was left out, and the bytes. `masked`
    are texts without the secrets that keep them from being sent, by path."""

    texts: dict[str, str]
    digests: dict[str, str]
    left_out: list[SkippedFile]
    size: int
    masked: dict[str, str]


class Folder(NamedTuple):
    """What a folder has below it; `path` ends in a slash."""

    path: str
    files: int
    size: int


class TooMuch(Exception):  # noqa: N818 - says what happened
    """A folder has more than goes into one push. `folders` are the largest in it."""

    def __init__(self, sizes: Mapping[str, int]) -> None:
        super().__init__("more than goes into one push")
        self.files = len(sizes)
        self.size = sum(sizes.values())
        self.folders = largest_folders(sizes)


def pack(root: Path, tree: Tree, paths: Iterable[str]) -> Pack:
    """Read the files of a tree.

    :param paths: those of the tree; an iterator of them may show how far it is.
    :raises TooMuch: as soon as it is.
    """
    texts: dict[str, str] = {}
    digests: dict[str, str] = {}
    masked: dict[str, str] = {}
    left_out = list(tree.left_out)
    size = 0
    for found in read(root, paths):
        if isinstance(found, SkippedFile):
            left_out.append(SkippedFile(found.path, found.reason, found.line))
            if isinstance(found, LeftOutFile) and found.text:
                masked[found.path] = found.text
            continue
        texts[found.path], digests[found.path] = found.text, found.sha256
        size += found.size
        if len(texts) > MAX_FILES or size > MAX_TOTAL_BYTES:
            gone = {each.path for each in left_out}
            raise TooMuch({path: n for path, n in tree.sizes.items() if path not in gone})
    return Pack(texts, digests, sorted(left_out, key=lambda each: each.path), size, masked)


def held(known: Iterable[str], contents: Pack) -> list[SkippedFile]:
    """Files that a session has and that cannot be sent any more although something stands at their
    paths: they were not deleted.

    :param known: the paths of the session.
    """
    reasons = {each.path: each.reason for each in contents.left_out}
    return [
        SkippedFile(path, reasons[at])
        for path in sorted(known)
        if path not in contents.digests
        for at in [next((each for each in (*folders_above(path), path) if each in reasons), None)]
        if at is not None
    ]


def largest_folders(sizes: Mapping[str, int]) -> list[Folder]:
    """The folders by which a push could be made small enough, those with the most files first,
    those with the most bytes where files are few."""
    files: Counter[str] = Counter()
    size: Counter[str] = Counter()
    for path, each in sizes.items():
        end = path.find("/", 1)
        while end != -1:
            files[path[: end + 1]] += 1
            size[path[: end + 1]] += each
            end = path.find("/", end + 1)
    weight = files if len(sizes) > MAX_FILES else size
    chosen = [_inner(path, weight) for path in weight if path.count("/") == 2]
    chosen.sort(key=lambda path: (-weight[path], path))
    return [Folder(path, files[path], size[path]) for path in chosen[:SHOWN_FOLDERS]]


def _inner(path: str, weight: Mapping[str, int]) -> str:
    """The folder, or the one within it that holds nearly all."""
    while True:
        deeper = [
            each
            for each in weight
            if each.startswith(path)
            and each.count("/") == path.count("/") + 1
            and weight[each] >= _MOST * weight[path]
        ]
        if not deeper:
            return path
        path = deeper[0]
