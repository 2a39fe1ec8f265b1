"""Read request bodies with limits, types and clear errors.

A body stays in memory up to 1 MiB. A larger one goes to a temporary file until it is complete, so a
client that never sends the last byte uses a file and no memory. Only complete bodies are loaded, as
long as the memory for bodies has room.
"""

from __future__ import annotations

import tempfile
import time
from collections.abc import Callable, Iterable, Iterator
from functools import cache
from typing import IO, Any, TypeVar, get_args

import gevent
import msgspec
from flask import Request, current_app, g, request

from codeintel.base.errors import ErrorCode, ServiceError
from codeintel.http.address import client_address, limit_key
from codeintel.http.operation import MAX_BODY_BYTES
from codeintel.http.refusals import explain
from codeintel.platform.limits.concurrency import RETRY_SECONDS, Concurrency, Gauge, Hold, refusal

T = TypeVar("T", bound=msgspec.Struct)
BODY_SECONDS = 30
Check = Callable[[bytes], None]
"""Rejects a body that would take long to decode."""
FEW_VALUES = 20_000
"""Decoding this many values takes a few milliseconds, including the texts among them."""
SMALL_BYTES = 1024 * 1024
"""The maximum size of a body in memory while it arrives."""
FIRST_READ_BYTES = 4_096
READ_BYTES = 256 * 1024
GRACE_SECONDS = 5.0
"""The time in which a body may arrive at any speed."""
SLOW_SECONDS = 1.0
"""A body that takes longer counts as slow, and its sender may have only a few slow ones."""
LOAD_SECONDS = 10.0
"""The time that a large body waits for memory."""
POLL_SECONDS = 0.02


def read_json(
    request: Request,
    type_: type[T],
    limit: int = MAX_BODY_BYTES,
    check: Check | None = None,
    *,
    optional: bool = False,
) -> T:
    """Read the request's body as `type_`. Name unknown fields in `g.ignored_fields`.

    :param check: called before a body with many values is decoded.
    :param optional: whether a missing body counts as `{}`.
    :raises ServiceError: `unsupported_media_type`, `payload_too_large`, `invalid_json`, or
        `invalid_request` with the field in `details.path`.
    """
    if optional and _has_none(request):
        return msgspec.convert({}, type_)
    _check_headers(request)
    raw = read_bytes(request, limit)
    if check is not None and _may_have_many_values(raw):
        check(raw)
    try:
        decoded = msgspec.json.decode(raw)
    except (ValueError, RecursionError):
        # The decoder's own text may quote the body.
        raise ServiceError(
            ErrorCode.INVALID_JSON, "The body is not valid JSON in UTF-8, or nested too deeply."
        ) from None
    try:
        body = msgspec.convert(decoded, type_)
    except msgspec.ValidationError as error:
        if "got `float`" not in str(error):
            raise explain(str(error), type_, decoded) from None
        body = _with_whole_numbers(decoded, type_)
    note_ignored(_unread(decoded, type_))
    return body


def _with_whole_numbers(decoded: Any, type_: type[T]) -> T:
    """Convert numbers like `4.0` to integers, as JSON Schema does.

    :raises ServiceError: `invalid_request`.
    """
    open_: list[Any] = [decoded] if isinstance(decoded, dict) else []
    while open_:
        node = open_.pop()
        parts = list(node.items() if isinstance(node, dict) else enumerate(node))
        for key, value in parts:
            if isinstance(value, float) and value.is_integer():
                node[key] = int(value)
            elif isinstance(value, dict | list):
                open_.append(value)
    try:
        return msgspec.convert(decoded, type_)
    except msgspec.ValidationError as error:
        raise explain(str(error), type_, decoded) from None


def _may_have_many_values(raw: bytes) -> bool:
    """Return whether a body may have many values, by counting separators. Those in texts count,
    too.
    """
    return sum(raw.count(mark) for mark in (b",", b"[", b"{")) > FEW_VALUES


def _has_none(request: Request) -> bool:
    # Not `wsgi.input_terminated`: servers say so of every request.
    return not request.content_length and "Transfer-Encoding" not in request.headers


