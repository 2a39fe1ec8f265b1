"""Gather concurrent analyses of small files, and run them together in batches."""

from __future__ import annotations

import logging
from collections import deque
from collections.abc import Iterator, Sequence
from contextlib import closing
from typing import Any

import gevent
from gevent.queue import SimpleQueue

from codeintel.base.logging import describe, spawn
from codeintel.contracts import Analyzer, AnalyzerReport, AnalyzerRequest
from codeintel.platform.workers.batch_pool import BatchPool
from codeintel.platform.workers.pool import AnalyzerPool, Heard

log = logging.getLogger(__name__)

SMALL_CHARACTERS = 20_000
"""Longer codes are analyzed alone, because their analysis takes longer than a process's start."""
MIN_FILES, MAX_FILES = 8, 24
MAX_CHARACTERS = 60_000
"""The sizes of a batch, if enough files wait. It delays other work of its slot by half a second."""
GATHERED = 64
"""The number of concurrent requests that keeps the slots busy."""
_GATHER_SECONDS = 0.002

_Key = tuple[str, tuple[str, ...]]


class _Waiting:
    """A request that waits for its messages."""

    def __init__(self, request: AnalyzerRequest, reports: int) -> None:
        self.request = request
        self.heard: SimpleQueue[Heard | None] = SimpleQueue()
        """Ends with None if the batch failed."""
        self.missing = reports
        self.is_wanted = True


class GatheredPool(AnalyzerPool):
    """A pool with the results of another pool, which needs fewer processes for small files.

    Requests that arrive while others run, from the same account for the same analyzers, share
    processes. So call it from many greenlets.
    """

    def __init__(self, pool: AnalyzerPool) -> None:
        self.slots, self.nursery, self.texts = pool.slots, pool.nursery, pool.texts
        self._pool = pool
        self._batches = BatchPool(pool)
        self._waiting: dict[_Key, deque[_Waiting]] = {}
        self._running: dict[_Key, int] = {}

    def run(
        self, account_id: str, analyzers: list[Analyzer], request: AnalyzerRequest
    ) -> Iterator[Heard]:
        """Yield the messages of the analyzers, the last message of each being its report."""
        if len(request.code) > SMALL_CHARACTERS or not analyzers:
            yield from self._pool.run(account_id, analyzers, request)
            return
        waiting = _Waiting(request, len(analyzers))
        key = account_id, tuple(analyzer.name for analyzer in analyzers)
        self._waiting.setdefault(key, deque()).append(waiting)
        if self._running.get(key, 0) < self._pool.slots.count:
            self._running[key] = self._running.get(key, 0) + 1
            spawn(self._serve, key, analyzers)
        try:
            while waiting.missing:
                heard = waiting.heard.get()
                if heard is None:
                    raise RuntimeError("a batch of analyses failed")
                waiting.missing -= isinstance(heard, AnalyzerReport)
                yield heard
        finally:
            waiting.is_wanted = False

    def _serve(self, key: _Key, analyzers: Sequence[Analyzer]) -> None:
        """Run batches until no request waits."""
        try:
            gevent.sleep(_GATHER_SECONDS)
            while batch := self._next(key):
                self._run(key[0], analyzers, batch)
        except KeyboardInterrupt:  # the program ends, so no analysis has failed
            self._waiting.clear()
            raise
        finally:
            self._running[key] -= 1
            if not self._running[key]:
                del self._running[key]
                for each in self._waiting.pop(key, ()):
                    each.heard.put(None)

    def _next(self, key: _Key) -> list[_Waiting]:
        """Take a share of the waiting requests, so that all slots have work."""
        waiting = self._waiting[key]
        share = max(MIN_FILES, -(-len(waiting) // self._pool.slots.count))
        batch: list[_Waiting] = []
        size = 0
        while waiting and len(batch) < min(share, MAX_FILES):
            size += len(waiting[0].request.code)
            if batch and size > MAX_CHARACTERS:
                break
            first = waiting.popleft()
            if first.is_wanted:
                batch.append(first)
        return batch

    def _run(self, account_id: str, analyzers: Sequence[Analyzer], batch: list[_Waiting]) -> None:
        requests = [each.request for each in batch]
        try:
            heard: Any = self._batches.run(account_id, analyzers, requests)
            with closing(heard):
                for place, message in heard:
                    batch[place].heard.put(message)
                    if not any(each.is_wanted for each in batch):
                        return
        except KeyboardInterrupt:
            batch.clear()
            raise
        except Exception as error:  # noqa: BLE001 - the readers must get an answer
            log.error("a batch of analyses failed: %s", describe(error))
        finally:
            for each in batch:
                each.heard.put(None)
