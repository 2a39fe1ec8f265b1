"""One upstream as this process sees it: connections, health, and how much is asked at once."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TypeVar

import gevent
from gevent.lock import BoundedSemaphore

from codeintel.base.logging import describe
from codeintel.contracts import SourceError, SourceProblem
from codeintel.platform.metrics import table
from codeintel.platform.metrics.families import OTHER
from codeintel.platform.upstreams.fetching import Fetcher
from codeintel.platform.upstreams.state import SourceState

log = logging.getLogger(__name__)

AT_ONCE = 16
"""Requests that an upstream is sent at the same time."""
T = TypeVar("T")


class Upstream:
    """Asks it, unless its limit is used up or it has failed again and again.

    :param base_url: below which all lies that is asked for.
    :param title: for people.
    :param interval: seconds that it wants between two requests.
    :param area: what asks it, `search` or `trust`, and `name`, what it is there: for figures.
    """

    def __init__(
        self,
        base_url: str,
        title: str,
        contact: str = "",
        interval: float = 0.0,
        *,
        area: str = OTHER,
        name: str = OTHER,
    ) -> None:
        self.title = title
        self.area = area
        self.name = name
        self.state = SourceState(title)
        self.fetcher = Fetcher(base_url, title, contact)
        self._interval = interval
        self.tell_failed: Callable[[SourceState], None] = lambda _: None
        """Called at each failure, and `tell_answered` when it works for the first time after."""
        self.tell_answered: Callable[[], None] = lambda: None
        self._places = BoundedSemaphore(AT_ONCE)

    def exchange(self, work: Callable[[float], T], seconds: float) -> T:
        """Do a piece of work that asks the upstream; what it raises counts as the upstream's.

        :param work: is given the seconds that are left.
        :param seconds: in which all of it has to be done.
        :raises SourceError: what the work raised, or that the upstream is not to be asked now.
        """
        try:
            begin, attempt = time.monotonic(), self.state.begin()
        except SourceError:
            self._count("held_back")
            raise
        try:
            wait = self.state.take_turn(self._interval)
            if wait:
                gevent.sleep(wait)
            with self._place(begin + seconds):
                result = self._checked(work, begin + seconds - time.monotonic(), attempt.at)
            self._count("answered", begin)
            return result
        except SourceError as error:
            self._count(str(error.problem), begin)
            raise
        finally:
            self.state.end(attempt)

    def _count(self, outcome: str, began: float | None = None) -> None:
        table.UPSTREAM_REQUESTS.add(self.area, self.name, outcome)
        if began is not None:
            table.UPSTREAM_SECONDS.observe(time.monotonic() - began, self.area, self.name)

    @contextmanager
    def _place(self, deadline: float) -> Iterator[None]:
        """One of the requests that it is sent at once.

        :raises SourceError: if there is none by the deadline.
        """
        if not self._places.acquire(timeout=max(0.0, deadline - time.monotonic())):
            raise SourceError(
                SourceProblem.RATE_LIMITED,
                f"{self.title} has too many requests waiting for it.",
                1.0,
            )
        try:
            yield
        finally:
            self._places.release()

    def _checked(self, work: Callable[[float], T], seconds: float, began: float) -> T:
        try:
            result = work(seconds)
        except SourceError as error:
            self._failed(error, began)
            raise
        except Exception as error:  # noqa: BLE001 - the work may be a plugin's
            log.error("asking %r failed: %s", self.title, describe(error))
            failure = SourceError(SourceProblem.BROKEN, "The source itself failed.")
            self._failed(failure, began)
            raise failure from None
        if self.state.answered():
            self.tell_answered()
        return result

    def _failed(self, error: SourceError, began: float) -> None:
        if error.problem is SourceProblem.RATE_LIMITED:
            self.state.limit(error.retry_after)
            error.retry_after = max(0.0, self.state.limited_until - time.monotonic())
        self.state.failed(error, began)
        self.tell_failed(self.state)
