"""The Redis that processes share: never waited for long, and never the authority on anything."""

from __future__ import annotations

import redis

from codeintel.breaker import Breaker

BUDGET_SECONDS = 0.1
"""What one command may take, connecting included."""


class SharedRedis:
    """A pooled client with its breaker.

    The client may be used by many greenlets. Whoever uses it asks the breaker first, and tells it
    of every error.
    """

    def __init__(self, url: str) -> None:
        self.url = url
        self.breaker = Breaker("Redis")
        self.client = redis.Redis.from_url(
            url,
            socket_timeout=BUDGET_SECONDS,
            socket_connect_timeout=BUDGET_SECONDS,
            retry=None,
        )
