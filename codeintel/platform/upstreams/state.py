"""What is known of a source's health: when it may be asked again."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import NamedTuple

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


class Attempt(NamedTuple):
    """One request that may be sent: when it began, and whether it is the one that tries a source
    again that was left alone."""

    at: float
    is_trial: bool


@dataclass
class SourceState:
    """One source's, in this process. Times in seconds are on the monotonic clock."""

    title: str = "The registry"
    """For people."""
    failures: int = 0
    """In a row; those of one moment count until the source is left alone."""
    open_until: float = 0.0
    """The breaker's pause."""
    limited_until: float = 0.0
    next_turn: float = 0.0
    last_error: SourceError | None = None
    failed_ms: int = 0
    """When that was, in milliseconds since 1970."""
    answered_ms: int | None = None
    """When it answered for the first time, or again for the first time."""
    _opened: int = 0
    """How often in a row it was left alone."""
    _opened_at: float = 0.0
    _is_tried: bool = False

    def begin(self) -> Attempt:
        """:raises SourceError: while it should not be asked."""
        now = time.monotonic()
        if now < self.limited_until:
            raise SourceError(
                SourceProblem.RATE_LIMITED,
                f"{self.title}'s limit for this service is used up.",
                self.limited_until - now,
            )
        is_trial = self.failures >= FAILURES
        if now < self.open_until or (is_trial and self._is_tried):
            raise SourceError(
                SourceProblem.UNAVAILABLE,
                f"{self.title} failed several times and is left alone for a while.",
                max(self.open_until - now, 0.0) or None,
            )
        self._is_tried = is_trial
        return Attempt(now, is_trial)

    def stand(self) -> str:
        """How it stands: `limited`, `open` while it is left alone, `half_open` when the next to ask
        tries it, or `closed`."""
        now = time.monotonic()
        if now < self.limited_until:
            return "limited"
        if now < self.open_until:
            return "open"
        return "half_open" if self.failures >= FAILURES else "closed"

    def end(self, attempt: Attempt) -> None:
        """An attempt is over, however it went."""
        if attempt.is_trial:
            self._is_tried = False

    def take_turn(self, interval: float) -> float:
        """Seconds to wait before the next request, where so many must pass between two.

        :raises SourceError: if it would be too long; the turn is not taken.
        """
        now = time.monotonic()
        turn = max(now, self.next_turn)
        if turn - now > LONGEST_TURN_SECONDS:
            raise SourceError(
                SourceProblem.RATE_LIMITED,
                f"{self.title} takes one request after the other, and too many wait for it.",
                turn - now,
            )
        self.next_turn = turn + interval
        return turn - now

    def answered(self) -> bool:
        """It works; tells whether that is new to this process."""
        self.failures = self._opened = 0
        self.open_until = 0.0
        is_new = self.answered_ms is None
        if is_new:
            self.answered_ms = time.time_ns() // 1_000_000
        return is_new

    def limit(self, seconds: float | None) -> None:
        """Its limit is used up, for so long."""
        pause = LIMIT_SECONDS if seconds is None else min(seconds, LONGEST_LIMIT_SECONDS)
        self.limited_until = max(self.limited_until, time.monotonic() + pause)

    def failed(self, error: SourceError, began: float | None = None) -> None:
        """It did not answer as it should. What began before it was left alone does not count once
        more: a moment's failure of many searches is one failure.

        :param began: when it was asked; now if None.
        """
        now = time.monotonic()
        # A copy: the traceback of what was raised keeps the registry's whole answer in memory.
        self.last_error = SourceError(error.problem, error.message, error.retry_after)
        self.failed_ms, self.answered_ms = time.time_ns() // 1_000_000, None
        if error.problem not in _OUTAGES or (began is not None and began < self._opened_at):
            return
        self.failures += 1
        if self.failures >= FAILURES:
            self._opened += 1
            self._opened_at = now
            doublings = min(self._opened - 1, 16)  # more would only be larger numbers
            pause = min(FIRST_PAUSE_SECONDS * 2**doublings, LONGEST_PAUSE_SECONDS)
            told = min(error.retry_after or 0.0, LONGEST_PAUSE_SECONDS)
            self.open_until = now + max(pause, told)
        elif error.problem is SourceProblem.UNAVAILABLE and error.retry_after:
            self.open_until = now + min(error.retry_after, LONGEST_PAUSE_SECONDS)
