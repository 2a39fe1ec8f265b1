"""One reader of one stream of events, which notes when each came and whether any is missing."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from time import perf_counter
from typing import cast

import msgspec
from gateway_parts.client import Target
from httptools import HttpResponseParser

from codeintel.client.answers import TERMINAL


class _Event(msgspec.Struct, rename="camel"):
    type: str
    sequence: int
    text: str = ""
    reason: str = ""


_decode = msgspec.json.Decoder(_Event).decode


class StreamClient(asyncio.Protocol):
    """Sends one request, reads its stream to the end and calls back."""

    def __init__(self, target: Target, on_end: Callable[[StreamClient], None]) -> None:
        self._target, self._on_end = target, on_end
        self._parser = HttpResponseParser(self)
        self._kept = b""
        self._is_whole = False
        self.asked = self.first_event = 0.0
        self.deltas: list[float] = []
        """When each came."""
        self.text = ""
        self.events = 0
        self.error = ""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast(asyncio.Transport, transport)
        self.asked = perf_counter()
        self._transport.write(self._target.request())

    def data_received(self, data: bytes) -> None:
        self._parser.feed_data(data)

    def on_body(self, body: bytes) -> None:
        """Whole events, and the beginning of the next."""
        if self._parser.get_status_code() != 200:
            self.error = self.error or f"status {self._parser.get_status_code()}: {body[:200]!r}"
            return
        *frames, self._kept = (self._kept + body).split(b"\n\n")
        for frame in frames:
            if not frame.startswith(b":"):
                self._take(_decode(frame.partition(b"\ndata: ")[2]))

    def _take(self, event: _Event) -> None:
        now = perf_counter()
        self.first_event = self.first_event or now
        self.events += 1
        if event.sequence != self.events:
            self.error = f"event {event.sequence} came as number {self.events}"
        if event.type == "output.delta":
            self.deltas.append(now)
            self.text += event.text
        if event.type in TERMINAL and event.type != "run.completed":
            self.error = f"{event.type}: {event.reason}"
        self._is_whole = event.type in TERMINAL

    def on_message_complete(self) -> None:
        """Note that the response is complete."""
        self._transport.close()

    def connection_lost(self, error: Exception | None) -> None:
        if not self.error and not self._is_whole:
            self.error = f"lost: {type(error).__name__}" if error else "closed before its end"
        self._on_end(self)
