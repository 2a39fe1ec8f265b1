"""Cached results, which are fresh for minutes, and usable for a day if a source fails."""

from __future__ import annotations

import hashlib
import sys
import time

import msgspec
import redis
from cachetools import TTLCache

from codeintel.base.version import __version__
from codeintel.contracts import SearchSource
from codeintel.platform.shared_redis import SharedRedis
from codeintel.search.reading import SearchResult

MAX_BYTES = 32 * 1024 * 1024
STALE_SECONDS = 86_400
ROW_BYTES = 200
"""Bytes that a result takes in memory in addition to its texts."""


class Found(msgspec.Struct, frozen=True):
    """The results of a source, and their time as Unix time."""

    at: float
    results: tuple[SearchResult, ...]


_decode = msgspec.msgpack.Decoder(Found).decode


class SearchCache:
    """A cache in memory, and in Redis where processes share one.

    Redis is only queried for results that are not in memory, with a short time limit.
    """

    def __init__(self, fresh_seconds: float, shared: SharedRedis | None) -> None:
        self._fresh = fresh_seconds
        self._shared = shared
        self._kept: TTLCache[str, Found] = TTLCache(MAX_BYTES, STALE_SECONDS, getsizeof=_size)

    def key(self, source: SearchSource, query: str, limit: int) -> str:
        """Return a digest of everything that the results depend on, such as instance, token
        and visibility.
        """
        facts = (
            __version__,
            (source.name, source.kind, source.base_url, source.visibility),
            hashlib.sha256(source.token.encode()).digest(),
            query,
            limit,
        )
        return hashlib.sha256(msgspec.msgpack.encode(facts)).hexdigest()

    def here(self, key: str) -> Found | None:
        """Return this process's results, if they are fresh, or None."""
        found = self._kept.get(key)
        return found if found is not None and self.is_fresh(found) else None

    def anywhere(self, key: str) -> Found | None:
        """Return the results of any process, fresh or not, or None."""
        found = self._kept.get(key)
        if found is not None and self.is_fresh(found):
            return found
        there = self._from_redis(key)
        if there is not None and (found is None or there.at > found.at):
            found = there
            if _size(there) <= MAX_BYTES // 8:
                self._kept[key] = there
        return found

    def keep(self, key: str, results: tuple[SearchResult, ...]) -> Found:
        """Store new results."""
        found = new_found(results)
        if _size(found) <= MAX_BYTES // 8:
            self._kept[key] = found
        if self._shared is not None and not self._shared.breaker.is_open:
            try:
                encoded = msgspec.msgpack.encode(found)
                self._shared.client.set(_name(key), encoded, ex=STALE_SECONDS)
            except redis.RedisError as error:
                self._shared.breaker.failed(error)
            else:
                self._shared.breaker.answered(wrote=True)
        return found

    def is_fresh(self, found: Found) -> bool:
        """Return whether results may be used without a request to the source."""
        return time.time() - found.at < self._fresh

    def _from_redis(self, key: str) -> Found | None:
        if self._shared is None or self._shared.breaker.is_open:
            return None
        try:
            stored = self._shared.client.get(_name(key))
        except redis.RedisError as error:
            self._shared.breaker.failed(error)
            return None
        self._shared.breaker.answered()
        try:
            return _decode(stored) if isinstance(stored, bytes) else None
        except (msgspec.MsgspecError, ValueError):
            return None


def new_found(results: tuple[SearchResult, ...]) -> Found:
    """Return new results with the current time."""
    return Found(time.time(), results)


def _size(found: Found) -> int:
    """Return the size in bytes in memory.

    A non-Latin character makes a text up to four times as large.
    """
    texts = ((row.id, row.name, row.url, row.description) for row in found.results)
    return ROW_BYTES + sum(ROW_BYTES + sum(map(sys.getsizeof, row)) for row in texts)


def _name(key: str) -> str:
    return f"codeintel:search:{key}"
