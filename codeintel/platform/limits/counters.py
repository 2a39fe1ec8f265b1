"""Counters of one process for Flask-Limiter's fixed windows.

The storage in memory that the `limits` library brings starts a timer thread with nearly every hit,
to drop what has expired; here that is done by whoever counts, now and then.
"""

from __future__ import annotations

import time

from limits.storage import Storage

SWEEP_EVERY = 4_096


class Counters(Storage):
    """Counts by key, each until its window ends."""

    STORAGE_SCHEME = ["counters"]  # noqa: RUF012 - as the base class declares it

    def __init__(self, uri: str | None = None, *, wrap_exceptions: bool = False, **_: str) -> None:
        super().__init__(uri, wrap_exceptions=wrap_exceptions)
        self._counts: dict[str, tuple[int, float]] = {}
        self._calls = 0

    @property
    def base_exceptions(self) -> type[Exception]:
        return ValueError

    def incr(self, key: str, expiry: float, amount: int = 1) -> int:
        """Add to a counter, whose window of `expiry` seconds begins now if it has none; returns the
        new count."""
        now = time.time()
        count, end = self._counts.get(key, (0, 0.0))
        if end <= now:
            count, end = 0, now + expiry
        self._counts[key] = count + amount, end
        self._calls += 1
        if self._calls % SWEEP_EVERY == 0:
            self._counts = {key: each for key, each in self._counts.items() if each[1] > now}
        return count + amount

    def get(self, key: str) -> int:
        """The count in the present window."""
        count, end = self._counts.get(key, (0, 0.0))
        return count if end > time.time() else 0

    def get_expiry(self, key: str) -> float:
        """When the window ends, or now without one: a Unix timestamp."""
        _, end = self._counts.get(key, (0, 0.0))
        return max(end, time.time())

    def check(self) -> bool:
        """It is always there."""
        return True

    def reset(self) -> int:
        """Forget everything; returns how many counters there were."""
        count = len(self._counts)
        self._counts.clear()
        return count

    def clear(self, key: str) -> None:
        """Forget one counter."""
        self._counts.pop(key, None)
