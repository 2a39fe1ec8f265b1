"""The secret scan of files as functions of worker processes.

The module imports nothing of the service, because its imports make every worker process larger.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from codeintel.contracts.workspaces.records import MAX_TOTAL_BYTES
from codeintel.contracts.workspaces.selection import Masked, masked, secret_rule
from codeintel.platform.workers.text_functions import TextFunction

PART_CHARACTERS = 1024 * 1024
"""Characters of the files in one part.

Two of the longest files fit a frame, with any characters.
"""
Files = list[tuple[str, str]]
"""Paths with their texts."""


def scanned(parts: Iterable[Files]) -> Iterator[str]:
    """Yield the rule by which each file holds a secret, or an empty text."""
    for part in parts:
        for path, text in part:
            yield secret_rule(path, text) or ""


SECRET_SCAN = TextFunction("secret_scan", scanned, Files, str, seconds=5.0, most_seconds=60.0)


def masked_files(parts: Iterable[Files]) -> Iterator[Masked]:
    """Yield each file's text without its secrets."""
    for part in parts:
        for path, text in part:
            yield masked(path, text)


MASKING = TextFunction(
    "masking", masked_files, Files, Masked, most_bytes=MAX_TOTAL_BYTES + MAX_TOTAL_BYTES // 4
)


def in_parts(files: Iterable[tuple[str, str]]) -> Iterator[Files]:
    """Yield files in parts of about a megabyte."""
    part: Files = []
    size = 0
    for path, text in files:
        part.append((path, text))
        size += len(text)
        if size >= PART_CHARACTERS:
            yield part
            part, size = [], 0
    if part:
        yield part
