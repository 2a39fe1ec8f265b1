"""Comments: each must still be there, before the same code. Some are orders to tools."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Sequence

from codeintel.engine.equivalence.local_edits.runs import Runs
from codeintel.engine.equivalence.local_edits.tokens import Token

_ORDER = re.compile(
    rb"#!|[/#*!\s]*(?:@(?:ts|flow|jsx)|go:|line |\+build|#cgo|eslint|oxlint|biome|jshint|global |"
    rb"exported |istanbul |c8 |webpack[A-Z]|type:|noqa|nolint|NOLINT|pragma|rubocop:|encoding:|"
    rb"coding:|frozen_string|shellcheck |phpcs|@?phpstan|@?psalm|source(?:Mapping)?URL)"
)


class Commented:
    """Comments beside the tokens between which they stand."""

    def __init__(self, code: bytes, tokens: Sequence[Token], comments: Sequence[Token]) -> None:
        ends = [token.end for token in tokens]
        self.count = len(tokens)
        self.places = [bisect_left(ends, each.end) for each in comments]
        """Of each comment: how many tokens stand before it."""
        self.words = [b" ".join(each.text.split()) for each in comments]
        self.behind = [
            place > 0 and b"\n" not in code[ends[place - 1] : each.start]
            for place, each in zip(self.places, comments, strict=True)
        ]
        """Of each comment: whether it stands behind code, in the same line."""


def moved(old: Commented, new: Commented, runs: Runs, begins: Sequence[int]) -> str:
    """Whether a comment is gone, stands elsewhere, or is new where no change names the place;
    empty if not."""
    slots = _Slots(runs, begins, new.count)
    fixed: dict[tuple[int, bytes, bool], int] = defaultdict(int)
    free: dict[bytes, list[int]] = defaultdict(list)
    for place, words, behind in zip(new.places, new.words, new.behind, strict=True):
        if slots.is_fixed(place):
            fixed[place, words, behind] += 1
        else:
            free[words].append(place)
    gone = 0
    for place, words, behind in zip(old.places, old.words, old.behind, strict=True):
        low, high = slots.between(place)
        if low == high and fixed[low, words, behind]:
            fixed[low, words, behind] -= 1
            continue
        index = bisect_left(free[words], low)
        if index < len(free[words]) and free[words][index] <= high:
            del free[words][index]
        else:
            gone += 1
    if gone:
        return f"{gone} comments are gone, or stand before other code."
    if any(fixed.values()):
        return "There are new comments where no change names the place."
    orders = any(places and _ORDER.match(words) for words, places in free.items())
    return "There are new comments that tools take for orders." if orders else ""


class _Slots:
    """Before which tokens of the new code a comment may stand."""

    def __init__(self, runs: Runs, begins: Sequence[int], count: int) -> None:
        self._runs, self._begins, self._count = runs, begins, count
        self._firsts = [first for first, _ in runs.spans]
        self._behinds = [behind for _, behind in runs.spans]
        self._ends = [
            begin + behind - first
            for begin, (first, behind) in zip(begins, runs.spans, strict=True)
        ]

    def between(self, place: int) -> tuple[int, int]:
        """The first and the last, for a comment with so many tokens of the old code before it."""
        number = bisect_right(self._behinds, place) - 1
        following = bisect_left(self._firsts, place)
        if number + 1 < following:
            position = self._begins[number + 1] + place - self._firsts[number + 1]
            return position, position
        low = self._ends[number] if number >= 0 else 0
        high = self._begins[following] if following < len(self._begins) else self._count
        return low, high

    def is_fixed(self, place: int) -> bool:
        """Whether no change names the place, in the new code."""
        number = bisect_right(self._ends, place) - 1
        is_last = number == len(self._ends) - 1
        return number < 0 or is_last or place > self._begins[number + 1]
