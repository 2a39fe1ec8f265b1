"""Long work in a process that has other things to do."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TypeVar

import gevent

T = TypeVar("T")

EVERY = 100


def letting_others_run(items: Iterable[T]) -> Iterator[T]:
    """The items; each hundred of them others run for a moment. A report may have twenty thousand
    findings, and a push two thousand paths, which take seconds where they are hostile."""
    for number, item in enumerate(items, 1):
        yield item
        if number % EVERY == 0:
            gevent.sleep(0)
