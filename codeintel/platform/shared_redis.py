"""The Redis that processes share: never waited for long, and never the authority on anything."""

from __future__ import annotations

from functools import partial
from queue import Empty, LifoQueue
from typing import Any

import redis

from codeintel.base.concurrency.circuit_breaker import Breaker

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
