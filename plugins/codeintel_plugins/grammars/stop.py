"""Where the parser had to stop for the first time, which its tree does not say: by then it has
tried other ways to go on. Importing this module imports tree-sitter."""

from __future__ import annotations

import re
from typing import NamedTuple

from tree_sitter import Language, LogType, Parser

_PLACE = re.compile(r"process .* row:(\d+), col:(\d+)")
_TOKEN = re.compile(r"lexed_lookahead .*, size:(\d+)\Z", re.DOTALL)


class Stop(NamedTuple):
    """The token that does not fit: bytes of the code. It is empty at the end of the code."""

    start: int
    end: int


def first_stop(code: bytes, language: Language) -> Stop | None:
    """The first token for which no way of reading what comes before has room; None if there is
    none."""
    log = _Log()
    parser = Parser(language)
    parser.logger = log
    parser.parse(code)
    if log.stop is None:
        return None
    row, column, size = log.stop
    begin = 0
    for _ in range(row):
        begin = code.find(b"\n", begin) + 1
    end = min(begin + column + size, len(code))
    token = code[begin + column : end]
    return Stop(end - len(token.lstrip()), end)


class _Log:
    """Listens to the parser. It reads on several ways at once; a way that has no room for the next
    token waits, and only when all of them wait there is an error."""

    def __init__(self) -> None:
        self.stop: tuple[int, int, int] | None = None
        """Row and column, in bytes, of the end of what comes before, and the size of the token with
        the blanks in front of it."""
        self._furthest = (-1, -1, 0)
        self._place = (0, 0)
        self._size = 0

    def __call__(self, kind: LogType, message: str) -> None:
        if self.stop is not None or kind is not LogType.PARSE:
            return
        if message.startswith("process"):
            match = _PLACE.match(message)
            if match:
                self._place = int(match[1]), int(match[2])
        elif message.startswith("lexed_lookahead"):
            match = _TOKEN.match(message)
            if match:
                self._size = int(match[1])
        elif message.startswith("detect_error"):
            self._furthest = max(self._furthest, (*self._place, self._size))
        elif message.startswith("resume"):
            self.stop = self._furthest
