"""Lines and columns of a piece of code."""

from __future__ import annotations

import re

from codeintel.contracts import Range

_LINE_END = re.compile(r"\r\n|\n|\r")


class LineTable:
    """Where the lines of a text begin and end. Lines end at LF, CR LF or CR and nowhere else, as
    compilers have it; `str.splitlines` knows more ends."""

    def __init__(self, text: str) -> None:
        self._starts = [0]
        self._ends: list[int] = []
        for end in _LINE_END.finditer(text):
            self._ends.append(end.start())
            self._starts.append(end.end())
        self._ends.append(len(text))

    def __len__(self) -> int:
        return len(self._starts)

    def contains(self, range_: Range) -> bool:
        """Whether both ends of the range are places in the text, in this order."""
        start = (range_.start_line, range_.start_column)
        end = (range_.end_line, range_.end_column)
        return start <= end and self._is_place(*start) and self._is_place(*end)

    def _is_place(self, line: int, column: int) -> bool:
        if not 1 <= line <= len(self):
            return False
        length = self._ends[line - 1] - self._starts[line - 1]
        return 1 <= column <= length + 1
