"""How long regular expressions take: searches on the clock of the processor, cut off at a limit."""

from __future__ import annotations

import re
import signal
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

REPEATS = re.compile(r"[*+]|\{\d+,\d{0,9}\}")
"""Without any of these an expression reads only so far from each place."""


class TooSlowError(Exception):
    """The limit is reached."""


@contextmanager
def limited(seconds: float) -> Iterator[None]:
    """Limit Python's searches within the block, which signals can interrupt."""

    def stop(*_: object) -> None:
        raise TooSlowError

    before = signal.signal(signal.SIGPROF, stop)
    signal.setitimer(signal.ITIMER_PROF, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)


def seconds(search: Callable[[str], object], text: str, most: float) -> float:
    """Return the CPU time of a search, up to `most`, because it could take hours."""
    begin = time.process_time()
    try:
        with limited(most):
            search(text)
    except TooSlowError:
        return most
    return time.process_time() - begin
