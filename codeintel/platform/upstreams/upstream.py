"""An upstream as this process sees it: connections, health, and concurrent requests."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import NamedTuple, TypeVar

import gevent
from gevent.lock import BoundedSemaphore

from codeintel.base.logging import describe
from codeintel.contracts import SourceError, SourceProblem
from codeintel.platform.metrics import table
from codeintel.platform.metrics.families import OTHER
from codeintel.platform.upstreams.fetching import Fetcher

FAILURES = 3
"""Number of failures in a row after which a source gets a pause."""
FIRST_PAUSE_SECONDS = 5.0
LONGEST_PAUSE_SECONDS = 300.0
LIMIT_SECONDS = 60.0
"""Duration of an upstream's limit that does not say when it ends."""
LONGEST_TURN_SECONDS = 1.5
LONGEST_LIMIT_SECONDS = 3_600.0
_OUTAGES = frozenset(
    {
        SourceProblem.TIMEOUT,
        SourceProblem.UNREACHABLE,
        SourceProblem.UNAVAILABLE,
        SourceProblem.MALFORMED,
        SourceProblem.UNAUTHORIZED,
        SourceProblem.BROKEN,
    }
)


class Attempt(NamedTuple):
    """A request that may be sent: when it started, and whether it tries a paused source again."""

    at: float
    is_trial: bool


@dataclass
class SourceState:
    """The state of one source, in this process. Times in seconds are on the monotonic clock."""

    title: str = "The registry"
    """Its displayed name."""
    failures: int = 0
    """Number of failures in a row. Concurrent failures all count until the source is paused."""
    open_until: float = 0.0
    """When the breaker's pause ends."""
    limited_until: float = 0.0
    next_turn: float = 0.0
    last_error: SourceError | None = None
    failed_ms: int = 0
    """When it last failed, in milliseconds since 1970."""
    answered_ms: int | None = None
    """When it first answered, or first answered again."""
    _opened: int = 0
    """Number of pauses in a row."""
    _opened_at: float = 0.0
    _is_tried: bool = False

    def begin(self) -> Attempt:
        """Start a request.

        :raises SourceError: while the source must not be called.
        """
        now = time.monotonic()
        if now < self.limited_until:
            raise SourceError(
                SourceProblem.RATE_LIMITED,
                f"{self.title}'s limit for this service is used up.",
                self.limited_until - now,
            )
        is_trial = self.failures >= FAILURES
        if now < self.open_until or (is_trial and self._is_tried):
            raise SourceError(
                SourceProblem.UNAVAILABLE,
                f"{self.title} failed several times and is paused for a while.",
                max(self.open_until - now, 0.0) or None,
            )
        self._is_tried = is_trial
        return Attempt(now, is_trial)

    def stand(self) -> str:
        """Return the state:

        `limited`, `open` during a pause, `half_open` before a trial, or `closed`.
        """
        now = time.monotonic()
        if now < self.limited_until:
            return "limited"
        if now < self.open_until:
            return "open"
        return "half_open" if self.failures >= FAILURES else "closed"

    def end(self, attempt: Attempt) -> None:
        """Note that an attempt has ended, with any result."""
        if attempt.is_trial:
            self._is_tried = False

    def take_turn(self, interval: float) -> float:
        """Return the seconds to wait before the next request, given the interval between two.

        :raises SourceError: if the wait is too long; the turn is not taken.
        """
        now = time.monotonic()
        turn = max(now, self.next_turn)
        if turn - now > LONGEST_TURN_SECONDS:
            raise SourceError(
                SourceProblem.RATE_LIMITED,
                f"{self.title} accepts one request at a time, and too many are waiting.",
                turn - now,
            )
        self.next_turn = turn + interval
        return turn - now

    def answered(self) -> bool:
        """Note that it works. Return whether that is new to this process."""
        self.failures = self._opened = 0
        self.open_until = 0.0
        is_new = self.answered_ms is None
        if is_new:
            self.answered_ms = time.time_ns() // 1_000_000
        return is_new

    def limit(self, seconds: float | None) -> None:
        """Note that its limit is used up for this number of seconds, or for an unknown time."""
        pause = LIMIT_SECONDS if seconds is None else min(seconds, LONGEST_LIMIT_SECONDS)
        self.limited_until = max(self.limited_until, time.monotonic() + pause)

    def failed(self, error: SourceError, began: float | None = None) -> None:
        """Note that it did not answer properly.

        Requests that started before a pause do not count again, because concurrent failures of many
        searches are one failure.

        :param began: when the request started; now if None.
        """
        now = time.monotonic()
        # A copy, because the traceback of the raised error keeps the registry's whole answer in
        # memory.
        self.last_error = SourceError(error.problem, error.message, error.retry_after)
        self.failed_ms, self.answered_ms = time.time_ns() // 1_000_000, None
        if error.problem not in _OUTAGES or (began is not None and began < self._opened_at):
            return
        self.failures += 1
        if self.failures >= FAILURES:
            self._opened += 1
            self._opened_at = now
            doublings = min(self._opened - 1, 16)  # more would only be larger numbers
            pause = min(FIRST_PAUSE_SECONDS * 2**doublings, LONGEST_PAUSE_SECONDS)
            told = min(error.retry_after or 0.0, LONGEST_PAUSE_SECONDS)
            self.open_until = now + max(pause, told)
        elif error.problem is SourceProblem.UNAVAILABLE and error.retry_after:
            self.open_until = now + min(error.retry_after, LONGEST_PAUSE_SECONDS)


log = logging.getLogger(__name__)

AT_ONCE = 16
"""Number of concurrent requests to an upstream."""
T = TypeVar("T")


class Upstream:
    """Calls an upstream, unless its limit is used up or it has failed again and again.

    :param base_url: the URL that all requests are below.
    :param title: its displayed name.
    :param interval: seconds that it wants between two requests.
    :param area: the part of the service that calls it, `search` or `trust`, for metrics.
    :param name: its name there, for metrics.
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
        """Called at each failure.

        `tell_answered` is called when it works for the first time afterwards.
        """
        self.tell_answered: Callable[[], None] = lambda: None
        self._places = BoundedSemaphore(AT_ONCE)

    def exchange(self, work: Callable[[float], T], seconds: float) -> T:
        """Do a piece of work that calls the upstream. Its errors count as the upstream's.

        :param work: gets the seconds that are left.
        :param seconds: the time limit for everything.
        :raises SourceError: what the work raised, or that the upstream must not be called now.
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
        """Hold one of the places for concurrent requests.

        :raises SourceError: if no place is free by the deadline.
        """
        if not self._places.acquire(timeout=max(0.0, deadline - time.monotonic())):
            raise SourceError(
                SourceProblem.RATE_LIMITED,
                f"Too many requests are waiting for {self.title}.",
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
            log.error("calling %r failed: %s", self.title, describe(error))
            failure = SourceError(SourceProblem.BROKEN, "The source failed.")
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
