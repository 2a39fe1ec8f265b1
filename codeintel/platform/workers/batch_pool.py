"""Run several analyzers on several small files in one process, because starting one takes longer
than the analysis of a small file.

A file that fails in a batch, or takes too long, is analyzed again in its own process. So its result
is the same as without a batch, and the other files keep theirs. A process that a file has taken
over can change the results of the other files: pass only files of one owner.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Generator, Iterator, Sequence
from contextlib import ExitStack
from typing import Any

import gevent

from codeintel.base.greenlets import Pace
from codeintel.contracts import (
    Analyzer,
    AnalyzerOutputFrom,
    AnalyzerReport,
    AnalyzerRequest,
    Metric,
    Note,
    Reported,
)
from codeintel.contracts.positions import LineTable
from codeintel.platform.metrics import table
from codeintel.platform.workers.pool import (
    AnalyzerPool,
    Heard,
    check_finding,
    check_metric,
    seconds_for,
    status_of,
)
from codeintel.platform.workers.protocol import (
    BatchJob,
    BatchMessage,
    BatchPart,
    Budget,
    Done,
    decode_batch_message,
    receive_frame,
    send_frame,
)

log = logging.getLogger(__name__)

Pair = tuple[int, int]
"""The places of an analyzer and of a request in their lists."""


class BatchPool:
    """Runs batches in children of a pool. A batch takes one slot."""

    def __init__(self, pool: AnalyzerPool) -> None:
        self._pool = pool

    def run(
        self, account_id: str, analyzers: Sequence[Analyzer], requests: Sequence[AnalyzerRequest]
    ) -> Iterator[tuple[int, Heard]]:
        """Run each analyzer on each request, and yield their messages with the request's place.

        The messages of one analyzer about one request come together, its report last, and are
        those of :meth:`AnalyzerPool.run`. Closing the iterator kills what still runs.
        """
        batch = _Batch(self._pool, account_id, analyzers, requests)
        left = {
            (analyzer, request): None
            for analyzer in range(len(analyzers))
            for request in range(len(requests))
        }
        together = True
        while left:
            yield from batch.run(left, together)
            for analyzer, request in batch.take_failed():
                alone = self._pool.run(account_id, [analyzers[analyzer]], requests[request])
                yield from ((request, heard) for heard in alone)
            together = False  # so that the next failure shows which file caused it


class _Batch:
    """The analyzers and requests of a batch, whose processes may fail several times."""

    def __init__(
        self,
        pool: AnalyzerPool,
        account_id: str,
        analyzers: Sequence[Analyzer],
        requests: Sequence[AnalyzerRequest],
    ) -> None:
        self._pool = pool
        self._account_id = account_id
        self._analyzers = analyzers
        self._requests = requests
        self._lines: dict[int, LineTable] = {}
        self._failed: list[Pair] = []

    def take_failed(self) -> list[Pair]:
        """Return the pairs that have to be run alone, once."""
        failed, self._failed = self._failed, []
        return failed

    def run(self, left: dict[Pair, None], together: bool) -> Iterator[tuple[int, Heard]]:
        """Run pairs in one process, and remove those that it has dealt with."""
        with self._pool.slots.taken(self._account_id), ExitStack() as stack:
            try:
                child = stack.enter_context(self._pool.child())
                send_frame(child, self._job(left, together))
            except Exception as error:  # noqa: BLE001 - the pairs are run alone, which reports it
                log.info("a batch of analyses was not started: %s", type(error).__name__)
                self._failed = list(left)
                left.clear()
                return
            pace = Pace()
            while left:
                heard = yield from self._pair(child, left)
                if heard is None:
                    break
                pace.pause()

    def _job(self, left: dict[Pair, None], together: bool) -> BatchJob:
        parts: dict[int, list[int]] = {}
        for analyzer, request in left:
            parts.setdefault(analyzer, []).append(request)
        return BatchJob(
            {request: self._requests[request] for _, request in left},
            tuple(
                BatchPart(analyzer, self._analyzers[analyzer].name, tuple(requests))
                for analyzer, requests in parts.items()
            ),
            together,
        )

    def _pair(
        self, child: Any, left: dict[Pair, None]
    ) -> Generator[tuple[int, Heard], None, Pair | None]:
        """Yield the messages of one pair, and return the pair. Return None if the process failed.

        The messages arrive in sequence, because the process works on one pair at a time.
        """
        started = time.monotonic()
        expected = next(iter(left))
        outputs: list[AnalyzerOutputFrom] = []
        pair: Pair | None = None
        done: Done | None = None
        try:
            for message in self._messages(child, started, expected):
                pair = pair or (message.analyzer, message.request)
                if pair not in left or (message.analyzer, message.request) != pair:
                    raise TypeError("a message about another file")
                if isinstance(message.output, Done):
                    done = message.output
                    break
                self._check(pair, message.output)
                outputs.append(AnalyzerOutputFrom(self._analyzers[pair[0]].name, message.output))
        except Exception as error:  # noqa: BLE001 - the pair is run alone, which reports the reason
            log.info("a batch of analyses was divided: %s", type(error).__name__)
        pair = pair if pair is not None and pair in left else expected
        del left[pair]
        if done is None or done.error is not None:
            self._failed.append(pair)
            return None if done is None else pair
        for each in outputs:
            yield pair[1], each
        yield pair[1], self._report(pair, done, outputs, started)
        return pair

    def _messages(self, child: Any, started: float, expected: Pair) -> Iterator[BatchMessage]:
        """Yield the messages of a pair within its budget and its time, up to the end of the stream.

        :raises TimeoutError: if the time has passed.
        """
        seconds = seconds_for(self._analyzers[expected[0]], self._requests[expected[1]].code)
        budget = Budget()
        while True:
            rest = max(0.0, started + seconds - time.monotonic())
            with gevent.Timeout(rest, TimeoutError()):
                received = receive_frame(child, decode_batch_message)
            if received is None:
                return
            message, size = received
            if not isinstance(message.output, Done) and not budget.admits(message.output):
                raise TypeError("output over the budget")
            budget.spend(size)
            yield message

    def _check(self, pair: Pair, output: Reported | Metric | Note) -> None:
        if isinstance(output, Reported):
            lines = self._lines.get(pair[1])
            if lines is None:
                lines = self._lines[pair[1]] = LineTable(self._requests[pair[1]].code)
            check_finding(output.finding, lines)
        elif isinstance(output, Metric):
            check_metric(output)

    def _report(
        self, pair: Pair, done: Done, outputs: Sequence[AnalyzerOutputFrom], started: float
    ) -> AnalyzerReport:
        analyzer = self._analyzers[pair[0]]
        truncated = any(isinstance(each.output, Note) and each.output.truncated for each in outputs)
        table.POOL_JOBS.add("analysis", analyzer.name, "done")
        return AnalyzerReport(
            name=analyzer.name,
            version=analyzer.version,
            status=status_of(done, truncated),
            findings=sum(isinstance(each.output, Reported) for each in outputs),
            milliseconds=round((time.monotonic() - started) * 1000),
        )
