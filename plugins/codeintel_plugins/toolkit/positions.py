"""Places in code, from lines and from offsets in bytes."""

from __future__ import annotations

from codeintel.contracts import Range
from codeintel.contracts.positions import LineTable

_BYTE_ORDER_MARK = "\ufeff"


class ToolSource(LineTable):
    """A piece of code as tools read it."""

    def __init__(self, code: str) -> None:
        # A lone surrogate cannot be handed to any tool; a question mark keeps all columns.
        super().__init__(code.encode("utf-8", "replace").decode("utf-8"))
        self._mark = int(self.text.startswith(_BYTE_ORDER_MARK))

    @property
    def for_tools(self) -> str:
        """The text without a byte order mark, which tools refuse or do not count."""
        return self.text[self._mark :]

    def tool_range(self, start: tuple[int, int], end: tuple[int, int]) -> Range:
        """Return the range between two `(line, column)` positions of a tool.

        Both count from 1, in code points of :attr:`for_tools`. Positions outside the code are moved
        into it.
        """
        first = self.clamped(*self._as_sent(*start))
        last = max(first, self.clamped(*self._as_sent(*end)))
        return Range(*first, *last)

    def exact_range(self, start: tuple[int, int], end: tuple[int, int]) -> Range | None:
        """Return a range like :meth:`tool_range`, or None if a position would have to be moved:
        for edits."""
        found = Range(*self._as_sent(*start), *self._as_sent(*end))
        return found if self.contains(found) else None

    def column_of_byte(self, line: int, offset: int) -> int:
        """Return the column, from 1, of a UTF-8 byte offset, from 0, into a line of
        :attr:`for_tools`."""
        if not 1 <= line <= len(self):
            return 1
        text = self.line(line)
        if line == 1:
            text = text[self._mark :]
        if text.isascii():
            return offset + 1
        return len(text.encode()[:offset].decode("utf-8", "ignore")) + 1

    def _as_sent(self, line: int, column: int) -> tuple[int, int]:
        return line, column + self._mark if line == 1 else column


def ends(place: Range) -> tuple[tuple[int, int], tuple[int, int]]:
    """Return line and column at which a range begins, and at which it ends."""
    return (place.start_line, place.start_column), (place.end_line, place.end_column)


class ByteOffsets:
    """Map bytes of a source's :attr:`~ToolSource.for_tools`, in UTF-8, to positions in the code."""

    def __init__(self, source: ToolSource) -> None:
        self._source = source
        self._text = source.for_tools
        self._mark = len(source.text) - len(self._text)
        self._ascii = self._text.isascii()
        self._known = (0, 0)
        """The last position that was requested: its byte and its code point. Tools go forward."""
        self._bytes = b"" if self._ascii else self._text.encode()

    def offset(self, byte: int) -> int:
        """Return the offset, from 0 and in code points of the code as sent, of a byte; of one
        inside a character, that of the character; of one behind the end, the end."""
        return self._mark + (min(byte, len(self._text)) if self._ascii else self._decoded(byte))

    def span(self, start: int, end: int) -> Range:
        """Return the range between two bytes, the end exclusive."""
        return self._source.span(self.offset(start), self.offset(end))

    def _decoded(self, byte: int) -> int:
        byte = min(max(byte, 0), len(self._bytes))
        while byte < len(self._bytes) and self._bytes[byte] & 0xC0 == 0x80:
            byte -= 1  # inside a character
        known_byte, point = self._known if self._known[0] <= byte else (0, 0)
        point += len(self._bytes[known_byte:byte].decode())
        self._known = byte, point
        return point
