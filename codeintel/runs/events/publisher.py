"""Writing the logs of this process's runs to Redis, without making the runs wait."""

from __future__ import annotations

import time

import gevent
import redis
from gevent.event import Event

from codeintel.base.concurrency.circuit_breaker import Breaker
from codeintel.contracts.run_states import FIRST_EPOCH
from codeintel.runs.events.log import RunLog
from codeintel.runs.events.logs import ENDED_BYTES
from codeintel.runs.events.stream import PAGE, Page, RunStreams

PAUSE_SECONDS = 0.02
"""Between two writes: events of that time go together."""
PAGE_BYTES = 256 * 1024
PAGES = 32
LET_GO_EVERY = 64


class Publisher:
    """One greenlet that writes what is new of all runs, and catches up when Redis was away: the
    logs are in memory anyway, so nothing is lost by waiting."""

    def __init__(self, streams: RunStreams, breaker: Breaker) -> None:
        self._streams = streams
        self._breaker = breaker
        self._sent: dict[str, int] = {}
        self._behind: dict[str, RunLog] = {}
        self._ended = 0
        self._work = Event()
        self._greenlet: gevent.Greenlet[..., None] | None = None

    def publish(self, log: RunLog) -> None:
        """Have what is new of a log written soon."""
        self._behind[log.run_id] = log
        self._work.set()
        if log.ended and self._breaker.is_open:
            self._let_go()
        if self._greenlet is None or self._greenlet.dead:
            self._greenlet = gevent.spawn(self._loop)

    def _let_go(self) -> None:
        """While Redis is away ended runs wait in memory: the oldest are not sent any more when they
        are too many. Readers elsewhere are told that the events are gone."""
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
        """Wait until all is written, at most `timeout` seconds: for the end of a process."""
        deadline = time.monotonic() + timeout
        while self._behind and time.monotonic() < deadline:
            gevent.sleep(PAUSE_SECONDS)

    def stop(self) -> None:
        """Write nothing more."""
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
        """Write a page of each of some runs; those that have more wait at the end of the line."""
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
        """What comes next of a log, if anything."""
        sent = max(self._sent.get(log.run_id, 0), log.dropped)
        frames = log.frames(sent, PAGE_BYTES)[:PAGE]
        if not frames:
            return None
        ends = log.ended and sent + len(frames) == log.length
        return Page(log.run_id, FIRST_EPOCH, sent + 1, log.dropped + 1, frames, ends)

    def _advance(self, log: RunLog, last: int) -> None:
        """Go on from what is there; a Redis that lost its memory says where to begin again. What a
        process says of a run that another one holds is void."""
        if last >= 0 and last < log.length:
            self._sent[log.run_id] = last
            self._behind.setdefault(log.run_id, log)
        elif log.ended or last < 0:
            self._sent.pop(log.run_id, None)
        else:
            self._sent[log.run_id] = last
