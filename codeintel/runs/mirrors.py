"""Reading the logs of runs that other processes work on."""

from __future__ import annotations

import time
from collections.abc import Callable

import gevent
import redis

from codeintel.breaker import Breaker
from codeintel.runs.log import RunLog
from codeintel.runs.stream import FIRST_EPOCH, Entry, RunStreams

POLL_SECONDS = 0.05
NOTE_SECONDS = 1.0
STATE_SECONDS = 3.0
"""How often the database is asked whether a silent run goes on."""
IDLE_SECONDS = 5.0
"""How long a log without a reader is kept."""
PATIENCE_SECONDS = 2.0
"""How long the last events may take once the database says that a run has ended."""


class _Mirror:
    """A log here and what is known of its source."""

    def __init__(self, log: RunLog) -> None:
        self.log = log
        self.ask_at = time.monotonic() + STATE_SECONDS
        self.give_up_at = float("inf")


class Mirrors:
    """Copies of logs in Redis for the readers at this process, all followed by one greenlet.

    :param is_running: what the database says of a run.
    """

    def __init__(
        self, streams: RunStreams, breaker: Breaker, is_running: Callable[[str], bool]
    ) -> None:
        self._streams = streams
        self._breaker = breaker
        self._is_running = is_running
        self._mirrors: dict[str, _Mirror] = {}
        self._note_at = 0.0
        self._greenlet: gevent.Greenlet[..., None] | None = None

    def open(self, run_id: str) -> RunLog | None:
        """The log of a run, filled as its events come; None if Redis has none of them.

        :raises redis.RedisError: if it cannot be asked.
        """
        if run_id in self._mirrors:
            return self._mirrors[run_id].log
        if not self._streams.exists(run_id):
            return None
        log = RunLog(run_id)
        mirror = self._mirrors[run_id] = _Mirror(log)
        self._read({run_id: mirror})
        if self._greenlet is None or self._greenlet.dead:
            self._greenlet = gevent.spawn(self._loop)
        return log

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
        for run_id, mirror in list(self._mirrors.items()):
            log = mirror.log
            if now >= mirror.ask_at and not log.ended:
                mirror.ask_at = now + STATE_SECONDS
                if not self._is_running(run_id):
                    mirror.give_up_at = min(mirror.give_up_at, now + PATIENCE_SECONDS)
            if now >= mirror.give_up_at:
                log.give_up()
            is_idle = not log.readers and now - log.unread_since > IDLE_SECONDS
            if log.ended or log.broken or is_idle:
                del self._mirrors[run_id]
