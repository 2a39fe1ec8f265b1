"""How far the readers of a log are, and for which of them its writer waits."""

from __future__ import annotations

import time


class Position:
    """The last event that a reader has."""

    def __init__(self, after: int) -> None:
        self._after = after
        self._waited_since: float | None = None

    @property
    def after(self) -> int:
        """The number of the last event."""
        return self._after

    @after.setter
    def after(self, number: int) -> None:
        if number != self._after:
            self._after, self._waited_since = number, None

    def is_waited_for(self, seconds: float) -> bool:
        """Return whether the writer still waits for the reader to get more events.

        The time begins with the first call, and again with each event that the reader gets.
        """
        now = time.monotonic()
        if self._waited_since is None:
            self._waited_since = now
        return now - self._waited_since < seconds


class Positions:
    """The positions of all readers.

    Without readers, the one that left last counts, because it may return.
    """

    def __init__(self) -> None:
        self._here: list[Position] = []
        self._left = Position(0)

    def add(self, position: Position) -> None:
        """Add a reader that comes."""
        self._here.append(position)

    def remove(self, position: Position) -> None:
        """Remove a reader that leaves."""
        self._here.remove(position)
        self._left = position

    def wait_for(self, number: int, seconds: float) -> bool:
        """Return whether a reader lacks this event, and is still waited for.

        :param seconds: how long the writer waits for a reader that gets nothing. Such a reader does
            not delay the events of the others.
        """
        lacking = [each for each in self._here or [self._left] if each.after < number]
        waited_for = [each.is_waited_for(seconds) for each in lacking]  # the time of all begins
        return any(waited_for)
