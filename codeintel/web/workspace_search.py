"""Literal search in the files of a revision, whose contents are read a few at a time."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass

import gevent

from codeintel.web.workspace_text import lines_of
from codeintel.workspace.contents import in_groups
from codeintel.workspace.records import FileEntry

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


def search(files: Sequence[FileEntry], read: Read, text: str, *, is_exact: bool) -> SearchView:
    """The lines that have a text in them, by path and line; at most :data:`MOST_HITS`.

    :param read: contents by SHA-256.
    :param is_exact: whether upper and lower case differ.
    """
    wanted = re.compile(re.escape(text), 0 if is_exact else re.IGNORECASE)
    hits: list[Hit] = []
    for group in in_groups(files):
        contents = read({entry.sha256 for entry in group})
        for entry in group:
            # None of a workspace that is deleted at this moment.
            hits.extend(_hits(entry.path, contents.get(entry.sha256, b""), wanted))
            if len(hits) > MOST_HITS:
                break
        if len(hits) > MOST_HITS:
            break
        gevent.sleep(0)  # others wait while the text of files is searched
    shown = tuple(hits[:MOST_HITS])
    paths = {hit.path for hit in shown}
    return SearchView(text, is_exact, shown, len(paths), len(hits) > MOST_HITS)


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
