"""A clock that stands until a test moves it."""

from __future__ import annotations

from codeintel.platform.db.models import now_ms


class Clock:
    """Tells the time that a test sets, in milliseconds."""

    def __init__(self) -> None:
        self.now = now_ms()

    def __call__(self) -> int:
        return self.now

    def pass_seconds(self, seconds: float) -> None:
        self.now += int(seconds * 1000)
