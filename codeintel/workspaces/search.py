"""The texts of files line by line: in parts for a page, and searched for a text."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate

import msgspec

from codeintel.contracts.workspaces.records import FileEntry
from codeintel.platform.workers.text_functions import FILE_CHARACTERS, TextFunction
from codeintel.workspaces.records import in_groups

PART_LINES = 5_000
PART_CHARACTERS = 250_000
LINE_CHARACTERS = 2_000
MOST_HITS = 500
_AROUND = 80
"""Characters of the line before a hit. After it, twice as many are shown."""
Read = Callable[[Collection[str]], Mapping[str, bytes]]


@dataclass(frozen=True)
class Line:
    """A line of a file. `more` is the number of omitted characters at its end."""

    number: int
    text: str
    more: int = 0


@dataclass(frozen=True)
class Part:
    """A part of a file, with the starts of its neighbors, or 0.

    `total` is the number of lines in the file. `ends` names the kind of line ends if it is unusual.
    """

    lines: tuple[Line, ...]
    previous: int
    following: int
    total: int
    ends: str

    @property
    def is_whole(self) -> bool:
        """Whether the part is the whole file."""
        return not self.previous and not self.following


def part_of(text: str, line: int) -> Part:
    """Return the part of a text that contains a line. A line after the end is in the last part."""
    lines, ends = lines_of(text)
    starts = list(_starts(lines))
    at = max((at for at, start in enumerate(starts) if start < max(line, 1)), default=0)
    begin = starts[at]
    end = starts[at + 1] if at + 1 < len(starts) else len(lines)
    shown = tuple(
        shortened(number, lines[number - 1], LINE_CHARACTERS)
        for number in range(begin + 1, end + 1)
    )
    return Part(
        lines=shown,
        previous=starts[at - 1] + 1 if at else 0,
        following=end + 1 if end < len(lines) else 0,
        total=len(lines),
        ends=ends,
    )


def lines_of(text: str) -> tuple[list[str], str]:
    """Return the lines without their ends, and the name of unusual line ends."""
    ends = ""
    if (breaks := text.count("\n")) and text.count("\r\n") == breaks:
        text, ends = text.replace("\r\n", "\n"), "CRLF"
    lines = text.split("\n")
    if not lines[-1]:
        lines.pop()
    return lines, ends


def shortened(number: int, text: str, most: int) -> Line:
    """Return a line cut to a maximum number of characters."""
    return Line(number, text[:most], max(0, len(text) - most))


def _starts(lines: list[str]) -> Iterator[int]:
    """Yield the indexes of the lines at which parts start, from 0."""
    yield 0
    begin = 0
    while begin < len(lines):
        # A file may have a million lines, so the lines of most parts are not checked one by one.
        lengths = [*map(len, lines[begin : begin + PART_LINES])]
        begin += len(lengths) if sum(lengths) <= PART_CHARACTERS else _fitting(lengths)
        if begin < len(lines):
            yield begin


def _fitting(lengths: list[int]) -> int:
    """Return how many lines with the given lengths fit into a part."""
    sums = accumulate(min(length, LINE_CHARACTERS) for length in lengths)
    return sum(each <= PART_CHARACTERS for each in sums)


@dataclass(frozen=True)
class Hit:
    """A line with the text: the text before it, the match, and the text after it.

    Long lines are cut at either end.
    """

    path: str
    line: int
    before: str
    found: str
    after: str


@dataclass(frozen=True)
class SearchView:
    """The query and its hits. `files` is the number of files with hits."""

    text: str
    is_exact: bool
    hits: tuple[Hit, ...]
    files: int
    is_cut: bool


class SearchPart(msgspec.Struct, frozen=True):
    """Some files of a revision with their contents, and the text to find in them."""

    text: str
    is_exact: bool
    files: list[tuple[str, bytes]]


def hits(parts: Iterable[SearchPart]) -> Iterator[list[Hit]]:
    """Yield for each part the lines with the text, by path and line.

    After :data:`MOST_HITS`, no more are searched.
    """
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
"""Maps parts and their approximate number of steps to hits: :func:`hits`, or a worker process
that runs it.
"""


def search(
    files: Sequence[FileEntry], read: Read, text: str, find: Find, *, is_exact: bool
) -> SearchView:
    """Return the lines with a text, by path and line, at most :data:`MOST_HITS`.

    :param read: returns contents by SHA-256.
    :param is_exact: whether case matters.
    """

    def parts() -> Iterator[SearchPart]:
        for group in in_groups(files):
            contents = read({entry.sha256 for entry in group})
            # A workspace that was just deleted has no contents.
            pairs = [(entry.path, contents.get(entry.sha256, b"")) for entry in group]
            yield SearchPart(text, is_exact, pairs)

    # If a file repeats the start of the text, the whole text is compared at each position.
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
    if wanted.search(text) is None:  # most files: no need to split into lines
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
