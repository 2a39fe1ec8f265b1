"""From the bytes of a run's event stream to its events."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import msgspec

from codeintel.client.errors import StreamBroken
from codeintel.client.sse import EventTooLarge, ServerSentEvent, SseParser

TERMINAL = frozenset({"run.completed", "run.incomplete", "run.failed", "run.cancelled"})


class RunEvents:
    """Reads one run's events; `ended` is true once the last one has been read."""

    def __init__(self) -> None:
        self._parser = SseParser()
        self.run_id: str | None = None
        self.last = 0
        """Number of the last event; 0 where events have none."""
        self.ended = False

    def begin_again(self) -> None:
        """Another connection goes on: what was cut off comes again, whole."""
        self._parser = SseParser()

    def feed(self, chunk: bytes) -> Iterator[dict[str, Any]]:
        """The events that the next bytes of the stream complete.

        :raises StreamBroken: if they are not events of a run.
        """
        try:
            frames = self._parser.feed(chunk)
        except EventTooLarge as error:
            raise StreamBroken(f"The stream cannot be read: {error}.", self.run_id) from None
        for frame in frames:
            event = self._event(frame)
            number = event.get("sequence")
            if isinstance(number, int) and number <= self.last:
                continue  # it came before the connection was lost
            self.last = number if isinstance(number, int) else self.last
            self.ended = event["type"] in TERMINAL
            yield event

    def _event(self, frame: ServerSentEvent) -> dict[str, Any]:
        try:
            event = msgspec.json.decode(frame.data)
        except (msgspec.DecodeError, RecursionError):
            raise StreamBroken("The stream has an event that is not JSON.", self.run_id) from None
        if not isinstance(event, dict) or not isinstance(event.get("type"), str):
            raise StreamBroken("The stream has an event without a type.", self.run_id)
        if isinstance(event.get("runId"), str):
            self.run_id = event["runId"]
        return event
