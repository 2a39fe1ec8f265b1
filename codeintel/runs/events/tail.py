"""Sending a run's events down one connection."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator

from codeintel.base.sse import PING
from codeintel.platform.metrics import table
from codeintel.runs.events.log import EventsGoneError, RunLog
from codeintel.runs.events.ticker import PULSE

HEARTBEAT_SECONDS = 15.0
CREDENTIAL_SECONDS = 3.0


def tail(
    log: RunLog,
    is_gone: Callable[[], bool],
    may_read: Callable[[], bool] = lambda: True,
    after: int = 0,
) -> Iterator[bytes]:
    """Everything in the log behind the first `after` events, as it comes, until the end.

    A silent run sends a heartbeat every 15 s. A server notices that a client has gone only when it
    writes; so between events `is_gone` is asked every second. `may_read` is asked every 3 s: a
    stream ends when the credential that opened it does. Who has more events than a lost process
    has left behind gets the terminal event all the same, as the next one.
    """
    begin = after
    with log.reading(), PULSE.at(log), table.STREAMS_OPEN.while_in():
        beat = time.monotonic() + HEARTBEAT_SECONDS
        check = time.monotonic() + CREDENTIAL_SECONDS
        while True:
            try:
                frames, after = log.wait(after)
                if time.monotonic() >= check:
                    if not may_read():
                        return
                    check = time.monotonic() + CREDENTIAL_SECONDS
                    if not frames:  # the last ones may have come while the credential was looked up
                        frames, after = log.ready(after)
            except EventsGoneError:
                return  # never a silent gap: whoever comes back is told that they are gone
            if frames:
                yield frames
                beat = time.monotonic() + HEARTBEAT_SECONDS
            elif log.ended or log.broken or is_gone():
                if after == begin and (end := log.late_end(after)):
                    yield end
                return
            elif time.monotonic() >= beat:
                yield PING
                beat = time.monotonic() + HEARTBEAT_SECONDS