def _unread(decoded: dict[str, Any], type_: type[msgspec.Struct], path: str = "") -> Iterator[str]:
    """Yield the unknown fields, including those of nested objects, like `request.speed`."""
    known = _structs_by_field(type_)
    for name, value in decoded.items():
        if name not in known:
            yield f"{path}{name}"
        elif isinstance(value, dict):
            for inner in known[name]:
                yield from _unread(value, inner, f"{path}{name}.")


@cache
def _structs_by_field(type_: type[msgspec.Struct]) -> dict[str, tuple[type[msgspec.Struct], ...]]:
    """Return a struct's fields by their names in JSON, each with the structs that it may hold.

    The result is cached, because msgspec resolves the annotations each time. That takes a tenth of
    a short request.
    """
    return {
        field.encode_name: tuple(_structs(field.type)) for field in msgspec.structs.fields(type_)
    }


def _structs(type_: Any) -> Iterator[type[msgspec.Struct]]:
    """Yield the structs among the types of a field."""
    if isinstance(type_, type) and issubclass(type_, msgspec.Struct):
        yield type_
    for part in get_args(type_):
        yield from _structs(part)


def note_ignored(names: Iterable[str]) -> None:
    """Name unknown parts of the request in the answer, up to 50."""
    noted = {*g.get("ignored_fields", ()), *(name[:100] for name in names)}
    g.ignored_fields = tuple(sorted(noted))[:50]


def _check_headers(request: Request) -> None:
    encoding = request.headers.get("Content-Encoding", "identity").strip().lower()
    if encoding != "identity":
        raise ServiceError(
            ErrorCode.UNSUPPORTED_MEDIA_TYPE,
            "The body must not be encoded. Send it without `Content-Encoding`.",
        )
    charset = request.mimetype_params.get("charset", "utf-8").lower()
    if request.mimetype != "application/json" or charset not in {"utf-8", "utf8"}:
        raise ServiceError(
            ErrorCode.UNSUPPORTED_MEDIA_TYPE,
            "The body must be JSON in UTF-8. Send `Content-Type: application/json`.",
        )


def read_bytes(request: Request, limit: int) -> bytes:
    """Return the bytes of a body. Its share of the memory for bodies is held until the request
    ends.
    """
    services = current_app.extensions["codeintel"]
    gauges: Concurrency = services.concurrency
    receiver = Receiver(gauges, _sender(), BODY_SECONDS, services.settings.body_rate)
    raw, hold = receiver.receive(request, limit)
    g.body_bytes, g.body_hold = len(raw), hold
    return raw


def release_body(_error: BaseException | None = None) -> None:
    """Release the memory of the request's body. The application calls this when a request ends."""
    hold = g.pop("body_hold", None)
    if hold is not None:
        hold.release()


def _sender() -> str:
    """Return the key under which bodies are counted: the account, or the address."""
    caller = g.get("caller")
    if caller is not None and not caller.is_anonymous:
        return str(caller.account_id)
    settings = current_app.extensions["codeintel"].settings
    forwarded = request.headers.get("X-Forwarded-For", "")
    return limit_key(client_address(request.remote_addr or "", forwarded, settings.trusted_proxies))


class Receiver:
    """Receives bodies for one client.

    :param who: the account or address under which slow bodies and bytes are counted.
    :param seconds: the time limit for a body.
    :param rate: the minimum average of bytes per second, after the grace time.
    """

    def __init__(self, gauges: Concurrency, who: str, seconds: float, rate: int) -> None:
        self._gauges = gauges
        self._who = who
        self._seconds = seconds
        self._rate = rate

    def receive(self, request: Request, limit: int) -> tuple[bytes, Hold | None]:
        """Return the body and its share of the memory for bodies. Release the share when the body
        is no longer needed.

        :raises ServiceError: `payload_too_large`, `request_timeout`, `rate_limit_exceeded`,
            `overloaded`.
        """
        announced = request.content_length
        if announced is not None and announced > limit:
            raise too_large(limit, announced)
        if announced is None and not request.environ.get("wsgi.input_terminated"):
            return b"", None
        # One byte more than the limit reveals a chunked body that is too large.
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
            # Begin with small reads: a large read could not detect a slow sender.
            wanted = min(wanted, READ_BYTES, max(FIRST_READ_BYTES, incoming.size))
            due = GRACE_SECONDS + (incoming.size + wanted) / self._rate
            left = began + min(due, self._seconds) - time.monotonic()
            chunk = gevent.with_timeout(max(left, 0.001), source.read, wanted, timeout_value=None)
            if chunk is None:
                raise self._late()
            if not chunk:
                return
            incoming.add(chunk)
            if incoming.size > READ_BYTES:
                gevent.sleep(0)  # a read does not yield while data is available

    def _late(self) -> ServiceError:
        return ServiceError(
            ErrorCode.REQUEST_TIMEOUT,
            f"The body took more than {self._seconds:g} seconds, or arrived with less than "
            f"{self._rate:,} bytes per second. Send it again.",
        )


