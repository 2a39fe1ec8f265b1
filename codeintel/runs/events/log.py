"""A run's event log: written by the run, read by any number of connections."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from typing import get_args

import msgspec
from gevent.event import Event

from codeintel.base.sse import frame
from codeintel.contracts.events import RunEvent, Terminal

JOINED_BYTES = 65_536
MAX_EVENTS = 50_000
MAX_BYTES = 16 * 1024 * 1024
OVERHEAD_BYTES = 48
"""What a frame takes in memory beside its bytes."""
_encode = msgspec.json.Encoder().encode
_TERMINAL = frozenset(get_args(Terminal))


class LogEndedError(RuntimeError):
    """Something was said about a run that has ended."""


class EventsGoneError(Exception):
    """A reader wants events that are not kept any more. `first` is the first that is."""

    def __init__(self, first: int) -> None:
        super().__init__(f"events before {first} are gone")
        self.first = first


def encode_frame(event: RunEvent) -> bytes:
    """A numbered event as it is sent."""
    return frame(event.sequence, _name(type(event)), _encode(event))


@cache
def _name(type_: type[RunEvent]) -> bytes:
    return str(type_.__struct_config__.tag).encode()


def renumbered(frame_: bytes, number: int) -> bytes:
    """A terminal event as it was sent, under another number."""
    data = frame_.rsplit(b"\ndata: ", 1)[1]
    event: Terminal = msgspec.json.decode(data, type=Terminal)
    event.sequence = number
    return encode_frame(event)


class RunLog:
    """The events of one run, in memory, encoded once for all readers.

    A log that grows beyond 50,000 events or 16 MiB loses its oldest ones, a quarter at a time.

    :param on_grown: called after each event.
    """

    def __init__(
        self,
        run_id: str,
        on_grown: Callable[[RunLog], None] | None = None,
    ) -> None:
        self.run_id = run_id
        self.ended = False
        self.broken = False
        """Whether the rest of the events cannot be had any more, though the run did not end."""
        self.was_cut = False
        """Whether another process wrote the last event: the run's own was lost, maybe with events
        that some readers have had."""
        self.readers = 0
        self.unread_since = time.monotonic()
        """When the last reader left, or the log began."""
        self.size = 0
        """Bytes in memory."""
        self.dropped = 0
        """How many of the first events are gone."""
        self._frames: list[bytes] = []
        self._grown = Event()
        self._on_grown = on_grown

    @property
    def length(self) -> int:
        """How many events there were; the sequence number of the last."""
        return self.dropped + len(self._frames)

    def append(self, event: RunEvent) -> None:
        """Number the event and send it to all readers. A terminal event ends the log.

        :raises LogEndedError: after that, for an engine that goes on though it was told to stop.
        """
        if self.ended:
            raise LogEndedError(self.run_id)
        event.sequence = self.dropped + len(self._frames) + 1
        event.run_id = self.run_id
        self._add(encode_frame(event), is_last=type(event) in _TERMINAL)

    def feed(self, number: int, frame_: bytes, *, is_last: bool) -> None:
        """Add an event that another process has encoded. The first may have any number; an event
        that is here already is passed over.

        :raises ValueError: for a gap.
        """
        if not self.length:
            self.dropped = number - 1
        if number <= self.length or self.ended:
            return
        if number != self.length + 1:
            raise ValueError(f"event {number} follows {self.length}")
        self._add(frame_, is_last=is_last)

    def _add(self, frame_: bytes, *, is_last: bool) -> None:
        self._frames.append(frame_)
        self.size += len(frame_) + OVERHEAD_BYTES
        if self.size > MAX_BYTES or len(self._frames) > MAX_EVENTS:
            self._drop_oldest()
        self.ended = is_last
        self._grown.set()
        if self._on_grown is not None:
            self._on_grown(self)

    def _drop_oldest(self) -> None:
        count = max(1, len(self._frames) // 4)
        self.size -= sum(map(len, self._frames[:count])) + count * OVERHEAD_BYTES
        del self._frames[:count]
        self.dropped += count

    def give_up(self) -> None:
        """End all reading: what comes next will not be known here."""
        self.broken = True
        self._grown.set()

    def frames(self, after: int, most_bytes: int) -> list[bytes]:
        """Frames behind the first `after`, up to about a size.

        :raises EventsGoneError: if the next one is gone.
        """
        if after < self.dropped:
            raise EventsGoneError(self.dropped + 1)
        size, end = 0, after - self.dropped
        begin = end
        while end < len(self._frames) and size < most_bytes:
            size += len(self._frames[end])
            end += 1
        return self._frames[begin:end]

    def late_end(self, after: int) -> bytes:
        """The terminal event for a reader who has all events, and maybe more than are here: those
        that a lost process had sent to it and not yet to others."""
        return renumbered(self._frames[-1], after + 1) if self.ended and self.was_cut else b""

    def wake(self) -> None:
        """Let all who wait look up, though nothing has come."""
        self._grown.set()

    def wait(self, after: int, timeout: float | None = None) -> tuple[bytes, int]:
        """Frames behind the first `after`, joined up to about 64 KiB, and the number to go on from;
        waits for one, up to `timeout` seconds or until it is woken. Joining what is ready spares a
        system call for each event; a bound keeps what waits for a slow reader small.

        :raises EventsGoneError: for a reader so slow that its next event is gone.
        """
        if after >= self.length and not self.ended and not self.broken:
            self._grown.clear()
            self._grown.wait(timeout)
        return self.ready(after)

    def ready(self, after: int) -> tuple[bytes, int]:
        """As :meth:`wait`, without waiting: what is there already, or nothing.

        :raises EventsGoneError: as :meth:`wait`.
        """
        found = self.frames(after, JOINED_BYTES)
        return b"".join(found), after + len(found)

    @contextmanager
    def reading(self) -> Iterator[None]:
        """Be counted as a reader within the block."""
        self.readers += 1
        try:
            yield
        finally:
            self.readers -= 1
            self.unread_since = time.monotonic()
