"""Lines, columns and ranges of a piece of code."""

from __future__ import annotations

from bisect import bisect_right
from functools import cached_property
from itertools import accumulate

from codeintel.contracts import Range


class LineTable:
    """A text and its lines.

    Lines end at LF, CR LF or CR, as for compilers. Form feeds and U+2028, where `str.splitlines`
    would also split, are ordinary characters. A text that ends with a line end has an empty last
    line, where an edit may insert. Positions are `(line, column)`, both from 1, in code points.

    The lines are computed on first use, with a few calls that each scan the whole text. A file of 1
    MiB may consist of line ends, and other requests must not wait.
    """

    def __init__(self, text: str) -> None:
        self.text = text

    @cached_property
    def _starts(self) -> list[int]:
        """The offset of each line."""
        flat = self.text
        if "\r" in flat:  # each line end becomes one LF, and no offset changes
            flat = flat.replace("\r\n", " \n").replace("\r", "\n")
        lengths = [len(line) + 1 for line in flat.split("\n")]
        lengths.pop()
        return list(accumulate(lengths, initial=0))

    def __len__(self) -> int:
        return len(self._starts)

    def line(self, number: int) -> str:
        """Return line `number` without its end."""
        return self.text[self._starts[number - 1] : self._end(number)]

    def _end(self, number: int) -> int:
        """Return the offset at which a line's text ends."""
        if number == len(self):
            return len(self.text)
        start = self._starts[number]
        return start - (2 if self.text.startswith("\r\n", start - 2) else 1)

    def offset(self, line: int, column: int) -> int:
        """Return the offset of the nearest position in the text, in code points from 0."""
        line, column = self.clamped(line, column)
        return self._starts[line - 1] + column - 1

    def span(self, start: int, end: int) -> Range:
        """Return the range between two offsets into the text, in code points from 0."""
        return Range(*self._position(start), *self._position(max(start, end)))

    def line_at(self, offset: int) -> int:
        """Return the number of the line of an offset into the text, in code points from 0."""
        return bisect_right(self._starts, offset)

    def contains(self, range_: Range) -> bool:
        """Return whether both ends of the range are in the text, in this order."""
        start = (range_.start_line, range_.start_column)
        end = (range_.end_line, range_.end_column)
        return start <= end and self.clamped(*start) == start and self.clamped(*end) == end

    def clamped(self, line: int, column: int) -> tuple[int, int]:
        """Return the nearest position in the text."""
        if line < 1:
            return 1, 1
        if line > len(self):
            line, column = len(self), len(self.text) + 1
        length = self._end(line) - self._starts[line - 1]
        return line, min(max(column, 1), length + 1)

    def _position(self, offset: int) -> tuple[int, int]:
        line = bisect_right(self._starts, offset)
        return self.clamped(line, offset - self._starts[line - 1] + 1)
