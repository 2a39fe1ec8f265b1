"""The lines in which two texts differ, as long as that can be found out in a bounded time. Pure."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from codeintel.workspaces.text.lines import lines_of, shortened
from codeintel.workspaces.text.matching import Matcher, Steps, TooManyStepsError

MOST_LINES = 100_000
"""On either side, apart from what is the same at the beginning and the end."""
CONTEXT = 3
LINE_CHARACTERS = 500
KEPT, ADDED, REMOVED, PLACE = "kept", "added", "removed", "place"
SIGNS = {KEPT: " ", ADDED: "+", REMOVED: "-", PLACE: ""}


class DiffLine(NamedTuple):
    """A line of a diff, with its numbers before and after; 0 where it is not. `more` counts
    characters that are left out."""

    kind: str
    old: int
    new: int
    text: str
    more: int = 0

    @property
    def sign(self) -> str:
        """What stands before it."""
        return SIGNS[self.kind]


@dataclass(frozen=True)
class Difference:
    """What was added and removed, in lines, and the lines with some around them."""

    added: int
    removed: int
    lines: tuple[DiffLine, ...]


def difference(old: str, new: str, steps: Steps | None = None) -> Difference | None:
    """The difference of two texts; None where finding it would take too long.

    :param steps: what may be taken, less after it; for None, as many as for a page.
    """
    before, after = lines_of(old)[0], lines_of(new)[0]
    if before == after:  # in their line ends, or in the last one
        return Difference(0, 0, ())
    begin = _same(zip(before, after, strict=False))
    rest = min(len(before), len(after)) - begin
    end = min(rest, _same(zip(reversed(before), reversed(after), strict=False)))
    left, right = before[begin : len(before) - end], after[begin : len(after) - end]
    if max(len(left), len(right)) > MOST_LINES:
        return None
    try:
        found = Matcher(left, right, steps or Steps()).get_opcodes()
    except TooManyStepsError:
        return None
    codes = [(tag, a + begin, b + begin, c + begin, d + begin) for tag, a, b, c, d in found]
    codes = [
        ("equal", 0, begin, 0, begin),
        *codes,
        ("equal", len(before) - end, len(before), len(after) - end, len(after)),
    ]
    lines = tuple(_hunks(codes, before, after))
    kinds = Counter(line.kind for line in lines)
    return Difference(kinds[ADDED], kinds[REMOVED], lines)


def whole(text: str, kind: str, most: int) -> Difference:
    """A text that is added or removed as a whole, with its first lines."""
    lines = lines_of(text)[0]
    shown = tuple(_line(kind, at, at, line) for at, line in enumerate(lines[:most], 1))
    added = len(lines) if kind == ADDED else 0
    return Difference(added, len(lines) - added, shown)


def _same(pairs: Iterator[tuple[str, str]]) -> int:
    """How many pairs from the first on are of equals."""
    found = 0
    for one, other in pairs:
        if one != other:
            break
        found += 1
    return found


Code = tuple[str, int, int, int, int]


def _hunks(codes: Sequence[Code], before: list[str], after: list[str]) -> Iterator[DiffLine]:
    """The changes with the lines around them, each group of them after a line that tells where."""
    for group in _groups(codes):
        (_, a, _, c, _), (_, _, b, _, d) = group[0], group[-1]
        place = f"@@ -{_span(a, b)} +{_span(c, d)} @@"
        yield DiffLine(PLACE, 0, 0, place)
        for tag, start, stop, begin, end in group:
            if tag == "equal":
                for at in range(stop - start):
                    yield _line(KEPT, start + at + 1, begin + at + 1, before[start + at])
                continue
            for at in range(start, stop):
                yield _line(REMOVED, at + 1, 0, before[at])
            for at in range(begin, end):
                yield _line(ADDED, 0, at + 1, after[at])


def _groups(codes: Sequence[Code]) -> Iterator[list[Code]]:
    """Changes that are near each other, with a few lines before and after."""
    group: list[Code] = []
    for at, (tag, a, b, c, d) in enumerate(codes):
        if tag != "equal":
            group.append((tag, a, b, c, d))
            continue
        is_last = at == len(codes) - 1
        if group and (b - a > 2 * CONTEXT or is_last):
            stop = min(b - a, CONTEXT)
            yield [*group, ("equal", a, a + stop, c, c + stop)]
            group = []
        if group:
            group.append((tag, a, b, c, d))
        elif not is_last:
            start = min(b - a, CONTEXT)
            group = [("equal", b - start, b, d - start, d)]


def _span(start: int, stop: int) -> str:
    """A range of lines as unified diffs write it."""
    length = stop - start
    if length == 1:
        return f"{start + 1}"
    return f"{start + 1 if length else start},{length}"


def _line(kind: str, old: int, new: int, text: str) -> DiffLine:
    short = shortened(0, text, LINE_CHARACTERS)
    old, new = (old if kind != ADDED else 0), (new if kind != REMOVED else 0)
    return DiffLine(kind, old, new, short.text, short.more)