class _Incoming:
    """The received part of a body: in memory while it is small, otherwise in a temporary file."""

    def __init__(self, gauges: Concurrency, who: str) -> None:
        self._gauges = gauges
        self._who = who
        self._memory = Hold(gauges.body_memory, who)
        self._disk: Hold | None = None
        self._parts: list[bytes] = []
        self._file: IO[bytes] | None = None
        self.size = 0

    def add(self, chunk: bytes) -> None:
        """Add a received part.

        :raises ServiceError: `rate_limit_exceeded` or `overloaded` if no room is left.
        """
        is_small = self._file is None and self.size + len(chunk) <= SMALL_BYTES
        if is_small and self._memory.grow(len(chunk)):
            self._parts.append(chunk)
        else:
            self._spill(chunk)
        self.size += len(chunk)

    def _spill(self, chunk: bytes) -> None:
        needed = len(chunk) + (self.size if self._file is None else 0)
        self._disk = self._disk or Hold(self._gauges.body_files, self._who)
        if not self._disk.grow(needed):
            raise self._refusal(self._gauges.body_files, needed)
        if self._file is None:
            self._file = tempfile.TemporaryFile(prefix="codeintel-body-")  # noqa: SIM115
            self._file.writelines(self._parts)
            self._parts.clear()
            self._memory.release()
        self._file.write(chunk)

    def load(self) -> tuple[bytes, Hold | None]:
        """Return the whole body as soon as memory is available.

        :raises ServiceError: `rate_limit_exceeded` or `overloaded` if no memory becomes available
            in time.
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
        """Return the error for a gauge without room, caused by the caller or by all callers."""
        if gauge.is_over(self._who, needed):
            return refusal(gauge, "Unfinished request bodies of this caller have", "bytes in total")
        return _no_room()

    def close(self) -> None:
        """Release everything that is held."""
        if self._file is not None:
            self._file.close()
        self._parts.clear()
        self._memory.release()
        if self._disk is not None:
            self._disk.release()


class _SlowCount:
    """Counts a body as slow once it has taken a second, and ends it if its sender has too many.

    Fast bodies are not counted: hundreds of them may arrive together.
    """

    def __init__(self, gauges: Concurrency, who: str) -> None:
        self._gauge = gauges.slow_bodies
        self._who = who
        self._hold: Hold | None = None
        self._timer: Any = None

    def __enter__(self) -> None:
        self._timer = gevent.get_hub().loop.timer(SLOW_SECONDS)
        # Like gevent.Timeout, but this code can decide when the time is up.
        throw: Callable[[BaseException], None] = gevent.getcurrent().throw
        self._timer.start(self._is_slow, throw)

    def _is_slow(self, throw: Callable[[BaseException], None]) -> None:
        self._hold = self._gauge.take(self._who)
        if self._hold is None:
            throw(refusal(self._gauge, "This caller has", "slow request bodies in progress"))

    def __exit__(self, *_: object) -> None:
        self._timer.stop()
        self._timer.close()
        if self._hold is not None:
            self._hold.release()


def too_large(limit: int, actual: int | None) -> ServiceError:
    """Return the error for a body over a limit in bytes."""
    return ServiceError(
        ErrorCode.PAYLOAD_TOO_LARGE,
        f"The body exceeds the limit of {limit} bytes.",
        details={"limit": limit} | ({"actual": actual} if actual is not None else {}),
    )


def _no_room() -> ServiceError:
    return ServiceError(
        ErrorCode.OVERLOADED,
        f"Too many large bodies are being received. Try again in {RETRY_SECONDS} seconds.",
        retry_after=RETRY_SECONDS,
    )
