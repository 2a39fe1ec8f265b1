"""A matcher of lines that gives up in time. Pure."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from difflib import Match, SequenceMatcher

MOST_STEPS = 5_000_000
"""About a second. The search for what is the same takes at most that many."""


@dataclass
class Steps:
    """How many steps are left for a page."""

    left: float = MOST_STEPS


class TooManyStepsError(Exception):
    """The texts are of the kind that takes the square of their length."""


class Matcher(SequenceMatcher[str]):
    """Gives up when no steps are left. To find a block that is the same it looks at all lines of
    the left side between two others, and at all that equal them on the right, but for the most
    frequent ones."""

    def __init__(self, left: Sequence[str], right: Sequence[str], steps: Steps) -> None:
        super().__init__(None, left, right)
        frequent = len(right) // 100 + 1 if len(right) >= 200 else len(right)
        counts = Counter(right)
        pairs = sum(counts[line] for line in left if counts[line] <= frequent)
        self._lines = len(left)
        self._each = 1 + pairs / max(1, len(left))
        self._budget = steps

    def find_longest_match(
        self, alo: int = 0, ahi: int | None = None, blo: int = 0, bhi: int | None = None
    ) -> Match:
        """As the base class does."""
        self._budget.left -= ((self._lines if ahi is None else ahi) - alo) * self._each
        if self._budget.left < 0:
            raise TooManyStepsError
        return super().find_longest_match(alo, ahi, blo, bhi)
