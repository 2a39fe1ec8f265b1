"""The Redis that processes share.

Nothing waits long for it, and it is never the source of truth.
"""

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
"""Error types by which clients report a full Redis (`maxmemory` with `noeviction`)."""


class Breaker:
    """Counts the errors of an optional dependency, and keeps callers from waiting for it.

    After an error, callers should not use the dependency for a second.

    :param name: displayed name of the dependency.
    """

    def __init__(self, name: str) -> None:
        self.name = name
        self.errors = 0
        """Errors since the start that no caller received."""
        self.is_full = False
        """Whether it answers but has no room for writes."""
        self._is_down = False
        """Whether the log has the start of an outage and not yet its end."""
        self._before = 0
        """Errors before this outage."""
        self._retry_at = 0.0

    @property
    def is_open(self) -> bool:
        """Whether the server is in its retry pause."""
        return time.monotonic() < self._retry_at

    def failed(self, error: Exception) -> None:
        """Note that it did not answer properly.

        An outage is one entry in the log, however often noticed.
        """
        is_full = type(error).__name__ in _FULL
        if not self._is_down or (is_full and not self.is_full):
            what = "is full and refuses writes" if is_full else "does not answer"
            log.warning(
                "%s %s, so the service continues without it: %s", self.name, what, describe(error)
            )
        if not self._is_down:
            self._is_down, self._before = True, self.errors
        self.is_full |= is_full
        self.errors += 1
        self._retry_at = time.monotonic() + RETRY_SECONDS

    def close(self) -> None:
        """End the pause, because it accepted a write despite the errors."""
        self._retry_at = 0.0
        self.answered(wrote=True)

    def answered(self, *, wrote: bool = False) -> None:
        """Note that it works. The outage ends together with its pause.

        :param wrote: whether it accepted a write. A full server still answers questions.
        """
        if not self._is_down or self.is_open or (self.is_full and not wrote):
            return
        log.warning("%s answers again, after %d errors", self.name, self.errors - self._before)
        self._is_down = self.is_full = False


BUDGET_SECONDS = 0.1
"""Time limit in seconds for one command with a connection, including connecting."""
CONNECTIONS = 64
"""Number of connections.

More commands wait, because a new connection costs more than some turns.
"""
TURN_SECONDS = 1.0
"""How long a command may wait for a connection while Redis answers others in time.

Such a wait is caused by our own work on a busy machine, and says nothing about Redis.
"""


class _Turns(LifoQueue[Any]):
    """The free connections. Waiting for one ends when Redis has stopped answering."""

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

    Many greenlets may use the client. They check the breaker first, and report every error to it.
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
