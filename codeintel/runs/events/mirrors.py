"""Reading the logs of runs that other processes work on."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Collection

import gevent
import redis

from codeintel.base.concurrency.circuit_breaker import Breaker
from codeintel.base.logging.setup import describe
from codeintel.contracts.run_states import FIRST_EPOCH
from codeintel.runs.events.log import RunLog
from codeintel.runs.events.stream import Entry, RunStreams

POLL_SECONDS = 0.05
NOTE_SECONDS = 1.0
STATE_SECONDS = 3.0
"""How often the database is asked whether a silent run goes on."""
IDLE_SECONDS = 5.0
"""How long a log without a reader is kept."""
PATIENCE_SECONDS = 2.0
"""How long the last events may take once the database says that a run has ended."""


log = logging.getLogger(__name__)

Running = Callable[[Collection[str]], Collection[str]]


class _Mirror:
    """A log here and what is known of its source."""

    def __init__(self, log: RunLog) -> None:
        self.log = log
        self.ask_at = time.monotonic() + STATE_SECONDS
        self.give_up_at = float("inf")


class Mirrors:
    """Copies of logs in Redis for the readers at this process, all followed by one greenlet.

    :param running: which of some runs go on, as far as the database can tell.
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
        """The log of a run, filled as its events come; None if Redis has none of them.

        :raises redis.RedisError: if it cannot be asked.
        """
        mirror = self._mirrors.get(run_id)
        if mirror is None or mirror.log.broken:
            if not self._streams.exists(run_id):
                return None
            mirror = _Mirror(RunLog(run_id))
            self._read({run_id: mirror})  # before anybody else can see it: this may raise
            # Somebody else may have opened it meanwhile: then that one is fed, and this is dropped.
            known = self._mirrors.get(run_id)
            if known is not None and not known.log.broken:
                mirror = known
            self._mirrors[run_id] = mirror
        if not mirror.log.readers:
            # The caller is about to read: the log must not be let go of as an idle one before.
            mirror.log.unread_since = time.monotonic()
        if self._greenlet is None or self._greenlet.dead:
            self._greenlet = gevent.spawn(self._loop)
        return mirror.log

    def stop(self) -> None:
        """Fetch nothing more."""
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
                log.error("logs of other processes were not read: %s", describe(error))

    def _read(self, mirrors: dict[str, _Mirror]) -> None:
        """Fetch what is new of some logs, to the end of what there is."""
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
        """Let go of the logs that nobody reads, that have ended, or whose end cannot come."""
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
            # By itself: a database that hangs must not keep others from their events.
            self._asking = gevent.spawn(self._ask, silent)

    def _ask(self, silent: list[str]) -> None:
        """Have the logs of runs given up that go on no longer, unless their end comes soon."""
        running = self._running(silent)
        until = time.monotonic() + PATIENCE_SECONDS
        for run_id in silent:
            if run_id not in running and run_id in self._mirrors:
                mirror = self._mirrors[run_id]
                mirror.give_up_at = min(mirror.give_up_at, until)
