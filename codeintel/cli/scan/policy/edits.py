"""Compare two versions of a file, and decide whether an edit has fixed a finding."""

from __future__ import annotations

from collections.abc import Collection
from functools import cached_property
from typing import NamedTuple

from codeintel.cli.scan.policy.texts import Lines, last_line, similarity
from codeintel.contracts import Finding

FIXED_LINE = 0.6
"""The likeness of a line to the code of a finding that it replaces."""


MAX_CELLS = 400_000_000
"""Pairs of lines that may be compared. The comparison takes a bit of memory for each."""


def are_comparable(new: Lines, old: Lines) -> bool:
    """Return whether two texts have few enough lines between the first and the last difference."""
    now, before = new.normalized, old.normalized
    if len(now) * len(before) <= MAX_CELLS:
        return True
    shorter = min(len(now), len(before))
    start = next((at for at in range(shorter) if now[at] != before[at]), shorter)
    rest = shorter - start
    end = next((at for at in range(rest) if now[-1 - at] != before[-1 - at]), rest)
    return (len(now) - start - end) * (len(before) - start - end) <= MAX_CELLS


class _Hunk(NamedTuple):
    """Former lines, and the new lines that replace them. The ends are not included."""

    old_start: int
    old_end: int
    new_start: int
    new_end: int


class Edits:
    """The differences between the former and the new lines of a file. Lines count from 1."""

    def __init__(self, new: Lines, old: Lines) -> None:
        self._new, self._old = new, old

    @cached_property
    def same(self) -> dict[int, int]:
        """The unchanged lines: their numbers in the former text, by those in the new text."""
        return {now: before for before, now in self._kept.items()}

    @cached_property
    def _kept(self) -> dict[int, int]:
        from rapidfuzz.distance import Indel  # only comparisons need it

        found: dict[int, int] = {}
        for block in Indel.opcodes(self._old.normalized, self._new.normalized):
            if block.tag == "equal":
                length = block.dest_end - block.dest_start
                found.update(
                    (block.src_start + at + 1, block.dest_start + at + 1) for at in range(length)
                )
        return found

    def replaces(self, one: Finding, other: Finding) -> bool:
        """Return whether a finding is within the lines that replace a former one."""
        hunk = self._hunk(other)
        return one.range.start_line < hunk.new_end and last_line(one) >= hunk.new_start

    def is_moved(self, other: Finding, taken: Collection[int]) -> bool:
        """Return whether a former finding may be elsewhere now, together with the lines around it.

        If these lines stay, or a similar line replaces it, the finding was fixed.

        :param taken: the new lines with findings, which fix nothing.
        """
        return not self._stays(other) and not self._is_likened(other, FIXED_LINE, taken)

    def is_cut(self, other: Finding, taken: Collection[int]) -> bool:
        """Return whether the lines of a former finding may be elsewhere now, even alone."""
        hunk = self._hunk(other)
        if any(self._new.squeezed_line(each) for each in range(hunk.new_start, hunk.new_end)):
            return self.is_moved(other, taken)
        return other.range.start_line not in self._kept

    def is_edited_into(self, one: Finding, other: Finding, taken: Collection[int]) -> bool:
        """Return whether no line without a finding is more like a former finding than a new one."""
        likeness = similarity(self._new.shape(one), self._old.shape(other))
        return not self._is_likened(other, likeness, taken)

    def _stays(self, other: Finding) -> bool:
        """Return whether the lines before and after a former finding are unchanged."""
        last = len(self._old.normalized)
        before = range(other.range.start_line - 1, 0, -1)
        after = range(last_line(other) + 1, last + 1)
        for numbers in (before, after):
            nearest = next((each for each in numbers if self._old.normalized[each - 1]), None)
            if nearest is not None and nearest not in self._kept:
                return False
        return True

    def _is_likened(self, other: Finding, least: float, taken: Collection[int]) -> bool:
        """Return whether a line that replaces a former finding is more like it than a value."""
        shape, hunk = self._old.shape(other), self._hunk(other)
        numbers = set(range(hunk.new_start, hunk.new_end)).difference(taken)
        return any(similarity(self._new.squeezed_line(each), shape) > least for each in numbers)

    def _hunk(self, other: Finding) -> _Hunk:
        """Return the lines of a former finding and the changed ones around them, with the new lines
        in their place."""
        start, end = other.range.start_line, last_line(other) + 1
        while start > 1 and start - 1 not in self._kept:
            start -= 1
        while end <= len(self._old.normalized) and end not in self._kept:
            end += 1
        new_start = self._kept[start - 1] + 1 if start > 1 else 1
        is_last = end > len(self._old.normalized)
        new_end = len(self._new.normalized) + 1 if is_last else self._kept[end]
        return _Hunk(start, end, new_start, new_end)
