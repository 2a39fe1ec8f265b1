"""The time that a run has used: what other work on the machine takes counts half."""

from __future__ import annotations

import time

_BEGIN = time.monotonic(), time.process_time()


def clock() -> float:
    """Seconds of processor time since the start, or half the seconds on the wall if that is more.

    On a busy machine a run is slower, and must not prove less because of that. A program that waits
    uses no processor, so the wall counts, too.
    """
    wall, processor = time.monotonic() - _BEGIN[0], time.process_time() - _BEGIN[1]
    return max(processor, wall / 2)
