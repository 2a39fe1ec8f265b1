"""Long work in a process that has other things to do."""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator
from typing import TypeVar

import gevent

T = TypeVar("T")
TURN_SECONDS = 0.005
_SHORTEST_SECONDS = 1e-6


def give_way() -> None:
    """Let all others run that want to: those whose time has come, and those who wait for sockets.

    `gevent.sleep(0)` does not. The loop looks at clocks and sockets only after fifty callbacks, and
    such a sleep is one: who computes for 5 ms between two of them stops the others for a quarter of
    a second. A sleep of any length ends the round of callbacks.
    """
    gevent.sleep(_SHORTEST_SECONDS)


class Pace:
    """Lets other greenlets run every few milliseconds of work, however little or much a step of it
    is: counting steps would not do, since some texts take a thousand times as long as others."""

    def __init__(self) -> None:
        self._until = time.perf_counter() + TURN_SECONDS

    def pause(self) -> None:
        """Let others run, if the turn is over."""
        if time.perf_counter() >= self._until:
            give_way()
            self._until = time.perf_counter() + TURN_SECONDS


def letting_others_run(items: Iterable[T]) -> Iterator[T]:
    """The items, with pauses. A report may have twenty thousand findings, and a push two thousand
    paths, which take seconds where they are hostile."""
    pace = Pace()
    for item in items:
        yield item
        pace.pause()
