"""Equal work that is asked for at the same time is done once: the others wait for its result."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Generic, TypeVar, cast

from gevent.event import AsyncResult

from codeintel.base.logging.context import spawn

K = TypeVar("K")
T = TypeVar("T")


class SingleFlight(Generic[K, T]):
    """What is under way in this process, by key.

    There are two ways to do the work, which differ in whose it is. :meth:`do` gives it a greenlet
    of its own: a caller that goes away does not take it from the others, and all are told how it
    failed. With :meth:`leading` it is the caller's, who may be stopped: then one of those that
    wait in :meth:`joined` does it instead.
    """

    def __init__(self) -> None:
        self._flights: dict[K, AsyncResult[T | None]] = {}

    def __len__(self) -> int:
        return len(self._flights)

    def do(self, key: K, work: Callable[[], T], admit: Callable[[], None] | None = None) -> T:
        """The result of the work, or of the equal work that is under way.

        :param admit: called before the work is begun, not before waiting for another's. What it
            raises stops that.
        :raises BaseException: what the work raises, for everybody who waits.
        """
        flight = self._flights.get(key)
        if flight is None and admit is not None:
            admit()
            flight = self._flights.get(key)  # others may have run meanwhile
        if flight is None:
            flight = self._flights[key] = AsyncResult()
            spawn(self._do, key, flight, work)
        return cast(T, flight.get())

    def joined(self, key: K, waiting: Callable[[], None]) -> T | None:
        """The result of the work that is under way; None where there is none. Then the caller does
        it, in :meth:`leading`, before it yields.

        :param waiting: called once, before it waits for another.
        """
        told = False
        # When one that is waited for fails, the first who wakes up does the work, and the others
        # wait for that.
        while (flight := self._flights.get(key)) is not None:
            if not told:
                waiting()
                told = True
            found = flight.get()
            if found is not None:
                return found
        return None

    @contextmanager
    def leading(self, key: K) -> Iterator[None]:
        """Have those who ask for the same meanwhile wait until the block tells the result, or
        ends."""
        flight: AsyncResult[T | None] = AsyncResult()
        self._flights[key] = flight
        try:
            yield
        finally:
            self._landed(key, flight)
            if not flight.ready():  # whatever ended it
                flight.set(None)

    def tell(self, key: K, result: T) -> None:
        """Give a result to those who wait for it."""
        flight = self._flights.get(key)
        if flight is not None:
            flight.set(result)

    def _do(self, key: K, flight: AsyncResult[T | None], work: Callable[[], T]) -> None:
        try:
            result = work()
        except BaseException as error:  # noqa: BLE001 - those who wait are told
            self._landed(key, flight)
            flight.set_exception(error)
        else:
            self._landed(key, flight)
            flight.set(result)

    def _landed(self, key: K, flight: AsyncResult[T | None]) -> None:
        """Forget it, before those who wait wake up: a new caller starts again."""
        if self._flights.get(key) is flight:
            del self._flights[key]
