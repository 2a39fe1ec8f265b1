"""What is known of a source's health: when it may be asked again."""

from __future__ import annotations

import time
from dataclasses import dataclass

from codeintel.contracts import SourceError, SourceProblem

FAILURES = 3
"""In a row, before a source is left alone."""
FIRST_PAUSE_SECONDS = 5.0
LONGEST_PAUSE_SECONDS = 300.0
LIMIT_SECONDS = 60.0
"""For an upstream's limit that does not say when it ends."""
LONGEST_TURN_SECONDS = 1.5
LONGEST_LIMIT_SECONDS = 3_600.0
_OUTAGES = frozenset(
    {
        SourceProblem.TIMEOUT,
        SourceProblem.UNREACHABLE,
        SourceProblem.UNAVAILABLE,
        SourceProblem.MALFORMED,
        SourceProblem.UNAUTHORIZED,
        SourceProblem.BROKEN,
    }
)


@dataclass
class SourceState:
    """One source's, in this process. Times are on the monotonic clock."""

    failures: int = 0
    closed_until: float = 0.0
    limited_until: float = 0.0
    next_turn: float = 0.0
    last_error: str = ""

    def check(self) -> None:
        """:raises SourceError: while it should not be asked."""
        now = time.monotonic()
        if now < self.limited_until:
            raise SourceError(
                SourceProblem.RATE_LIMITED,
                "The registry's limit for this service is used up.",
                self.limited_until - now,
            )
        if now < self.closed_until:
            raise SourceError(
                SourceProblem.UNAVAILABLE,
                "The registry failed several times and is left alone for a while.",
                self.closed_until - now,
            )

    def take_turn(self, interval: float) -> float:
        """Seconds to wait before the next request, where so many must pass between two.

        :raises SourceError: if it would be too long; the turn is not taken.
        """
        now = time.monotonic()
        turn = max(now, self.next_turn)
        if turn - now > LONGEST_TURN_SECONDS:
            raise SourceError(
                SourceProblem.RATE_LIMITED,
                "Too many searches wait for the registry, which takes one after the other.",
                turn - now,
            )
        self.next_turn = turn + interval
        return turn - now

    def answered(self) -> None:
        """It works."""
        self.failures = 0
        self.closed_until = 0.0
        self.last_error = ""

    def limit(self, seconds: float | None) -> None:
        """Its limit is used up, for so long."""
        pause = LIMIT_SECONDS if seconds is None else min(seconds, LONGEST_LIMIT_SECONDS)
        self.limited_until = time.monotonic() + pause

    def failed(self, error: SourceError) -> None:
        """It did not answer as it should."""
        self.last_error = f"{error.problem}: {error.message}"
        if error.problem not in _OUTAGES:
            return
        self.failures += 1
        if self.failures >= FAILURES:
            doublings = min(self.failures - FAILURES, 16)  # more would only be larger numbers
            pause = min(FIRST_PAUSE_SECONDS * 2**doublings, LONGEST_PAUSE_SECONDS)
            self.closed_until = time.monotonic() + pause
