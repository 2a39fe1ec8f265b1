"""Reuse of results: the same code with the same options, sent by the same account.

Editors send a file each time it is opened, and CI jobs send the same file in every build. The cache
keeps all events in order, so that a repeated run reads like the first. If an equal analysis is in
progress, a new run waits for its result.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager

import msgspec
import redis
from cachetools import TTLCache

from codeintel.base.greenlets import SingleFlight
from codeintel.base.version import __version__
from codeintel.contracts import (
    AnalysisResult,
    AnalysisTask,
    Analyzer,
    AnalyzerStatus,
    Engine,
    LanguageDetector,
    Usage,
)
from codeintel.contracts.events import FindingEvent, OutputDelta, Progress
from codeintel.platform.shared_redis import SharedRedis

MAX_BYTES = 32 * 1024 * 1024
MAX_SHARED_BYTES = 1024 * 1024
"""Maximum size in bytes of a shared result. A larger one would delay other clients of Redis."""


Said = Progress | OutputDelta | FindingEvent


class Kept(msgspec.Struct, frozen=True):
    """The events of an analysis, in order, and its result.

    `usage` is that of a run that reuses it.
    """

    said: tuple[Said, ...]
    result: AnalysisResult
    usage: Usage


class ResultCache:
    """Results of this process, each for `seconds`.

    When the total exceeds 32 MiB, the results that were unused for longest are dropped first. An
    account never gets another account's results, because they would reveal that it analyzed the
    same code.

    :param shared: the results of other processes, which this process adds to.
    """

    def __init__(self, seconds: float, shared: SharedResults | None = None) -> None:
        self._kept: TTLCache[bytes, tuple[int, Kept]] = TTLCache(
            MAX_BYTES, seconds, getsizeof=lambda each: each[0]
        )
        self._is_used = seconds > 0
        self._shared = shared
        self._under_way: SingleFlight[bytes, Kept] = SingleFlight()

    def key(
        self,
        account_id: str,
        engine: Engine,
        tools: Iterable[Analyzer | LanguageDetector],
        task: AnalysisTask,
    ) -> bytes | None:
        """Return a digest of what the result depends on, including versions.

        Return None if the engine may answer differently each time.
        """
        if not engine.repeatable:
            return None
        versions = [(tool.name, tool.version) for tool in tools]
        facts = (__version__, account_id, engine.name, engine.version, versions, task)
        return hashlib.sha256(msgspec.msgpack.encode(facts)).digest()

    def get(self, key: bytes | None) -> Kept | None:
        """Return this process's result for a key, or None."""
        found = self._kept.get(key) if key is not None else None
        return found[1] if found is not None else None

    def awaited(self, key: bytes | None, waiting: Callable[[], None]) -> Kept | None:
        """Return the cached result for a key, or that of the equal analysis in progress.

        If neither exists, return None. The caller must then create the result in :meth:`making`
        before it yields.

        :param waiting: called before waiting for another run.
        """
        kept = self._under_way.joined(key, waiting) if key is not None else None
        return kept if kept is not None else self.get(key)

    @contextmanager
    def making(self, key: bytes | None) -> Iterator[None]:
        """Make callers with the same key wait until the block ends, which creates and stores
        the result.
        """
        if key is None or not self._is_used:
            yield
            return
        with self._under_way.leading(key):
            yield

    def made_elsewhere(self, key: bytes | None) -> Kept | None:
        """Return another process's result for a key, or None. Call this within :meth:`making`."""
        if key is None or self._shared is None or not self._is_used:
            return None
        found = self._shared.get(key)
        if found is not None:
            self._under_way.tell(key, found)
        return found

    def keep(
        self, key: bytes | None, said: Iterable[Said], result: AnalysisResult, usage: Usage
    ) -> None:
        """Store a result.

        A result that the next try may improve is only given to runs that already wait for it. That
        is the case if an analyzer did not finish, or the language was not detected. The same
        applies to a result of more than an eighth of the cache.
        """
        if key is None:
            return
        everything = tuple(said)
        size = len(msgspec.json.encode((everything, result)))
        kept = Kept(everything, result, msgspec.structs.replace(usage, cached=True))
        is_final = result.language is not None and all(
            report.status is AnalyzerStatus.COMPLETED for report in result.analyzers
        )
        if is_final and size <= MAX_BYTES // 8:
            self._kept[key] = size, kept
        self._under_way.tell(key, kept)
        if is_final and self._shared is not None:
            self._shared.put(key, kept)


class SharedResults:
    """Results by digest, each for `seconds`. While Redis does not answer, the cache is empty."""

    def __init__(self, shared: SharedRedis, seconds: float) -> None:
        self._redis = shared.client
        self._breaker = shared.breaker
        self._milliseconds = int(seconds * 1000)

    def get(self, digest: bytes) -> Kept | None:
        """Return the result if Redis has it and it can be decoded, or None."""
        if self._breaker.is_open:
            return None
        try:
            found = self._redis.get(_key(digest))
        except redis.RedisError as error:
            self._breaker.failed(error)
            return None
        self._breaker.answered()
        try:
            return _decode(found) if isinstance(found, bytes) else None
        except (msgspec.MsgspecError, ValueError, RecursionError):
            return None

    def put(self, digest: bytes, kept: Kept) -> None:
        """Store a result for other processes."""
        if self._breaker.is_open or not self._milliseconds:
            return
        try:
            encoded = msgspec.msgpack.encode(kept)
        except (
            msgspec.MsgspecError,
            ValueError,
            OverflowError,
        ):  # for example, a number over 64 bits
            return
        if len(encoded) > MAX_SHARED_BYTES:
            return
        try:
            self._redis.set(_key(digest), encoded, px=self._milliseconds)
        except redis.RedisError as error:
            self._breaker.failed(error)
        else:
            self._breaker.answered(wrote=True)


_decode = msgspec.msgpack.Decoder(Kept).decode


def _key(digest: bytes) -> str:
    return f"codeintel:result:{digest.hex()}"
