"""Where changes were made, in bytes of the original."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from codeintel.contracts import Range

_LINE_END = re.compile(r"\r\n|\n|\r")
Place = tuple[int, int]


def places_of(code: str, ranges: Iterable[Range]) -> list[Place]:
    """The stretches of the code that the ranges name, in order. What touches or overlaps is one."""
    starts = [0, *(end.end() for end in _LINE_END.finditer(code))]
    merged: list[Place] = []
    for start, end in sorted(
        (
            _offset(code, starts, each.start_line, each.start_column),
            _offset(code, starts, each.end_line, each.end_column),
        )
        for each in set(ranges)
    ):
        if merged and start <= merged[-1][1]:
            merged[-1] = (merged[-1][0], max(merged[-1][1], end))
        else:
            merged.append((start, end))
    return merged


def _offset(code: str, starts: Sequence[int], line: int, column: int) -> int:
    if line > len(starts):
        return len(code.encode())
    offset = min(starts[line - 1] + column - 1, len(code))
    return len(code[:offset].encode())


def is_in(place: Place, start: int, end: int) -> bool:
    """Whether a token reaches into a place."""
    return start < place[1] and end > place[0] if place[0] < place[1] else start < place[0] < end
