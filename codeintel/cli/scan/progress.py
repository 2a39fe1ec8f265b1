"""Show the progress of a scan on a terminal."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator
from typing import TypeVar

from codeintel.base.wording import counted
from codeintel.cli.scan.runners import Collected, Item, Progressed

_CLEAR_LINE = "\r\x1b[K"
_EVERY = 0.1
"""Seconds between two changes of the line."""
T = TypeVar("T", bound=Item)


class Progress:
    """A line that counts files and findings.

    :param show: writes to standard error.
    :param live: whether standard error is a terminal. Otherwise nothing is shown.
    """

    def __init__(self, show: Callable[[str], None], *, live: bool) -> None:
        self._show = show
        self._live = live
        self._shown_at = 0.0
        self._is_shown = False

    def follow(self, items: Iterable[T], collected: Collected, total: int) -> Iterator[T]:
        """Yield items and update the line. `collected` has the items so far."""
        try:
            for item in items:
                yield item
                if isinstance(item, Progressed):
                    self.tell(item.text)
                else:
                    self._update(collected, total)
        finally:
            self.clear()

    def tell(self, text: str) -> None:
        """Replace the line with a text."""
        if self._live:
            self._show(f"{_CLEAR_LINE}{text}")
            self._is_shown = True

    def clear(self) -> None:
        """Remove the line."""
        if self._is_shown:
            self._show(_CLEAR_LINE)
            self._is_shown = False

    def _update(self, collected: Collected, total: int) -> None:
        now = time.monotonic()
        if now - self._shown_at >= _EVERY:
            self._shown_at = now
            done, found = len(collected.files), counted(collected.findings, "finding")
            self.tell(f"Scanning: {done:,} of {counted(total, 'file')}, {found}")
