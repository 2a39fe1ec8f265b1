"""Waking those who wait at logs, all together, once in a while.

A reader looks up now and then whether its client has gone. With a timer for each wait, and a wait
for each event, that would cost more than the events.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager

import gevent

from codeintel.runs.events.log import RunLog

BEAT_SECONDS = 1.0


class Pulse:
    """One greenlet for all logs that are read, while any is."""

    def __init__(self) -> None:
        self._read: Counter[RunLog] = Counter()
        self._greenlet: gevent.Greenlet[..., None] | None = None

    @contextmanager
    def at(self, log: RunLog) -> Iterator[None]:
        """Have those who wait at a log woken each second while the block lasts."""
        self._read[log] += 1
        if self._greenlet is None or self._greenlet.dead:
            self._greenlet = gevent.spawn(self._beat)
        try:
            yield
        finally:
            self._read[log] -= 1
            if not self._read[log]:
                del self._read[log]

    def _beat(self) -> None:
        while self._read:
            gevent.sleep(BEAT_SECONDS)
            for log in list(self._read):
                log.wake()


PULSE = Pulse()
"""That of this process."""
