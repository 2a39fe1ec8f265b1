"""The text of a file for a page: in parts of bounded length, line by line. Pure."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import accumulate

PART_LINES = 5_000
PART_CHARACTERS = 250_000
LINE_CHARACTERS = 2_000


@dataclass(frozen=True)
class Line:
    """A line of a file. `more` counts the characters that are left out at its end."""

    number: int
    text: str
    more: int = 0


@dataclass(frozen=True)
class Part:
    """A part of a file, with where the ones beside it begin; 0 for none. `total` counts all lines
    of the file; `ends` names the end of its lines where that is not the usual one."""

    lines: tuple[Line, ...]
    previous: int
    following: int
    total: int
    ends: str

    @property
    def is_whole(self) -> bool:
        """Whether there is no other part."""
        return not self.previous and not self.following


def part_of(text: str, line: int) -> Part:
    """The part of a text that has a line in it; the last for one behind its end."""
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
    """The lines without their ends, and how these are called if not the usual ones."""
    ends = ""
    if (breaks := text.count("\n")) and text.count("\r\n") == breaks:
        text, ends = text.replace("\r\n", "\n"), "CRLF"
    lines = text.split("\n")
    if not lines[-1]:
        lines.pop()
    return lines, ends


def shortened(number: int, text: str, most: int) -> Line:
    """A line of at most so many characters."""
    return Line(number, text[:most], max(0, len(text) - most))


def _starts(lines: list[str]) -> Iterator[int]:
    """Before which lines parts begin, counted from 0."""
    yield 0
    begin = 0
    while begin < len(lines):
        # A file may have a million lines: those of most parts need not be looked at one by one.
        lengths = [*map(len, lines[begin : begin + PART_LINES])]
        begin += len(lengths) if sum(lengths) <= PART_CHARACTERS else _fitting(lengths)
        if begin < len(lines):
            yield begin


def _fitting(lengths: list[int]) -> int:
    """How many lines of these lengths fit a part."""
    sums = accumulate(min(length, LINE_CHARACTERS) for length in lengths)
    return sum(each <= PART_CHARACTERS for each in sums)
