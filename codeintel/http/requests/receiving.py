"""Receiving the bytes of a request's body: bounded in size, time, rate, memory and disk.

A body stays in memory up to 1 MiB; more goes to a temporary file until all of it has come, so a
client that never sends the last byte holds a file and no memory. Only whole bodies are loaded, as
many at once as the memory for bodies has room for.
"""

from __future__ import annotations

import tempfile
import time
from collections.abc import Callable
from typing import IO, Any

import gevent
from flask import Request

from codeintel.base.errors import ErrorCode, ServiceError
from codeintel.platform.limits.concurrency import RETRY_SECONDS, Concurrency, Gauge, Hold, refusal

SMALL_BYTES = 1024 * 1024
"""Up to so many a body stays in memory while it comes."""
FIRST_READ_BYTES = 4_096
READ_BYTES = 256 * 1024
GRACE_SECONDS = 5.0
"""For so long a body may come as slowly as it likes."""
SLOW_SECONDS = 1.0
"""A body that takes longer counts as slow, and its sender may have a few of those only."""
LOAD_SECONDS = 10.0
"""How long a large body waits for others' memory."""
POLL_SECONDS = 0.02


class Receiver:
    """Receives bodies for one client.

    :param who: an account or address, under which slow bodies and bytes are counted.
    :param seconds: in which a body has to be whole.
    :param rate: bytes a second that it must come with on average, after the grace.
    """

    def __init__(self, gauges: Concurrency, who: str, seconds: float, rate: int) -> None:
        self._gauges = gauges
        self._who = who
        self._seconds = seconds
        self._rate = rate

    def receive(self, request: Request, limit: int) -> tuple[bytes, Hold | None]:
        """The body, and its share of the memory for bodies: release that when the body is done
        with.

        :raises ServiceError: `payload_too_large`, `request_timeout`, `rate_limit_exceeded`,
            `overloaded`.
        """
        announced = request.content_length
        if announced is not None and announced > limit:
            raise too_large(limit, announced)
        if announced is None and not request.environ.get("wsgi.input_terminated"):
            return b"", None
        # One byte more than the limit tells a chunked body that is too large.
        most = limit + 1 if announced is None else announced
        incoming = _Incoming(self._gauges, self._who)
        try:
            with _SlowCount(self._gauges, self._who):
                self._take_in(request.environ["wsgi.input"], most, incoming)
            if incoming.size > limit:
                raise too_large(limit, None)
            return incoming.load()
        finally:
            incoming.close()

    def _take_in(self, source: IO[bytes], most: int, incoming: _Incoming) -> None:
        began = time.monotonic()
        while (wanted := most - incoming.size) > 0:
            # Small reads first: one that waits for much could not tell how slowly it comes.
            wanted = min(wanted, READ_BYTES, max(FIRST_READ_BYTES, incoming.size))
            due = GRACE_SECONDS + (incoming.size + wanted) / self._rate
            left = began + min(due, self._seconds) - time.monotonic()
            with gevent.Timeout(max(left, 0.001), self._late()):
                chunk = source.read(wanted)
            if not chunk:
                return
            incoming.add(chunk)
            if incoming.size > READ_BYTES:
                gevent.sleep(0)  # a read does not let others run while there is something to read

    def _late(self) -> ServiceError:
        return ServiceError(
            ErrorCode.REQUEST_TIMEOUT,
            f"The body did not arrive within {self._seconds:g} s, or came with less than "
            f"{self._rate:,} bytes a second: send it again.",
        )


class _Incoming:
    """What has come of a body: in memory while it is small, else in a temporary file."""

    def __init__(self, gauges: Concurrency, who: str) -> None:
        self._gauges = gauges
        self._who = who
        self._memory = Hold(gauges.body_memory, who)
        self._disk = Hold(gauges.body_files, who)
        self._parts: list[bytes] = []
        self._file: IO[bytes] | None = None
        self.size = 0

    def add(self, chunk: bytes) -> None:
        """Keep some more.

        :raises ServiceError: `rate_limit_exceeded` or `overloaded` if there is no room.
        """
        is_small = self._file is None and self.size + len(chunk) <= SMALL_BYTES
        if is_small and self._memory.grow(len(chunk)):
            self._parts.append(chunk)
        else:
            self._spill(chunk)
        self.size += len(chunk)

    def _spill(self, chunk: bytes) -> None:
        needed = len(chunk) + (self.size if self._file is None else 0)
        if not self._disk.grow(needed):
            raise self._refusal(self._gauges.body_files, needed)
        if self._file is None:
            self._file = tempfile.TemporaryFile(prefix="codeintel-body-")  # noqa: SIM115
            self._file.writelines(self._parts)
            self._parts.clear()
            self._memory.release()
        self._file.write(chunk)

    def load(self) -> tuple[bytes, Hold | None]:
        """All of it, once there is memory for it.

        :raises ServiceError: `rate_limit_exceeded` or `overloaded` if there is none in time.
        """
        if self._file is None:
            raw = b"".join(self._parts)
            self._parts.clear()
            kept, self._memory = self._memory, Hold(self._gauges.body_memory, self._who)
            return raw, kept
        deadline = time.monotonic() + LOAD_SECONDS
        while not self._memory.grow(self.size):
            if time.monotonic() > deadline:
                raise self._refusal(self._gauges.body_memory, self.size)
            gevent.sleep(POLL_SECONDS)
        self._file.seek(0)
        kept, self._memory = self._memory, Hold(self._gauges.body_memory, self._who)
        return self._file.read(), kept

    def _refusal(self, gauge: Gauge, needed: int) -> ServiceError:
        """The error for a gauge without room: the caller's own fault, or everybody's."""
        if gauge.is_over(self._who, needed):
            return refusal(gauge, "The bodies under way of this caller have", "bytes in all")
        return _no_room()

    def close(self) -> None:
        """Free what is held."""
        if self._file is not None:
            self._file.close()
        self._parts.clear()
        self._memory.release()
        self._disk.release()


class _SlowCount:
    """Counts a body as slow once it has taken a second, and ends it if its sender has too many.

    Fast bodies are not counted: hundreds of them may come at once.
    """

    def __init__(self, gauges: Concurrency, who: str) -> None:
        self._gauge = gauges.slow_bodies
        self._who = who
        self._hold: Hold | None = None
        self._timer: Any = None

    def __enter__(self) -> None:
        self._timer = gevent.get_hub().loop.timer(SLOW_SECONDS)
        # As gevent.Timeout does, which cannot decide when its time has come.
        throw: Callable[[BaseException], None] = gevent.getcurrent().throw
        self._timer.start(self._is_slow, throw)

    def _is_slow(self, throw: Callable[[BaseException], None]) -> None:
        self._hold = self._gauge.take(self._who)
        if self._hold is None:
            throw(refusal(self._gauge, "This caller has", "slow request bodies under way"))

    def __exit__(self, *_: object) -> None:
        self._timer.stop()
        self._timer.close()
        if self._hold is not None:
            self._hold.release()


def too_large(limit: int, actual: int | None) -> ServiceError:
    """The error for a body over a limit in bytes."""
    return ServiceError(
        ErrorCode.PAYLOAD_TOO_LARGE,
        f"The body is over the limit of {limit} bytes.",
        details={"limit": limit} | ({"actual": actual} if actual is not None else {}),
    )


def _no_room() -> ServiceError:
    return ServiceError(
        ErrorCode.OVERLOADED,
        f"Too many large bodies are under way: try again in {RETRY_SECONDS} s.",
        retry_after=RETRY_SECONDS,
    )
