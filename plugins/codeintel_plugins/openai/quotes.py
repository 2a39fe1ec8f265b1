"""Finding in the code what a model quotes from it. Pure."""

from __future__ import annotations

import re
from bisect import bisect_right

from codeintel.contracts import Range
from codeintel.contracts.positions import LineTable

MAX_QUOTE_CHARACTERS = 2_000
MAX_PLACES = 100
_WORD = re.compile(r"\S+")
_LINE_NUMBER = re.compile(r"^[ \t]*\d+[ \t]*\|[ \t]?", re.MULTILINE)


class Quotes:
    """One piece of code. Spaces count only as they separate words, for models do not keep them:
    quotations are looked for in the code with single spaces, and the places are counted back."""

    def __init__(self, code: str) -> None:
        self._lines = LineTable(code)
        self._plain_starts: list[int] = []
        self._starts: list[int] = []
        words, at = [], 0
        for match in _WORD.finditer(code):
            self._plain_starts.append(at)
            self._starts.append(match.start())
            words.append(match[0])
            at += len(match[0]) + 1
        self._plain = " ".join(words)

    def find(self, quote: str, line: int) -> Range | None:
        """Where a quotation stands; of several places the one nearest to a line."""
        cut = quote[:MAX_QUOTE_CHARACTERS]
        return self._nearest(cut, line) or self._nearest(_LINE_NUMBER.sub("", cut), line)

    def line(self, number: int) -> Range:
        """The line with a number, or the nearest that there is."""
        number = min(max(1, number), len(self._lines))
        return Range(number, 1, number, len(self._lines.line(number)) + 1)

    def _nearest(self, quote: str, line: int) -> Range | None:
        wanted = " ".join(quote.split())
        best: Range | None = None
        at = self._plain.find(wanted) if wanted else -1
        for _ in range(MAX_PLACES):
            if at < 0:
                break
            found = self._lines.span(self._offset(at), self._offset(at + len(wanted) - 1) + 1)
            if best is None or abs(found.start_line - line) < abs(best.start_line - line):
                best = found
            at = self._plain.find(wanted, at + 1)
        return best

    def _offset(self, plain: int) -> int:
        """The offset into the code of an offset into the code with single spaces."""
        word = bisect_right(self._plain_starts, plain) - 1
        return self._starts[word] + plain - self._plain_starts[word]
