"""A run's event log: written by the run, read by any number of connections."""

from __future__ import annotations

import time
from collections import Counter, OrderedDict
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import get_args

import gevent
from gevent.event import Event

from codeintel.contracts.events import RunEvent, Terminal
from codeintel.platform.metrics import table
from codeintel.runs.events.frames import encode_frame, renumbered
from codeintel.runs.events.positions import Position, Positions

PING = b": ping\n\n"
"""A comment that keeps proxies from closing a silent stream. Readers ignore it."""
JOINED_BYTES = 65_536
MAX_EVENTS = 50_000
MAX_BYTES = 16 * 1024 * 1024
OVERHEAD_BYTES = 48
"""Memory that a frame takes in addition to its bytes."""
ENDED_BYTES = 16 * 1024 * 1024
BEAT_SECONDS = 1.0
HEARTBEAT_SECONDS = 15.0
CREDENTIAL_SECONDS = 3.0
_TERMINAL = frozenset(get_args(Terminal))


class LogEndedError(RuntimeError):
    """Raised when an event is appended after a run has ended."""


class EventsGoneError(Exception):
    """Raised when a reader requests deleted events.

    `first` is the first event that is still stored.
    """

    def __init__(self, first: int) -> None:
        super().__init__(f"events before {first} are gone")
        self.first = first


