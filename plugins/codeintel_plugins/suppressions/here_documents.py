"""Here documents: text that begins behind the line that announces it and ends with its tag."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import defaultdict
from functools import cached_property

_LINE_END = re.compile(r"\r\n|\n|\r")
_FIRST_WORD = re.compile(r"(?<![^\r\n])[ \t]*+(\w++)(?P<rest>[^\r\n]*+)")
_MAY_FOLLOW = re.compile(r"[ \t]*+[;,).\]\[]*+[ \t]*+")


class HereDocuments:
    """Those of some code, met in order. What no line with the tag ends was none: shifts of bits and
    appending look alike."""

    def __init__(self, code: str) -> None:
        self._code = code
        self._announced: list[str] = []
        self._line: tuple[int, int] = (0, 0)
        """The end of the line that announced them: start and end of what ends it."""

    def announce(self, tag: str, at: int) -> None:
        """Note that one with this tag begins behind the line of the offset `at`."""
        if self._end(tag, at) is None:
            return
        line_end = _LINE_END.search(self._code, at)
        if line_end is not None and not self._announced:
            self._line = line_end.span()
        self._announced.append(tag)

    def behind(self, start: int, end: int) -> int | None:
        """The offset behind all that were announced, if their line ends between the offsets."""
        if not self._announced or end < self._line[0]:
            return None
        at = max(start, self._line[1])
        for tag in self._announced:
            at = self._end(tag, at) or at
        self._announced.clear()
        return at

    def _end(self, tag: str, at: int) -> int | None:
        """The end of the first line with the tag that begins at the offset or behind it."""
        lines = self._tagged.get(tag, ())
        number = bisect_left(lines, (at, 0))
        return lines[number][1] if number < len(lines) else None

    @cached_property
    def _tagged(self) -> dict[str, list[tuple[int, int]]]:
        """Where the lines stand that have one word, by that word: start and end."""
        found = defaultdict(list)
        for line in _FIRST_WORD.finditer(self._code):
            if _MAY_FOLLOW.fullmatch(line["rest"]):
                found[line[1]].append(line.span())
        return found
