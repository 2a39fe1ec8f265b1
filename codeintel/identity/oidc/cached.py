"""Something of a provider's that is asked for seldom, and kept while it cannot be reached."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Generic, TypeVar

from gevent.lock import BoundedSemaphore

from codeintel.base.errors import ServiceError

KEPT_SECONDS = 86_400.0
"""How long what was fetched is believed while the provider cannot be reached."""
FAILURE_SECONDS = 5.0
"""How long a provider that could not be reached is not asked again, where nothing is kept."""
REFETCH_SECONDS = 30.0
"""The same where something is kept; and between two fetches of what is still fresh, whatever is
asked."""
T = TypeVar("T")


class Cached(Generic[T]):
    """Fetched by one at a time; the others wait if there is nothing, else they go on with what is
    there.

    :param fetch: raises :class:`ServiceError` if the provider cannot be reached.
    :param fresh_seconds: how long it is not asked for again.
    """

    def __init__(self, fetch: Callable[[], T], fresh_seconds: float) -> None:
        self._fetch = fetch
        self._fresh_seconds = fresh_seconds
        self._lock = BoundedSemaphore()
        self._value: T | None = None
        self._fetched = self._refetched = self._failed = -KEPT_SECONDS
        self._failure: ServiceError | None = None

    def get(self) -> T:
        """What is known, fetched if it is old or not there.

        :raises ServiceError: what `fetch` raised, if there is nothing that can be used.
        """
        value = self._kept()
        if value is not None and self._age() < self._fresh_seconds:
            return value
        if not self._lock.acquire(blocking=value is None):
            return self._kept_or_failure()  # somebody is fetching it
        try:
            if self._kept() is None or self._age() >= self._fresh_seconds:
                self._try()
        finally:
            self._lock.release()
        return self._kept_or_failure()

    def newer_than(self, old: T) -> T:
        """What is known now, fetched anew if that is still `old` and has not been done lately.

        :raises ServiceError: what `fetch` raised, if the provider cannot be reached: then nobody
            knows whether `old` is still right.
        """
        with self._lock:
            if self._kept() is old and time.monotonic() - self._refetched >= REFETCH_SECONDS:
                self._refetched = time.monotonic()
                self._try()
        if self._failure is not None:
            raise _copy(self._failure)
        return self._kept_or_failure()

    def _try(self) -> None:
        """Fetch, unless that has just failed."""
        pause = FAILURE_SECONDS if self._kept() is None else REFETCH_SECONDS
        if self._failure is not None and time.monotonic() - self._failed < pause:
            return
        try:
            self._value = self._fetch()
        except ServiceError as error:
            self._failure, self._failed = _copy(error), time.monotonic()
        else:
            self._fetched, self._failure = time.monotonic(), None

    def _age(self) -> float:
        return time.monotonic() - self._fetched

    def _kept(self) -> T | None:
        return self._value if self._age() < KEPT_SECONDS else None

    def _kept_or_failure(self) -> T:
        value = self._kept()
        if value is not None:
            return value
        if self._failure is None:
            raise RuntimeError("nothing was fetched and nothing failed")
        raise _copy(self._failure)


def _copy(error: ServiceError) -> ServiceError:
    """The same without its traceback, which keeps all that was alive when it was raised."""
    return ServiceError(error.code, error.message, retry_after=error.retry_after)