class RunLog:
    """The events of one run, in memory, encoded once for all readers.

    A log that exceeds 50,000 events or 16 MiB drops its oldest events, a quarter at a time.

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
        """Whether the remaining events are unavailable, though the run did not end."""
        self.was_cut = False
        """Whether another process wrote the last event, because the run's own process was lost.

        Some readers may have more events than this log.
        """
        self.readers = 0
        self.unread_since = time.monotonic()
        """When the last reader left, or the log started."""
        self.size = 0
        """Bytes in memory."""
        self.dropped = 0
        """Number of dropped events, which were the first ones."""
        self._frames: list[bytes] = []
        self._positions = Positions()
        self._grown = Event()
        self._on_grown = on_grown

    @property
    def length(self) -> int:
        """The number of events, which is also the sequence number of the last one."""
        return self.dropped + len(self._frames)

    def append(self, event: RunEvent) -> None:
        """Number the event and send it to all readers. A terminal event ends the log.

        :raises LogEndedError: after a terminal event, for an engine that continues though it was
            stopped.
        """
        if self.ended:
            raise LogEndedError(self.run_id)
        event.sequence = self.dropped + len(self._frames) + 1
        event.run_id = self.run_id
        self._add(encode_frame(event), is_last=type(event) in _TERMINAL)

    def feed(self, number: int, frame_: bytes, *, is_last: bool) -> None:
        """Add an event that another process has encoded.

        The first event may have any number. A duplicate event is skipped.

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

    def is_held_up(self, size: int, seconds: float) -> bool:
        """Return whether the next event should wait, because it may replace some that a reader does
        not have yet.

        :param size: the size of the next event in bytes.
        :param seconds: how long to wait for a reader that gets nothing.
        """
        is_near = self.size + size > MAX_BYTES - MAX_BYTES // 4 or len(self._frames) >= MAX_EVENTS
        oldest = _oldest(len(self._frames) + 1)
        return is_near and self._positions.wait_for(self.dropped + oldest, seconds)

    def _drop_oldest(self) -> None:
        count = _oldest(len(self._frames))
        self.size -= sum(map(len, self._frames[:count])) + count * OVERHEAD_BYTES
        del self._frames[:count]
        self.dropped += count

    def give_up(self) -> None:
        """End all reading, because this process will not receive the remaining events."""
        self.broken = True
        self._grown.set()

    def frames(self, after: int, most_bytes: int) -> list[bytes]:
        """Return frames after event `after`, up to about the given size.

        :raises EventsGoneError: if the next event is deleted.
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
        """Return the terminal event for a reader who has all events, or more events than this log.

        A lost process may have sent events to that reader and not yet to other processes.
        """
        return renumbered(self._frames[-1], after + 1) if self.ended and self.was_cut else b""

    def wake(self) -> None:
        """Wake all waiting readers, though no event has arrived."""
        self._grown.set()

    def wait(self, after: int, timeout: float | None = None) -> tuple[bytes, int]:
        """Return frames after event `after`, joined up to about 64 KiB, and the number to continue
        from.

        This waits for an event, up to `timeout` seconds or until :meth:`wake`. Joining frames saves
        a system call for each event. The limit keeps the buffer of a slow reader small.

        :raises EventsGoneError: for a reader so slow that its next event is deleted.
        """
        if after >= self.length and not self.ended and not self.broken:
            self._grown.clear()
            self._grown.wait(timeout)
        return self.ready(after)

    def ready(self, after: int) -> tuple[bytes, int]:
        """Return as :meth:`wait`, without waiting: the available frames, or empty bytes.

        :raises EventsGoneError: as :meth:`wait`.
        """
        found = self.frames(after, JOINED_BYTES)
        return b"".join(found), after + len(found)

    @contextmanager
    def reading(self, after: int = 0) -> Iterator[Position]:
        """Count the caller as a reader within the block, who keeps its position up to date."""
        position = Position(after)
        self._positions.add(position)
        self.readers += 1
        try:
            yield position
        finally:
            self.readers -= 1
            self._positions.remove(position)
            self.unread_since = time.monotonic()


def _oldest(count: int) -> int:
    """Return how many of some events are dropped together."""
    return max(1, count // 4)


class RunLogs:
    """Logs of active runs, and of ended runs for returning readers.

    Ended logs are stored for `retention` seconds, up to 16 MiB in total.
    """

    def __init__(self, retention: float) -> None:
        self._retention = retention
        self._active: dict[str, RunLog] = {}
        self._ended: OrderedDict[str, tuple[float, RunLog]] = OrderedDict()
        self._ended_bytes = 0

    def add(self, log: RunLog) -> None:
        """Store the log of a starting run."""
        self._active[log.run_id] = log

    def find(self, run_id: str) -> RunLog | None:
        """Return the log of a run, or None if this process does not have it."""
        if run_id in self._active:
            return self._active[run_id]
        self._forget_old()
        found = self._ended.get(run_id)
        return found[1] if found else None

    def end(self, run_id: str) -> None:
        """Mark a run as ended. Its log is stored while the memory limit allows."""
        log = self._active.pop(run_id, None)
        if log is None:
            return
        self._ended[run_id] = (time.monotonic() + self._retention, log)
        self._ended_bytes += log.size
        self._forget_old()

    def _forget_old(self) -> None:
        """Drop the oldest logs first. They are sorted by when their runs ended."""
        now = time.monotonic()
        while self._ended:
            expires, log = next(iter(self._ended.values()))
            if self._ended_bytes <= ENDED_BYTES and expires > now:
                return
            self._ended.popitem(last=False)
            self._ended_bytes -= log.size


class Pulse:
    """A greenlet that wakes the waiting readers of all logs every second.

    They then check whether their client has disconnected. A timer for each wait would cost more
    than the events.
    """

    def __init__(self) -> None:
        self._read: Counter[RunLog] = Counter()
        self._greenlet: gevent.Greenlet[..., None] | None = None

    @contextmanager
    def at(self, log: RunLog) -> Iterator[None]:
        """Wake the waiting readers of a log every second within the block."""
        self._read[log] += 1
        if self._greenlet is None or self._greenlet.dead:
            self._greenlet = gevent.spawn(self._beat)
        try:
            yield
        finally:
            self._read[log] -= 1
            if not self._read[log]:
                del self._read[log]

    def _beat(self) -> None:
        while self._read:
            gevent.sleep(BEAT_SECONDS)
            for log in list(self._read):
                log.wake()


PULSE = Pulse()
"""The pulse of this process."""


def tail(
    log: RunLog,
    is_gone: Callable[[], bool],
    may_read: Callable[[], bool] = lambda: True,
    after: int = 0,
) -> Iterator[bytes]:
    """Yield the frames after event `after`, as they arrive, until the end of the log.

    A silent run sends a heartbeat every 15 s. A server notices a disconnected client only when it
    writes, so `is_gone` is called every second between events. `may_read` is called every 3 s, so
    that a stream ends when its credential does. A reader with more events than a lost process has
    shared still gets the terminal event, as the next one.
    """
    begin = after
    with log.reading(after) as position, PULSE.at(log), table.STREAMS_OPEN.while_in():
        beat = time.monotonic() + HEARTBEAT_SECONDS
        check = time.monotonic() + CREDENTIAL_SECONDS
        while True:
            position.after = after
            try:
                frames, after = log.wait(after)
                if time.monotonic() >= check:
                    if not may_read():
                        return
                    check = time.monotonic() + CREDENTIAL_SECONDS
                    if not frames:  # the last frames may have arrived during the credential check
                        frames, after = log.ready(after)
            except EventsGoneError:
                return  # never skip events silently: readers who return get an error
            if frames:
                yield frames
                beat = time.monotonic() + HEARTBEAT_SECONDS
            elif log.ended or log.broken or is_gone():
                if after == begin and (end := log.late_end(after)):
                    yield end
                return
            elif time.monotonic() >= beat:
                yield PING
                beat = time.monotonic() + HEARTBEAT_SECONDS
