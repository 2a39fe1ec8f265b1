"""The search of files for secrets, and their masking, as worker processes do it. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from codeintel.contracts.workspaces.records import MAX_TOTAL_BYTES
from codeintel.contracts.workspaces.secrets import Masked, masked, secret_rule
from codeintel.platform.workers.text_functions import TextFunction

PART_CHARACTERS = 1024 * 1024
"""Of the files that are sent at once: two of the longest fit a frame, whatever their characters."""

Files = list[tuple[str, str]]
"""Paths with their texts."""


def scanned(parts: Iterable[Files]) -> Iterator[str]:
    """For each file the rule by which it holds a secret, empty where it holds none."""
    for part in parts:
        for path, text in part:
            yield secret_rule(path, text) or ""


SECRET_SCAN = TextFunction("secret_scan", scanned, Files, str, seconds=5.0, most_seconds=60.0)


def masked_files(parts: Iterable[Files]) -> Iterator[Masked]:
    """Each file's text without its secrets."""
    for part in parts:
        for path, text in part:
            yield masked(path, text)


MASKING = TextFunction(
    "masking", masked_files, Files, Masked, most_bytes=MAX_TOTAL_BYTES + MAX_TOTAL_BYTES // 4
)


def in_parts(files: Iterable[tuple[str, str]]) -> Iterator[Files]:
    """Files in parts of about a megabyte."""
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
