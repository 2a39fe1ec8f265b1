"""From the byte offsets that tools count to places in the code as sent."""

from __future__ import annotations

from codeintel.contracts import Range
from codeintel_plugins.common.positions import Source


class ByteOffsets:
    """Where the bytes of a source's :attr:`~Source.for_tools`, in UTF-8, stand in the code."""

    def __init__(self, source: Source) -> None:
        self._source = source
        self._text = source.for_tools
        self._mark = len(source.text) - len(self._text)
        self._ascii = self._text.isascii()
        self._known = (0, 0)
        """Of the place that was asked for last: its byte, its code point. Tools go forwards."""
        self._bytes = b"" if self._ascii else self._text.encode()

    def offset(self, byte: int) -> int:
        """The offset, from 0 and in code points of the code as sent, of a byte; of one inside a
        character, that of the character; of one behind the end, the end."""
        return self._mark + (min(byte, len(self._text)) if self._ascii else self._decoded(byte))

    def span(self, start: int, end: int) -> Range:
        """The range between two bytes, the end exclusive."""
        return self._source.span(self.offset(start), self.offset(end))

    def _decoded(self, byte: int) -> int:
        byte = min(max(byte, 0), len(self._bytes))
        while byte < len(self._bytes) and self._bytes[byte] & 0xC0 == 0x80:
            byte -= 1  # inside a character
        known_byte, point = self._known if self._known[0] <= byte else (0, 0)
        point += len(self._bytes[known_byte:byte].decode())
        self._known = byte, point
        return point
