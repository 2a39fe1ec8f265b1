"""Lines, columns and ranges of a piece of code."""

from __future__ import annotations

import re
from bisect import bisect_right

from codeintel.contracts import Range

_LINE_END = re.compile(r"\r\n|\n|\r")


class LineTable:
    """A text and its lines.

    Lines end at LF, CR LF or CR, as for compilers: a form feed or U+2028, at which
    `str.splitlines` would split too, is an ordinary character. A text that ends with a line end has
    an empty last line, where an edit may insert. Positions are `(line, column)`, both from 1, in
    code points.
    """

    def __init__(self, text: str) -> None:
        self.text = text
        self._starts = [0]
        self._ends: list[int] = []
        for end in _LINE_END.finditer(text):
            self._ends.append(end.start())
            self._starts.append(end.end())
        self._ends.append(len(text))

    def __len__(self) -> int:
        return len(self._starts)

    def line(self, number: int) -> str:
        """Line `number`, without its end."""
        return self.text[self._starts[number - 1] : self._ends[number - 1]]

    def span(self, start: int, end: int) -> Range:
        """The range between two offsets into the text, in code points from 0."""
        return Range(*self._position(start), *self._position(max(start, end)))

    def contains(self, range_: Range) -> bool:
        """Whether both ends of the range are places in the text, in this order."""
        start = (range_.start_line, range_.start_column)
        end = (range_.end_line, range_.end_column)
        return start <= end and self.clamped(*start) == start and self.clamped(*end) == end

    def clamped(self, line: int, column: int) -> tuple[int, int]:
        """The nearest position that lies in the text."""
        if line < 1:
            return 1, 1
        if line > len(self):
            line, column = len(self), len(self.text) + 1
        length = self._ends[line - 1] - self._starts[line - 1]
        return line, min(max(column, 1), length + 1)

    def _position(self, offset: int) -> tuple[int, int]:
        line = bisect_right(self._starts, offset)
        return self.clamped(line, offset - self._starts[line - 1] + 1)
