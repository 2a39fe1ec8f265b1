"""Results that other processes may use again, in Redis."""

from __future__ import annotations

import msgspec
import redis

from codeintel.contracts import AnalysisResult, Usage
from codeintel.contracts.events import FindingEvent, OutputDelta, Progress
from codeintel.platform.shared_redis import SharedRedis

MAX_BYTES = 1024 * 1024
"""A larger one is made anew: it would keep Redis from answering others in time."""

Said = Progress | OutputDelta | FindingEvent


class Kept(msgspec.Struct, frozen=True):
    """What an analysis said, in its order, and came to. `usage` is that of who uses it again."""

    said: tuple[Said, ...]
    result: AnalysisResult
    usage: Usage


_decode = msgspec.msgpack.Decoder(Kept).decode


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
        if len(encoded) > MAX_BYTES:
            return
        try:
            self._redis.set(_key(digest), encoded, px=self._milliseconds)
        except redis.RedisError as error:
            self._breaker.failed(error)
        else:
            self._breaker.answered(wrote=True)


def _key(digest: bytes) -> str:
    return f"codeintel:result:{digest.hex()}"
