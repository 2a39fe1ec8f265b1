"""Literal search in the files of a revision, whose contents are read a few at a time."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

import msgspec

from codeintel.contracts.workspaces.records import FileEntry
from codeintel.platform.workers.text_functions import FILE_CHARACTERS, TextFunction
from codeintel.workspaces.records import in_groups
from codeintel.workspaces.text.lines import lines_of

MOST_HITS = 500
_AROUND = 80
"""Characters of the line before a hit; behind it are twice as many."""

Read = Callable[[Collection[str]], Mapping[str, bytes]]


@dataclass(frozen=True)
class Hit:
    """A line that has the text in it: what stands before it, the text as it is there, and what
    comes behind. Cut off at either end where the line is long."""

    path: str
    line: int
    before: str
    found: str
    after: str


@dataclass(frozen=True)
class SearchView:
    """What was looked for, and where it is. `files` counts those that have it."""

    text: str
    is_exact: bool
    hits: tuple[Hit, ...]
    files: int
    is_cut: bool


class SearchPart(msgspec.Struct, frozen=True):
    """Some files of a revision with their contents, and what to look for in them."""

    text: str
    is_exact: bool
    files: list[tuple[str, bytes]]


def hits(parts: Iterable[SearchPart]) -> Iterator[list[Hit]]:
    """For each part the lines that have the text in them, by path and line; nothing more when there
    are more than :data:`MOST_HITS`."""
    found = 0
    for part in parts:
        wanted = re.compile(re.escape(part.text), 0 if part.is_exact else re.IGNORECASE)
        here: list[Hit] = []
        for path, content in part.files:
            if found + len(here) <= MOST_HITS:
                here.extend(_hits(path, content, wanted))
        found += len(here)
        yield here


SEARCH = TextFunction("search", hits, SearchPart, list[Hit], seconds=10.0, most_seconds=20.0)
Find = Callable[[Iterable[SearchPart], int], Iterable[list[Hit]]]
"""From parts and about how many steps they take to their hits: :func:`hits`, or a worker process
that does it."""


def search(
    files: Sequence[FileEntry], read: Read, text: str, find: Find, *, is_exact: bool
) -> SearchView:
    """The lines that have a text in them, by path and line; at most :data:`MOST_HITS`.

    :param read: contents by SHA-256.
    :param is_exact: whether upper and lower case differ.
    """

    def parts() -> Iterator[SearchPart]:
        for group in in_groups(files):
            contents = read({entry.sha256 for entry in group})
            # None of a workspace that is deleted at this moment.
            pairs = [(entry.path, contents.get(entry.sha256, b"")) for entry in group]
            yield SearchPart(text, is_exact, pairs)

    # Where a file repeats how the text begins, all of the text is compared at each place.
    size = sum(entry.size + FILE_CHARACTERS for entry in files)
    found: list[Hit] = []
    for some in find(parts(), size * (1 + len(text) // 10)):
        found.extend(some)
        if len(found) > MOST_HITS:
            break
    shown = tuple(found[:MOST_HITS])
    paths = {hit.path for hit in shown}
    return SearchView(text, is_exact, shown, len(paths), len(found) > MOST_HITS)


def _hits(path: str, content: bytes, wanted: re.Pattern[str]) -> Iterator[Hit]:
    text = content.decode(errors="replace")
    if wanted.search(text) is None:  # most files: nothing to take apart
        return
    lines, _ = lines_of(text)
    found = 0
    for number, line in enumerate(lines, 1):
        match = wanted.search(line)
        if match is None:
            continue
        yield _hit(path, number, line, match)
        found += 1
        if found > MOST_HITS:
            return


def _hit(path: str, number: int, line: str, match: re.Match[str]) -> Hit:
    begin = max(0, match.start() - _AROUND)
    end = match.end() + 2 * _AROUND
    before = line[begin : match.start()]
    return Hit(
        path=path,
        line=number,
        before=f"…{before}" if begin else before.lstrip(),
        found=match[0],
        after=line[match.end() : end] + ("…" if len(line) > end else ""),
    )
