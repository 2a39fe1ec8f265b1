"""The Redis that processes share: never waited for long, and never the authority on anything."""

from __future__ import annotations

import logging
import time
from functools import partial
from queue import Empty, LifoQueue
from typing import Any

import redis

from codeintel.base.logging import describe

log = logging.getLogger(__name__)

RETRY_SECONDS = 1.0
_FULL = frozenset({"OutOfMemoryError"})
"""How clients say so, by type: Redis with `maxmemory` and `noeviction`."""


class Breaker:
    """Counts the errors of a dependency that is asked for comfort, not for truth, and keeps
    everybody from waiting for it: after an error nobody should ask it again for a second.

    :param name: of the dependency, for people.
    """

    def __init__(self, name: str) -> None:
        self.name = name
        self.errors = 0
        """Errors since the start that no caller has heard of."""
        self.is_full = False
        """Whether it answers but has no room for what is written to it."""
        self._is_down = False
        """Whether the log has the beginning of an outage and not yet its end."""
        self._before = 0
        """Errors before this outage."""
        self._retry_at = 0.0

    @property
    def is_open(self) -> bool:
        """Whether it should be left alone now."""
        return time.monotonic() < self._retry_at

    def failed(self, error: Exception) -> None:
        """Note that it did not answer as it should. An outage is one entry in the log, however
        often it is noticed."""
        is_full = type(error).__name__ in _FULL
        if not self._is_down or (is_full and not self.is_full):
            what = "is full and refuses writes" if is_full else "does not answer"
            log.warning(
                "%s %s, what it is for goes on without it: %s", self.name, what, describe(error)
            )
        if not self._is_down:
            self._is_down, self._before = True, self.errors
        self.is_full |= is_full
        self.errors += 1
        self._retry_at = time.monotonic() + RETRY_SECONDS

    def close(self) -> None:
        """It was asked to write in spite of the errors, and did: everybody may ask it again at
        once."""
        self._retry_at = 0.0
        self.answered(wrote=True)

    def answered(self, *, wrote: bool = False) -> None:
        """Note that it works: the outage is over once it may be asked again.

        :param wrote: whether it took something: one that is full still answers questions.
        """
        if not self._is_down or self.is_open or (self.is_full and not wrote):
            return
        log.warning("%s answers again, after %d errors", self.name, self.errors - self._before)
        self._is_down = self.is_full = False


BUDGET_SECONDS = 0.1
"""What one command may take, connecting included, once it has a connection."""
CONNECTIONS = 64
"""More commands at once wait for each other: a new connection costs more than some turns."""
TURN_SECONDS = 1.0
"""What a command may wait for a connection while Redis answers others in time. That is our own
work, slow on a busy machine, and says nothing of Redis."""


class _Turns(LifoQueue[Any]):
    """The free connections. Nobody goes on waiting for one when Redis has stopped to answer."""

    def __init__(self, breaker: Breaker, maxsize: int) -> None:
        super().__init__(maxsize)
        self._breaker = breaker

    def get(self, block: bool = True, timeout: float | None = None) -> Any:
        errors = self._breaker.errors
        connection = super().get(block, timeout)
        if self._breaker.errors > errors and self._breaker.is_open:
            self.put_nowait(connection)
            raise Empty
        return connection


class SharedRedis:
    """A pooled client with its breaker.

    The client may be used by many greenlets. Whoever uses it asks the breaker first, and tells it
    of every error.
    """

    def __init__(self, url: str) -> None:
        self.url = url
        self.breaker = Breaker("Redis")
        pool = redis.BlockingConnectionPool.from_url(
            url,
            max_connections=CONNECTIONS,
            timeout=TURN_SECONDS,
            queue_class=partial(_Turns, self.breaker),
            socket_timeout=BUDGET_SECONDS,
            socket_connect_timeout=BUDGET_SECONDS,
            retry=None,
        )
        self.client = redis.Redis.from_pool(pool)
