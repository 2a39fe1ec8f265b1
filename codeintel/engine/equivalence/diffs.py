"""Make unified diffs for readers and for `patch`."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from difflib import SequenceMatcher

from codeintel.engine.equivalence.comparison import Comparison

MAX_CHARACTERS = 400_000
MAX_PAIRS = 200_000
"""The limit on pairs of equal lines within the part that differs.

Matching takes time for each pair. Beyond the limit, the whole part is replaced.
"""
NO_NEWLINE = "\\ No newline at end of file\n"
_CONTEXT = 3
_Step = tuple[str, int, int, int, int]
"""A kind of change, and the ranges of lines that it covers in the old and new code."""


def unified(comparison: Comparison) -> str:
    """Return the unified diff, with placeholder file names.

    Return an empty string if nothing differs or the diff exceeds 400,000 characters.
    """
    if comparison.before == comparison.after:
        return ""
    before, after = _lines(comparison.before), _lines(comparison.after)
    lines = ["--- a/code\n", "+++ b/code\n"]
    for hunk in _hunks(_steps(before, after)):
        lines += _written(hunk, before, after)
    text = "".join(_ended(lines))
    return text if len(text) <= MAX_CHARACTERS else ""


def _lines(code: str) -> list[str]:
    """Split code into lines as `patch` does: only a line feed ends a line."""
    *lines, last = code.split("\n")
    return [f"{line}\n" for line in lines] + ([last] if last else [])


def _steps(before: Sequence[str], after: Sequence[str]) -> Iterator[_Step]:
    """Yield the steps from the old to the new lines, with context at both ends."""
    shorter = min(len(before), len(after))
    first = last = 0
    while first < shorter and before[first] == after[first]:
        first += 1
    while last < shorter - first and before[-1 - last] == after[-1 - last]:
        last += 1
    old, new = before[first : len(before) - last], after[first : len(after) - last]
    start = max(0, first - _CONTEXT)
    yield ("equal", start, first, start, first)
    times = Counter(new)
    if sum(times[line] for line in old) > MAX_PAIRS:
        yield ("replace", first, first + len(old), first, first + len(new))
    else:
        for kind, i1, i2, j1, j2 in SequenceMatcher(None, old, new).get_opcodes():
            yield (kind, first + i1, first + i2, first + j1, first + j2)
    i, j, count = first + len(old), first + len(new), min(last, _CONTEXT)
    yield ("equal", i, i + count, j, j + count)


def _hunks(steps: Iterable[_Step]) -> Iterator[list[_Step]]:
    """Group the steps into hunks, without the middle of long unchanged stretches."""
    hunk: list[_Step] = []
    for kind, i1, i2, j1, j2 in steps:
        behind = (i1, j1)
        if kind == "equal" and i2 - i1 > 2 * _CONTEXT:
            yield [*hunk, (kind, i1, i1 + _CONTEXT, j1, j1 + _CONTEXT)]
            hunk, behind = [], (i2 - _CONTEXT, j2 - _CONTEXT)
        hunk.append((kind, behind[0], i2, behind[1], j2))
    yield hunk


def _written(hunk: list[_Step], before: Sequence[str], after: Sequence[str]) -> Iterator[str]:
    old, new = _extent(hunk[0][1], hunk[-1][2]), _extent(hunk[0][3], hunk[-1][4])
    yield f"@@ -{old} +{new} @@\n"
    for kind, i1, i2, j1, j2 in hunk:
        if kind == "equal":
            yield from (f" {line}" for line in before[i1:i2])
        else:
            yield from (f"-{line}" for line in before[i1:i2])
            yield from (f"+{line}" for line in after[j1:j2])


def _extent(start: int, end: int) -> str:
    """Return the first line and the count. For an empty range, return the line before it."""
    count = end - start
    return str(start + 1) if count == 1 else f"{start + (count > 0)},{count}"


def _ended(lines: Iterable[str]) -> Iterator[str]:
    """Mark a last line without a line feed, as `diff` does."""
    for line in lines:
        yield line if line.endswith("\n") else f"{line}\n{NO_NEWLINE}"
