"""Where things are: from the tools' rows, offsets and bytes to ranges of the code as sent."""

from __future__ import annotations

import re
from bisect import bisect_right

from codeintel.contracts import Range

_LINE_END = re.compile(r"\r\n|\r|\n")
_BYTE_ORDER_MARK = "\ufeff"


class Source:
    """A piece of code and its lines.

    Lines end at LF, CR LF or CR, as for ruff and CPython: a form feed or U+2028, at which
    ``str.splitlines`` would split too, is an ordinary character. A text that ends with a line end
    has an empty last line, where an edit may insert.
    """

    def __init__(self, code: str) -> None:
        # A lone surrogate cannot be handed to any tool; a question mark keeps all columns.
        self.text = code.encode("utf-8", "replace").decode("utf-8")
        self._starts = [0]
        self._ends: list[int] = []
        for end in _LINE_END.finditer(self.text):
            self._ends.append(end.start())
            self._starts.append(end.end())
        self._ends.append(len(self.text))
        self._mark = int(self.text.startswith(_BYTE_ORDER_MARK))

    @property
    def for_tools(self) -> str:
        """The text without a byte order mark, which tools refuse or do not count."""
        return self.text[self._mark :]

    @property
    def line_count(self) -> int:
        """How many lines there are, the empty one after a last line end included."""
        return len(self._starts)

    def line(self, number: int) -> str:
        """Line `number`, from 1, without its end."""
        return self.text[self._starts[number - 1] : self._ends[number - 1]]

    def span(self, start: int, end: int) -> Range:
        """The range between two offsets into the code, in code points from 0."""
        return Range(*self._position(start), *self._position(max(start, end)))

    def tool_range(self, start: tuple[int, int], end: tuple[int, int]) -> Range:
        """The range between two `(line, column)` that a tool gave, both from 1 and in code points
        of :attr:`for_tools`, moved into the code where they lie outside."""
        first = self._clamped(*self._as_sent(*start))
        last = max(first, self._clamped(*self._as_sent(*end)))
        return Range(*first, *last)

    def exact_range(self, start: tuple[int, int], end: tuple[int, int]) -> Range | None:
        """Like :meth:`tool_range`, but None where anything would have to be moved: for edits."""
        first, last = self._as_sent(*start), self._as_sent(*end)
        exact = first <= last and first == self._clamped(*first) and last == self._clamped(*last)
        return Range(*first, *last) if exact else None

    def column_of_byte(self, line: int, offset: int) -> int:
        """The column, from 1, of a UTF-8 byte offset, from 0, into a line of :attr:`for_tools`."""
        if not 1 <= line <= self.line_count:
            return 1
        text = self.line(line)
        if line == 1:
            text = text[self._mark :]
        if text.isascii():
            return offset + 1
        return len(text.encode()[:offset].decode("utf-8", "ignore")) + 1

    def _position(self, offset: int) -> tuple[int, int]:
        line = bisect_right(self._starts, offset)
        return self._clamped(line, offset - self._starts[line - 1] + 1)

    def _as_sent(self, line: int, column: int) -> tuple[int, int]:
        return line, column + self._mark if line == 1 else column

    def _clamped(self, line: int, column: int) -> tuple[int, int]:
        if line < 1:
            return 1, 1
        if line > self.line_count:
            line, column = self.line_count, len(self.text) + 1
        length = self._ends[line - 1] - self._starts[line - 1]
        return line, min(max(column, 1), length + 1)
