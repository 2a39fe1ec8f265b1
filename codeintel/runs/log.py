"""A run's event log: written by the run, read by any number of connections."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

import msgspec
from gevent.event import Event

from codeintel.contracts.events import RunEvent, Terminal
from codeintel.sse import frame

JOINED_BYTES = 65_536
_encode = msgspec.json.Encoder().encode


class LogEndedError(RuntimeError):
    """Something was said about a run that has ended."""


class RunLog:
    """The events of one run, in memory, encoded once for all readers.

    :param on_abandoned: called when the last reader has left before the end.
    """

    def __init__(self, run_id: str, on_abandoned: Callable[[], None]) -> None:
        self.run_id = run_id
        self.ended = False
        self.readers = 0
        self._frames: list[bytes] = []
        self._grown = Event()
        self._on_abandoned = on_abandoned

    def append(self, event: RunEvent) -> None:
        """Number the event and send it to all readers. A terminal event ends the log.

        :raises LogEndedError: after that, for an engine that goes on though it was told to stop.
        """
        if self.ended:
            raise LogEndedError(self.run_id)
        event.sequence = len(self._frames) + 1
        event.run_id = self.run_id
        type_ = type(event).__struct_config__.tag
        self._frames.append(frame(event.sequence, str(type_), _encode(event)))
        self.ended = isinstance(event, Terminal)
        self._grown.set()

    def wait(self, after: int, timeout: float) -> tuple[bytes, int]:
        """Frames behind the first `after`, joined up to about 64 KiB, and the number to go on from;
        waits for one up to `timeout` seconds. Joining what is ready spares a system call for each
        event; a bound keeps what waits for a slow reader small."""
        if after >= len(self._frames) and not self.ended:
            self._grown.clear()
            self._grown.wait(timeout)
        size, end = 0, after
        while end < len(self._frames) and size < JOINED_BYTES:
            size += len(self._frames[end])
            end += 1
        return b"".join(self._frames[after:end]), end

    @contextmanager
    def reading(self) -> Iterator[None]:
        """Be counted as a reader within the block."""
        self.readers += 1
        try:
            yield
        finally:
            self.readers -= 1
            if not self.readers and not self.ended:
                self._on_abandoned()
