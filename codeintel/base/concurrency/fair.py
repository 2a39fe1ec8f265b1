"""Slots shared fairly between accounts."""

from __future__ import annotations

from collections import OrderedDict, deque
from collections.abc import Iterator
from contextlib import contextmanager

from gevent.event import Event


class FairSlots:
    """A fixed number of slots. Who waits is served in turns by account: an account with a hundred
    jobs waiting delays another's single job by one job only."""

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
        """How many wait for one."""
        return sum(map(len, self._waiting.values()))

    @contextmanager
    def taken(self, account: str) -> Iterator[None]:
        """Hold a slot within the block, after waiting for one."""
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
            if turn.is_set():  # killed between being given the slot and running
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
