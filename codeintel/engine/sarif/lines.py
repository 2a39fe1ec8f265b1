"""Lines of code without the hard-coded secrets that findings are about."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from codeintel.contracts import Category, Finding
from codeintel.contracts.positions import LineTable

Position = tuple[int, int]
"""Line and column, both from 1."""


class LinesWithoutSecrets:
    """The lines of the code. What stands where a finding says that a secret is, is left out.

    :param mark: what stands there instead.
    """

    def __init__(self, code: str, findings: Sequence[Finding], mark: str) -> None:
        self._table = LineTable(code)
        self._mark = mark
        self._hidden: dict[int, list[tuple[int, int | None]]] = {}
        secrets = [place(each) for each in findings if each.category is Category.SECRETS]
        for start, end in _united((each[:2], each[2:]) for each in secrets):
            self._hide(start, end)

    def __len__(self) -> int:
        return len(self._table)

    def text(self, number: int) -> str:
        """Line `number`, from 1, without its end."""
        whole = self._table.line(number)
        shown, at = [], 0
        for start, end in self._hidden.get(number, ()):
            shown.append(whole[at:start])
            at = len(whole) if end is None else end
        return self._mark.join([*shown, whole[at:]])

    def is_touched(self, number: int) -> bool:
        """Whether something is left out of a line."""
        return number in self._hidden

    def _hide(self, start: Position, end: Position) -> None:
        for number in range(start[0], min(end[0], len(self._table)) + 1):
            first = start[1] - 1 if number == start[0] else 0
            last = end[1] - 1 if number == end[0] else None
            self._hidden.setdefault(number, []).append((first, last))


def place(finding: Finding) -> tuple[int, int, int, int]:
    """Where a finding begins and ends, to sort by."""
    found = finding.range
    return found.start_line, found.start_column, found.end_line, found.end_column


def _united(places: Iterable[tuple[Position, Position]]) -> list[tuple[Position, Position]]:
    """The stretches in order, those that overlap put together."""
    found: list[tuple[Position, Position]] = []
    for start, end in sorted(places):
        if found and start <= found[-1][1]:
            found[-1] = found[-1][0], max(end, found[-1][1])
        else:
            found.append((start, end))
    return found
