"""A run's event log: written by the run, read by any number of connections."""

from __future__ import annotations

import time
from collections import Counter, OrderedDict
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from typing import get_args

import gevent
import msgspec
from gevent.event import Event

from codeintel.contracts import Usage
from codeintel.contracts.events import (
    RunCancelled,
    RunCompleted,
    RunEvent,
    RunFailed,
    RunIncomplete,
    Terminal,
)
from codeintel.contracts.states import RunState
from codeintel.platform.metrics import table
from codeintel.runs.store import RunRecord

PING = b": ping\n\n"
"""A comment: keeps proxies from closing a silent stream, and readers ignore it."""
JOINED_BYTES = 65_536
MAX_EVENTS = 50_000
MAX_BYTES = 16 * 1024 * 1024
OVERHEAD_BYTES = 48
"""What a frame takes in memory beside its bytes."""
ENDED_BYTES = 16 * 1024 * 1024
BEAT_SECONDS = 1.0
HEARTBEAT_SECONDS = 15.0
CREDENTIAL_SECONDS = 3.0
_encode = msgspec.json.Encoder().encode
_TERMINAL = frozenset(get_args(Terminal))


class LogEndedError(RuntimeError):
    """Something was said about a run that has ended."""


class EventsGoneError(Exception):
    """A reader wants events that are not kept any more. `first` is the first that is."""

    def __init__(self, first: int) -> None:
        super().__init__(f"events before {first} are gone")
        self.first = first


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


class RunLogs:
    """Logs of the runs under way here, and of ended ones for who comes back: for `retention`
    seconds, and as many as 16 MiB hold."""

    def __init__(self, retention: float) -> None:
        self._retention = retention
        self._active: dict[str, RunLog] = {}
        self._ended: OrderedDict[str, tuple[float, RunLog]] = OrderedDict()
        self._ended_bytes = 0

    def add(self, log: RunLog) -> None:
        """Keep the log of a run that begins."""
        self._active[log.run_id] = log

    def find(self, run_id: str) -> RunLog | None:
        """The log of a run, if it is here."""
        if run_id in self._active:
            return self._active[run_id]
        self._forget_old()
        found = self._ended.get(run_id)
        return found[1] if found else None

    def end(self, run_id: str) -> None:
        """The run has ended: its log is kept while there is room."""
        log = self._active.pop(run_id, None)
        if log is None:
            return
        self._ended[run_id] = (time.monotonic() + self._retention, log)
        self._ended_bytes += log.size
        self._forget_old()

    def _forget_old(self) -> None:
        """The oldest go first: by age they are in the order in which they ended."""
        now = time.monotonic()
        while self._ended:
            expires, log = next(iter(self._ended.values()))
            if self._ended_bytes <= ENDED_BYTES and expires > now:
                return
            self._ended.popitem(last=False)
            self._ended_bytes -= log.size


class Pulse:
    """One greenlet for all logs that are read, while any is. It wakes those who wait, so that they
    look whether their client has gone: a timer for each wait would cost more than the events."""

    def __init__(self) -> None:
        self._read: Counter[RunLog] = Counter()
        self._greenlet: gevent.Greenlet[..., None] | None = None

    @contextmanager
    def at(self, log: RunLog) -> Iterator[None]:
        """Have those who wait at a log woken each second while the block lasts."""
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
"""That of this process."""


def tail(
    log: RunLog,
    is_gone: Callable[[], bool],
    may_read: Callable[[], bool] = lambda: True,
    after: int = 0,
) -> Iterator[bytes]:
    """Everything in the log behind the first `after` events, as it comes, until the end.

    A silent run sends a heartbeat every 15 s. A server notices that a client has gone only when it
    writes; so between events `is_gone` is asked every second. `may_read` is asked every 3 s: a
    stream ends when the credential that opened it does. Who has more events than a lost process
    has left behind gets the terminal event all the same, as the next one.
    """
    begin = after
    with log.reading(), PULSE.at(log), table.STREAMS_OPEN.while_in():
        beat = time.monotonic() + HEARTBEAT_SECONDS
        check = time.monotonic() + CREDENTIAL_SECONDS
        while True:
            try:
                frames, after = log.wait(after)
                if time.monotonic() >= check:
                    if not may_read():
                        return
                    check = time.monotonic() + CREDENTIAL_SECONDS
                    if not frames:  # the last ones may have come while the credential was looked up
                        frames, after = log.ready(after)
            except EventsGoneError:
                return  # never a silent gap: whoever comes back is told that they are gone
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


def terminal(
    state: RunState, usage: Usage, *, charge: int, refund: int, reason: str, message: str
) -> Terminal:
    """The event that ends a run in `state`. Credits are whole numbers."""
    if state is RunState.COMPLETED:
        return RunCompleted(usage=usage, credits_charged=charge, credits_refunded=refund)
    return _TYPES[state](
        usage=usage,
        credits_charged=charge,
        credits_refunded=refund,
        reason=reason,
        message=message,
    )


def recorded_terminal(record: RunRecord) -> Terminal:
    """The event that ends a run, from its row: for one whose process could not send it."""
    usage = (
        msgspec.json.decode(record.usage, type=Usage)
        if record.usage is not None
        else Usage(input_characters=0)
    )
    charge, reason = record.charged or 0, record.reason or ""
    return terminal(
        record.state,
        usage,
        charge=charge,
        refund=record.hold - charge,
        reason=reason,
        message=_MESSAGES.get(reason, "The run had ended when its last event was lost."),
    )


_TYPES: dict[RunState, type[RunIncomplete | RunCancelled | RunFailed]] = {
    RunState.INCOMPLETE: RunIncomplete,
    RunState.CANCELLED: RunCancelled,
    RunState.FAILED: RunFailed,
}
_MESSAGES = {
    "lease_expired": "The process that worked on the run is gone. Nothing was charged.",
    "service_restarted": "The service was restarted. Nothing was charged.",
    "backup_restored": "The service was restored from a backup. Nothing was charged.",
}
LOST_REASONS = frozenset(_MESSAGES)
"""Why runs end whose process is gone."""


def encode_frame(event: RunEvent) -> bytes:
    """A numbered event as it is sent."""
    return frame(event.sequence, _name(type(event)), _encode(event))


def frame(identifier: int, event: bytes, data: bytes) -> bytes:
    """One server-sent event: https://html.spec.whatwg.org/multipage/server-sent-events.html. `data`
    must hold no line break, which JSON never does."""
    return b"id: %d\nevent: %b\ndata: %b\n\n" % (identifier, event, data)


@cache
def _name(type_: type[RunEvent]) -> bytes:
    return str(type_.__struct_config__.tag).encode()


def renumbered(frame_: bytes, number: int) -> bytes:
    """A terminal event as it was sent, under another number."""
    data = frame_.rsplit(b"\ndata: ", 1)[1]
    event: Terminal = msgspec.json.decode(data, type=Terminal)
    event.sequence = number
    return encode_frame(event)
