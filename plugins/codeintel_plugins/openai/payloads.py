"""From the bytes of an event stream to the data of its events."""

from __future__ import annotations

from collections.abc import Sequence

from codeintel.client.sse import SseParser

MAX_EVENT_BYTES = 1024 * 1024
"""A chunk of an answer has some hundred bytes."""


class Payloads:
    """Takes bytes cut anywhere, returns the data of the events that they complete.

    Nearly all that models send is whole events of one line, `data: {...}`: those are cut out here,
    at a tenth of the cost. Whatever else a stream may hold goes through the parser.
    """

    def __init__(self) -> None:
        self._parser = SseParser(MAX_EVENT_BYTES)

    def feed(self, chunk: bytes) -> Sequence[bytes]:
        """Data of the events that end in the chunk, in UTF-8.

        :raises codeintel.client.sse.EventTooLarge: for an event over 1 MiB.
        """
        if (
            chunk.endswith(b"\n\n")
            and len(chunk) <= MAX_EVENT_BYTES
            and b"\r" not in chunk
            and self._parser.is_between_events
        ):
            # Two line feeds between any two events, and no other.
            events = chunk[6:-2].split(b"\n\ndata: ")
            if chunk.startswith(b"data: ") and chunk.count(b"\n") == 2 * len(events):
                return events
        return [event.data.encode() for event in self._parser.feed(chunk)]
