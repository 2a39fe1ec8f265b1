"""Concurrent greenlets: pauses in long work, fair slots, and equal work done once."""

from __future__ import annotations

import time
from collections import OrderedDict, deque
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import Generic, TypeVar, cast

import gevent
from gevent.event import AsyncResult, Event

from codeintel.base.logging import spawn

T = TypeVar("T")
TURN_SECONDS = 0.005
_SHORTEST_SECONDS = 1e-6


def give_way() -> None:
    """Let all greenlets run that are ready: timers that are due, and sockets with data.

    `gevent.sleep(0)` is not enough. The loop checks timers and sockets only after 50 callbacks, and
    such a sleep is one callback. A greenlet that computes for 5 ms between two of them stops the
    others for 250 ms. A sleep of any length ends the round of callbacks.
    """
    gevent.sleep(_SHORTEST_SECONDS)


class Pace:
    """Lets other greenlets run every few milliseconds. It measures time instead of counting steps,
    since a step can take a thousand times as long for some texts.
    """

    def __init__(self) -> None:
        self._until = time.perf_counter() + TURN_SECONDS

    def pause(self) -> None:
        """Let others run if the turn has ended."""
        if time.perf_counter() >= self._until:
            give_way()
            self._until = time.perf_counter() + TURN_SECONDS


def letting_others_run(items: Iterable[T]) -> Iterator[T]:
    """Yield the items with pauses. A report may have 20,000 findings and a push 2,000 paths, which
    take seconds if they are hostile.
    """
    pace = Pace()
    for item in items:
        yield item
        pace.pause()


class FairSlots:
    """A fixed number of slots. Accounts take turns: an account with 100 waiting jobs delays
    another's single job by one job only.
    """

    def __init__(self, slots: int) -> None:
        self.count = slots
        self._free = slots
        self._waiting: OrderedDict[str, deque[Event]] = OrderedDict()

    @property
    def busy(self) -> int:
        """How many are held."""
        return self.count - self._free

    @property
    def waiting(self) -> int:
        """Return the number of waiting greenlets."""
        return sum(map(len, self._waiting.values()))

    @contextmanager
    def taken(self, account: str) -> Iterator[None]:
        """Wait for a slot, and hold it within the block."""
        if self._free:
            self._free -= 1
        else:
            self._wait(account)
        try:
            yield
        finally:
            self._pass_on()

    def _wait(self, account: str) -> None:
        turn = Event()
        self._waiting.setdefault(account, deque()).append(turn)
        try:
            turn.wait()
        except BaseException:
            if turn.is_set():  # killed after it got the slot and before it ran
                self._pass_on()
            else:
                self._leave(account, turn)
            raise

    def _leave(self, account: str, turn: Event) -> None:
        queue = self._waiting[account]
        queue.remove(turn)
        if not queue:
            del self._waiting[account]

    def _pass_on(self) -> None:
        """Give the slot to the account that has waited longest for a turn."""
        if not self._waiting:
            self._free += 1
            return
        account, queue = self._waiting.popitem(last=False)
        turn = queue.popleft()
        if queue:
            self._waiting[account] = queue  # at the end: the others come first
        turn.set()


K = TypeVar("K")


class SingleFlight(Generic[K, T]):
    """The running work of this process, by key.

    There are two ways to run it. :meth:`do` starts a separate greenlet: if a caller leaves, the
    others still get the result, and all of them get an error. With :meth:`leading` the work belongs
    to the caller, which may be stopped. Then one of the callers that wait in :meth:`joined` takes
    it over.
    """

    def __init__(self) -> None:
        self._flights: dict[K, AsyncResult[T | None]] = {}

    def __len__(self) -> int:
        return len(self._flights)

    def do(self, key: K, work: Callable[[], T], admit: Callable[[], None] | None = None) -> T:
        """Return the result of the work, or of equal work that is already running.

        :param admit: called before the work begins, but not before waiting for running work. An
            exception from it prevents the work.
        :raises BaseException: the error of the work, for every caller that waits.
        """
        flight = self._flights.get(key)
        if flight is None and admit is not None:
            admit()
            flight = self._flights.get(key)  # others may have run in the meantime
        if flight is None:
            flight = self._flights[key] = AsyncResult()
            spawn(self._do, key, flight, work)
        return cast(T, flight.get())

    def joined(self, key: K, waiting: Callable[[], None]) -> T | None:
        """Return the result of running work. None if no such work is running: then the caller does
        it in :meth:`leading`, before it yields.

        :param waiting: called once, before it waits for another caller.
        """
        told = False
        # If the running work fails, the first caller that wakes up takes it over, and the others
        # wait again.
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
        """Make callers with the same key wait until the block calls :meth:`tell`, or ends."""
        flight: AsyncResult[T | None] = AsyncResult()
        self._flights[key] = flight
        try:
            yield
        finally:
            self._landed(key, flight)
            if not flight.ready():  # the block ended without a result
                flight.set(None)

    def tell(self, key: K, result: T) -> None:
        """Give a result to the callers that wait for it."""
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
        """Remove the key before the waiting callers wake up, so that a new caller starts again."""
        if self._flights.get(key) is flight:
            del self._flights[key]
