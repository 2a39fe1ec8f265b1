"""What background work may ask of an upstream in an hour: people's requests need the rest."""

from __future__ import annotations

import time
from collections.abc import Mapping

import gevent

from codeintel.contracts import SourceError, SourceProblem

HOUR_SECONDS = 3_600.0
LONGEST_WAIT_SECONDS = 60.0
"""For a turn: an upstream that would take longer is left out this time."""


class Budget:
    """Evenly spread turns: with 1,800 an hour one each two seconds.

    :param hourly: by base URL, where an upstream allows less than the operator does.
    """

    def __init__(self, default: int, hourly: Mapping[str, int]) -> None:
        self._default = default
        self._hourly = hourly
        self._next: dict[str, float] = {}

    def wait(self, base_url: str, title: str) -> None:
        """Wait for the upstream's next turn.

        :param title: of the upstream, for people.
        :raises SourceError: `rate_limited`, if that is too far away; the turn is not taken.
        """
        allowed = min(self._default, self._hourly.get(base_url, self._default))
        now = time.monotonic()
        turn = max(now, self._next.get(base_url, now))
        if turn - now > LONGEST_WAIT_SECONDS:
            raise SourceError(
                SourceProblem.RATE_LIMITED,
                f"What background work may ask of {title} in an hour is used up.",
                turn - now,
            )
        self._next[base_url] = turn + HOUR_SECONDS / allowed
        if turn > now:
            gevent.sleep(turn - now)
