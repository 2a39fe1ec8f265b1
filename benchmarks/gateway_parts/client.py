"""One client that reads event streams: what it asks and what it sees."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass
from time import perf_counter
from typing import TYPE_CHECKING, cast
from urllib.parse import urlsplit

if TYPE_CHECKING:
    from gateway_parts.load import Load

FIRST_EVENT = b"data: {"
END_OF_RESPONSE = b"\r\n0\r\n\r\n"
KEPT_BYTES = 64
"""The number of bytes to search again together with the next ones: longer than any mark."""


@dataclass(frozen=True)
class Target:
    """A request, and the bytes that mark its first text and the end of a complete stream."""

    url: str
    headers: Mapping[str, str]
    body: bytes
    first_text: bytes
    complete: bytes

    def request(self) -> bytes:
        parts = urlsplit(self.url)
        headers = {
            "Host": parts.netloc,
            "Content-Type": "application/json",
            "Content-Length": str(len(self.body)),
            **self.headers,
        }
        lines = [f"POST {parts.path} HTTP/1.1", *(f"{k}: {v}" for k, v in headers.items())]
        return "\r\n".join([*lines, "", ""]).encode() + self.body


@dataclass(frozen=True)
class Sample:
    """One stream: when it ended and how long it took to what, in seconds; `error` is empty for a
    complete one."""

    ended_at: float
    first_event: float = 0.0
    first_text: float = 0.0
    total: float = 0.0
    error: str = ""


class Client(asyncio.Protocol):
    """One connection, kept open; asks again when a stream has ended."""

    def __init__(self, load: Load) -> None:
        self._load = load
        self._is_reading = False

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        # uvloop's are no subclass of asyncio's.
        self._transport = cast(asyncio.Transport, transport)
        self._ask()

    def _ask(self) -> None:
        self._kept, self._first_event, self._first_text = b"", 0.0, 0.0
        self._is_ok = self._is_complete = False
        self._is_reading = True
        self._began = perf_counter()
        self._transport.write(self._load.request)

    def data_received(self, data: bytes) -> None:
        if not self._is_reading:
            return
        seen, target = self._kept + data, self._load.target
        if not self._is_ok:
            if not seen.startswith(b"HTTP/1.1 200 "):
                self._fail(f"status {seen[9:12].decode()}")
                return
            self._is_ok = True
        if not self._first_event and FIRST_EVENT in seen:
            self._first_event = perf_counter() - self._began
        if not self._first_text and target.first_text in seen:
            self._first_text = perf_counter() - self._began
        self._is_complete = self._is_complete or target.complete in seen
        if not seen.endswith(END_OF_RESPONSE):
            self._kept = seen[-KEPT_BYTES:]
        elif self._is_complete:
            self._succeed()
        else:
            self._fail("incomplete")

    def connection_lost(self, error: Exception | None) -> None:
        if self._is_reading:
            self._is_reading = False
            self._load.fail(f"lost ({error})" if error else "closed")
        self._load.lost()

    def _succeed(self) -> None:
        now = perf_counter()
        self._is_reading = False
        self._load.samples.append(
            Sample(now, self._first_event, self._first_text, now - self._began)
        )
        if self._load.is_over:
            self._transport.close()
        else:
            self._ask()

    def _fail(self, error: str) -> None:
        self._is_reading = False
        self._load.fail(error)
        self._transport.abort()
