"""A matcher of lines that gives up in time. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from difflib import Match, SequenceMatcher
from itertools import accumulate

MOST_STEPS = 5_000_000
"""About a second. The search for what is the same takes at most that many."""
FEW_STEPS = 25_000
"""About five milliseconds: so many may be taken where others wait meanwhile."""


@dataclass
class Steps:
    """How many steps are left for a page."""

    left: float = MOST_STEPS


class TooManyStepsError(Exception):
    """The texts are of the kind that takes the square of their length."""


class Matcher(SequenceMatcher[str]):
    """Gives up when no steps are left. To find a block that is the same it looks at all lines of
    the left side between two others, and at all that equal them on the right, but for the most
    frequent ones: so each search is counted with the lines that it is about, however few these
    are, before it is begun."""

    def __init__(self, left: Sequence[str], right: Sequence[str], steps: Steps) -> None:
        super().__init__(None, left, right)
        places = self.b2j  # type: ignore[attr-defined] # documented, and not in the stubs
        each = (1 + len(places.get(line, ())) for line in left)
        self._until = list(accumulate(each, initial=0))
        self._budget = steps

    def find_longest_match(
        self, alo: int = 0, ahi: int | None = None, blo: int = 0, bhi: int | None = None
    ) -> Match:
        """As the base class does.

        :raises TooManyStepsError: before it would take more steps than are left.
        """
        last = len(self._until) - 1 if ahi is None else ahi
        self._budget.left -= self._until[last] - self._until[alo]
        if self._budget.left < 0:
            raise TooManyStepsError
        return super().find_longest_match(alo, ahi, blo, bhi)
