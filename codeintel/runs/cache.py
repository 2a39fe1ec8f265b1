"""Results that may be used again: the same code with the same options, asked by the same account.

Editors send a file whenever it is opened, and CI jobs the same one in every build. What is kept is
what was said, in the order in which it was said, so that a repeated run reads like the first. What
is asked while an equal analysis is under way waits for that one's result."""

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
"""A larger one is made anew: it would keep Redis from answering others in time."""


Said = Progress | OutputDelta | FindingEvent


class Kept(msgspec.Struct, frozen=True):
    """What an analysis said, in its order, and came to. `usage` is that of who uses it again."""

    said: tuple[Said, ...]
    result: AnalysisResult
    usage: Usage


class ResultCache:
    """Results of this process, each for `seconds`; those that were not used for longest go first
    when all together pass 32 MiB.

    An account never gets another's: that somebody analyzed the same code is nobody's business.

    :param shared: those of other processes, which this one's are added to.
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
        """What the result depends on, as a digest; None if the engine may answer differently each
        time. Versions are part of it."""
        if not engine.repeatable:
            return None
        versions = [(tool.name, tool.version) for tool in tools]
        facts = (__version__, account_id, engine.name, engine.version, versions, task)
        return hashlib.sha256(msgspec.msgpack.encode(facts)).digest()

    def get(self, key: bytes | None) -> Kept | None:
        """What this process keeps under a key."""
        found = self._kept.get(key) if key is not None else None
        return found[1] if found is not None else None

    def awaited(self, key: bytes | None, waiting: Callable[[], None]) -> Kept | None:
        """What is kept under a key, or else comes of the equal analysis that is under way; None
        where there is neither: then the caller makes it, in :meth:`making`, before it yields.

        :param waiting: called before it waits for another.
        """
        kept = self._under_way.joined(key, waiting) if key is not None else None
        return kept if kept is not None else self.get(key)

    @contextmanager
    def making(self, key: bytes | None) -> Iterator[None]:
        """Have those who ask for the same meanwhile wait until the block ends, in which the result
        is made and kept."""
        if key is None or not self._is_used:
            yield
            return
        with self._under_way.leading(key):
            yield

    def made_elsewhere(self, key: bytes | None) -> Kept | None:
        """What another process keeps under a key. To be asked in :meth:`making`."""
        if key is None or self._shared is None or not self._is_used:
            return None
        found = self._shared.get(key)
        if found is not None:
            self._under_way.tell(key, found)
        return found

    def keep(
        self, key: bytes | None, said: Iterable[Said], result: AnalysisResult, usage: Usage
    ) -> None:
        """Keep a result. One that the next try may better, since an analyzer did not come to its
        end or the language could not be told, is given only to those who wait for it already, and
        so is what is larger than an eighth of the cache."""
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
    """Results by their digests, each for `seconds`. While Redis does not answer there are none."""

    def __init__(self, shared: SharedRedis, seconds: float) -> None:
        self._redis = shared.client
        self._breaker = shared.breaker
        self._milliseconds = int(seconds * 1000)

    def get(self, digest: bytes) -> Kept | None:
        """What is there, if it can be had and understood."""
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
        """Have others find it."""
        if self._breaker.is_open or not self._milliseconds:
            return
        try:
            encoded = msgspec.msgpack.encode(kept)
        except (msgspec.MsgspecError, ValueError, OverflowError):  # as a number over 64 bits
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
