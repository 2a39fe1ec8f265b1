"""Event logs that processes share through Redis: publish to others, and read theirs."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Collection

import gevent
import redis
from gevent.event import Event

from codeintel.base.errors import ErrorCode, ServiceError
from codeintel.base.logging import describe
from codeintel.contracts.states import FIRST_EPOCH
from codeintel.platform.db.models import now_ms
from codeintel.platform.shared_redis import Breaker, SharedRedis
from codeintel.runs.events.frames import encode_frame, recorded_terminal
from codeintel.runs.events.log import ENDED_BYTES, RunLog
from codeintel.runs.events.stream import PAGE, Entry, Page, RunStreams
from codeintel.runs.store import RunRecord

log = logging.getLogger(__name__)
Running = Callable[[Collection[str]], Collection[str]]
PAUSE_SECONDS = 0.02
"""Pause between two writes, in seconds. Events within a pause are written together."""
PAGE_BYTES = 256 * 1024
PAGES = 32
LET_GO_EVERY = 64
POLL_SECONDS = 0.05
NOTE_SECONDS = 1.0
STATE_SECONDS = 3.0
"""Interval of the database checks whether a silent run is still active."""
IDLE_SECONDS = 5.0
"""How long a log without a reader is stored."""
PATIENCE_SECONDS = 2.0
"""How long to wait for the last events after the database reports the end of a run."""
RETRY_SECONDS = 2
CLOSE_TRIES = 3
OPEN_EVENTS_SECONDS = 86_400.0
"""Longest time that Redis keeps the events of a run that has not ended, after its last event."""


class Publisher:
    """A greenlet that writes the new events of all runs.

    After an outage of Redis it catches up. The logs are in memory anyway, so waiting loses no
    events.
    """

    def __init__(self, streams: RunStreams, breaker: Breaker) -> None:
        self._streams = streams
        self._breaker = breaker
        self._sent: dict[str, int] = {}
        self._behind: dict[str, RunLog] = {}
        self._ended = 0
        self._work = Event()
        self._greenlet: gevent.Greenlet[..., None] | None = None
        self._is_stopped = False

    def publish(self, log: RunLog) -> None:
        """Write the new events of a log soon."""
        if self._is_stopped:
            return
        self._behind[log.run_id] = log
        self._work.set()
        if log.ended and self._breaker.is_open:
            self._let_go()
        if self._greenlet is None or self._greenlet.dead:
            self._greenlet = gevent.spawn(self._loop)

    def _let_go(self) -> None:
        """Drop the oldest ended runs if too many wait in memory while Redis is unavailable.

        Readers at other processes then learn that the events are deleted.
        """
        self._ended += 1
        if self._ended % LET_GO_EVERY:
            return
        ended = [(run_id, log.size) for run_id, log in self._behind.items() if log.ended]
        excess = sum(size for _, size in ended) - ENDED_BYTES
        for run_id, size in ended:
            if excess <= 0:
                return
            excess -= size
            del self._behind[run_id]
            self._sent.pop(run_id, None)

    def flush(self, timeout: float) -> None:
        """Wait until everything is written, at most `timeout` seconds, before the process ends."""
        deadline = time.monotonic() + timeout
        while self._behind and time.monotonic() < deadline:
            gevent.sleep(PAUSE_SECONDS)

    def stop(self) -> None:
        """Stop writing."""
        self._is_stopped = True
        if self._greenlet is not None:
            self._greenlet.kill(block=False)

    def _loop(self) -> None:
        while True:
            self._work.wait()
            self._work.clear()
            while self._behind:
                if not self._breaker.is_open:
                    try:
                        self._write()
                    except redis.RedisError as error:
                        self._breaker.failed(error)
                gevent.sleep(PAUSE_SECONDS)

    def _write(self) -> None:
        """Write a page of each of some runs. Runs with more events move to the end of the queue."""
        taken = list(self._behind.items())[:PAGES]
        for run_id, _ in taken:
            del self._behind[run_id]
        try:
            pages = {run_id: self._page(log) for run_id, log in taken}
            written = [page for page in pages.values() if page is not None]
            answers = self._streams.add(written) if written else []
        except BaseException:
            self._behind = dict(taken) | self._behind
            raise
        logs = dict(taken)
        for page, last in zip(written, answers, strict=True):
            self._advance(logs[page.run_id], last)

    def _page(self, log: RunLog) -> Page | None:
        """Return the next page of a log, or None."""
        sent = max(self._sent.get(log.run_id, 0), log.dropped)
        frames = log.frames(sent, PAGE_BYTES)[:PAGE]
        if not frames:
            return None
        ends = log.ended and sent + len(frames) == log.length
        return Page(log.run_id, FIRST_EPOCH, sent + 1, log.dropped + 1, frames, ends)

    def _advance(self, log: RunLog, last: int) -> None:
        """Continue from the stored number. A Redis that lost its memory returns where to restart.

        If another process holds the run, this process's events are discarded.
        """
        if last >= 0 and last < log.length:
            self._sent[log.run_id] = last
            self._behind.setdefault(log.run_id, log)
        elif log.ended or last < 0:
            self._sent.pop(log.run_id, None)
        else:
            self._sent[log.run_id] = last


class _Mirror:
    """A log in this process, and when to check its source."""

    def __init__(self, log: RunLog) -> None:
        self.log = log
        self.ask_at = time.monotonic() + STATE_SECONDS
        self.give_up_at = float("inf")


class Mirrors:
    """Copies of logs in Redis for the readers at this process, all updated by one greenlet.

    :param running: returns the runs that are active, as far as the database can determine.
    """

    def __init__(self, streams: RunStreams, breaker: Breaker, running: Running) -> None:
        self._streams = streams
        self._breaker = breaker
        self._running = running
        self._asking: gevent.Greenlet[..., None] | None = None
        self._mirrors: dict[str, _Mirror] = {}
        self._note_at = 0.0
        self._greenlet: gevent.Greenlet[..., None] | None = None

    def open(self, run_id: str) -> RunLog | None:
        """Return the log of a run, which is filled as its events arrive. Return None if Redis has
        none.

        :raises redis.RedisError: if Redis does not answer.
        """
        mirror = self._mirrors.get(run_id)
        if mirror is None or mirror.log.broken:
            if not self._streams.exists(run_id):
                return None
            mirror = _Mirror(RunLog(run_id))
            self._read(
                {run_id: mirror}
            )  # before the mirror is visible to others, because this may raise
            # If another caller has opened a mirror, that mirror is fed, and this one is dropped.
            known = self._mirrors.get(run_id)
            if known is not None and not known.log.broken:
                mirror = known
            self._mirrors[run_id] = mirror
        if not mirror.log.readers:
            # The caller is about to read, so the log must not be dropped as idle before that.
            mirror.log.unread_since = time.monotonic()
        if self._greenlet is None or self._greenlet.dead:
            self._greenlet = gevent.spawn(self._loop)
        return mirror.log

    def stop(self) -> None:
        """Stop fetching."""
        if self._greenlet is not None:
            self._greenlet.kill(block=False)

    def _loop(self) -> None:
        while self._mirrors:
            gevent.sleep(POLL_SECONDS)
            self._forget()
            if not self._mirrors or self._breaker.is_open:
                continue
            try:
                self._read(self._mirrors)
                self._note_readers()
            except redis.RedisError as error:
                self._breaker.failed(error)
            except Exception as error:  # noqa: BLE001 - the next round may work again
                log.error("logs of other processes could not be read: %s", describe(error))

    def _read(self, mirrors: dict[str, _Mirror]) -> None:
        """Fetch all new events of some logs."""
        wanted = {run_id: each.log.length for run_id, each in mirrors.items()}
        while wanted:
            found = self._streams.read(wanted)
            for run_id, entries in found.items():
                self._feed(mirrors[run_id], entries)
            wanted = {
                run_id: mirrors[run_id].log.length
                for run_id in found
                if not mirrors[run_id].log.ended and not mirrors[run_id].log.broken
            }

    @staticmethod
    def _feed(mirror: _Mirror, entries: list[Entry]) -> None:
        mirror.ask_at = time.monotonic() + STATE_SECONDS
        try:
            for entry in entries:
                mirror.log.was_cut = entry.epoch != FIRST_EPOCH
                mirror.log.feed(entry.number, entry.frame, is_last=entry.is_last)
        except ValueError:  # events that the stream has lost
            mirror.log.give_up()

    def _note_readers(self) -> None:
        if time.monotonic() >= self._note_at:
            self._note_at = time.monotonic() + NOTE_SECONDS
            read = [run_id for run_id, each in self._mirrors.items() if each.log.readers]
            if read:
                self._streams.note_readers(read)

    def _forget(self) -> None:
        """Drop the logs that have no reader, that have ended, or whose end cannot arrive."""
        now = time.monotonic()
        silent = []
        for run_id, mirror in list(self._mirrors.items()):
            events = mirror.log
            if now >= mirror.ask_at and not events.ended:
                mirror.ask_at = now + STATE_SECONDS
                silent.append(run_id)
            if now >= mirror.give_up_at:
                events.give_up()
            is_idle = not events.readers and now - events.unread_since > IDLE_SECONDS
            if events.ended or events.broken or is_idle:
                del self._mirrors[run_id]
        if silent and (self._asking is None or self._asking.dead):
            # In a separate greenlet: a hanging database must not delay other readers' events.
            self._asking = gevent.spawn(self._ask, silent)

    def _ask(self, silent: list[str]) -> None:
        """Give up the logs of runs that are no longer active, unless their end arrives soon."""
        running = self._running(silent)
        until = time.monotonic() + PATIENCE_SECONDS
        for run_id in silent:
            if run_id not in running and run_id in self._mirrors:
                mirror = self._mirrors[run_id]
                mirror.give_up_at = min(mirror.give_up_at, until)


class SharedLogs:
    """Sends the logs of this process to Redis and fetches other processes' logs.

    :param retention: how long, in seconds, the events of a silent active run are stored.
    :param kept: how long, in seconds, the events of an ended run are stored.
    :param running: returns the runs that are active, as far as the database can determine.
    """

    def __init__(
        self,
        shared: SharedRedis,
        retention: float,
        kept: float,
        running: Running,
    ) -> None:
        self._kept = kept
        self._streams = RunStreams(shared.client, retention, kept)
        self._breaker = shared.breaker
        self._mirrors = Mirrors(self._streams, shared.breaker, running)
        self._publisher = Publisher(self._streams, shared.breaker)

    def publish(self, log: RunLog) -> None:
        """Send the new events of a log soon."""
        self._publisher.publish(log)

    def flush(self, timeout: float) -> None:
        """Wait until everything is sent, at most `timeout` seconds."""
        self._publisher.flush(timeout)

    def stop(self) -> None:
        """Stop sending and fetching."""
        self._publisher.stop()
        self._mirrors.stop()

    def close(self, record: RunRecord) -> None:
        """Send the terminal event of an ended run, if its own process did not.

        If Redis has no events of the run, this does nothing.
        """
        if self._breaker.is_open:
            return
        try:
            for _ in range(CLOSE_TRIES):
                newest = self._streams.last(record.id)
                if newest is None or newest.is_last:
                    return
                # A holder that is alive after all may write at the same time. Then its event keeps
                # the number, and this event is sent after it.
                self._streams.add([_end(record, newest.number + 1)])
        except redis.RedisError as error:
            self._breaker.failed(error)

    def end_of(self, record: RunRecord) -> RunLog | None:
        """Return a log with the terminal event alone, for a run that was lost before Redis had its
        events.

        Return None for an older run, because Redis may have had its events.
        """
        if record.finished_ms is None or now_ms() - record.finished_ms > self._kept * 1000:
            return None
        log = RunLog(record.id)
        log.was_cut = True
        log.feed(1, _end(record, 1).frames[0], is_last=True)
        return log

    def open(self, run_id: str) -> RunLog | None:
        """Return the log of another process's run, or None if Redis has no events of it.

        :raises ServiceError: `events_unavailable` if Redis does not answer.
        """
        try:
            if self._breaker.is_open:
                raise redis.ConnectionError
            return self._mirrors.open(run_id)
        except redis.RedisError as error:
            if not self._breaker.is_open:
                self._breaker.failed(error)
            raise self.unavailable() from None

    @staticmethod
    def unavailable() -> ServiceError:
        """Return the error for events that may still arrive."""
        return ServiceError(
            ErrorCode.EVENTS_UNAVAILABLE,
            "The run belongs to another process, whose events are unavailable now. Try again.",
            retry_after=RETRY_SECONDS,
        )

    def is_read_elsewhere(self, run_id: str) -> bool:
        """Return whether another process has a reader of a run of this process.

        Return True if unknown.
        """
        if self._breaker.is_open:
            return True
        try:
            return self._streams.has_readers(run_id)
        except redis.RedisError as error:
            self._breaker.failed(error)
            return True


def _end(record: RunRecord, number: int) -> Page:
    """Return the terminal event of a run, from its row, as the next page of its stream."""
    event = recorded_terminal(record)
    event.sequence, event.run_id = number, record.id
    return Page(
        run_id=record.id,
        epoch=record.epoch,
        first=number,
        earliest=number,
        frames=[encode_frame(event)],
        ends=True,
    )
