"""The Redis that processes share: never waited for long, and never the authority on anything."""

from __future__ import annotations

import redis

from codeintel.breaker import Breaker

BUDGET_SECONDS = 0.1
"""What one command may take, connecting included."""
CONNECTIONS = 64
"""More commands at once wait for each other: a new connection costs more than some turns."""


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
            timeout=BUDGET_SECONDS,
            socket_timeout=BUDGET_SECONDS,
            socket_connect_timeout=BUDGET_SECONDS,
            retry=None,
        )
        self.client = redis.Redis.from_pool(pool)
