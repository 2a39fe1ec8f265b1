"""The server's side of the worker processes: a fair queue, deadlines, and what comes back."""

from __future__ import annotations

import logging
import time
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import gevent
from gevent.queue import SimpleQueue

from codeintel.contracts import (
    Analyzer,
    AnalyzerOutputFrom,
    AnalyzerReport,
    AnalyzerRequest,
    AnalyzerStatus,
    Detection,
    LanguageDetector,
    Metric,
    Note,
    Reported,
)
from codeintel.positions import LineTable
from codeintel.workers.checks import (
    MisstatementError,
    check_finding,
    check_metric,
    checked_detection,
)
from codeintel.workers.fair import FairSlots
from codeintel.workers.nursery import Nursery
from codeintel.workers.protocol import (
    AnalysisJob,
    Budget,
    Detected,
    DetectionJob,
    Done,
    Job,
    Message,
    decode_message,
    receive_frame,
    send_frame,
)

log = logging.getLogger(__name__)

TURN_MESSAGES = 25

Heard = AnalyzerOutputFrom | AnalyzerReport


class _ChildError(Exception):
    """What a child says of its own failure: a type and a place, never the code."""


class AnalyzerPool:
    """Runs analysers and detectors in worker processes, `slots` at a time, in turns between
    accounts."""

    def __init__(self, slots: int, config: Mapping[str, Any], instance: Path) -> None:
        self._slots = FairSlots(slots)
        self.nursery = Nursery(
            {name: _primitive(value) for name, value in config.items()}, instance
        )

    def start(self) -> None:
        """Get ready before the first run. See :meth:`Nursery.start`."""
        self.nursery.start()

    def stop(self) -> None:
        """End all worker processes for good."""
        self.nursery.close()

    def run(
        self, account_id: str, analyzers: list[Analyzer], request: AnalyzerRequest
    ) -> Iterator[Heard]:
        """Run the analysers on one piece of code and yield what they say as they say it; the last
        word of each is its report. Closing the iterator kills what still runs."""
        heard: SimpleQueue[Heard] = SimpleQueue()
        lines = LineTable(request.code)
        tasks = [
            gevent.spawn(self._run_one, account_id, analyzer, request, lines, heard)
            for analyzer in analyzers
        ]
        try:
            missing = len(tasks)
            taken = 0
            while missing:
                message = heard.get()
                yield message
                missing -= isinstance(message, AnalyzerReport)
                taken += 1
                if taken % TURN_MESSAGES == 0:
                    gevent.sleep(0)  # thousands may be ready at once: others come in between
        finally:
            gevent.killall(tasks)

    def _run_one(
        self,
        account_id: str,
        analyzer: Analyzer,
        request: AnalyzerRequest,
        lines: LineTable,
        heard: SimpleQueue[Heard],
    ) -> None:
        status, findings, started = AnalyzerStatus.FAILED, 0, time.monotonic()
        truncated = False
        try:
            with self._slots.taken(account_id):
                self.start()  # outside the deadline, which is the analyser's own
                started = time.monotonic()
                with gevent.Timeout(analyzer.timeout):
                    for message in self._converse(AnalysisJob(analyzer.name, request)):
                        if isinstance(message, Detected):
                            raise TypeError("an analyser detects nothing")
                        if isinstance(message, Done):
                            status = _status(message, truncated)
                            if message.error is not None:
                                log.warning("analyzer %r failed: %s", analyzer.name, message.error)
                            break
                        if isinstance(message, Reported):
                            check_finding(message.finding, lines)
                            findings += 1
                        if isinstance(message, Metric):
                            check_metric(message)
                        truncated |= isinstance(message, Note) and message.truncated
                        heard.put(AnalyzerOutputFrom(analyzer.name, message))
        except gevent.Timeout:
            status = AnalyzerStatus.TIMED_OUT
        except MisstatementError as error:
            log.warning("analyzer %r failed: %s", analyzer.name, error)
            status = AnalyzerStatus.FAILED
        except Exception as error:  # noqa: BLE001 - who waits for the report must get one
            log.error("analyzer %r failed: %s", analyzer.name, type(error).__name__)
            status = AnalyzerStatus.FAILED
        heard.put(
            AnalyzerReport(
                name=analyzer.name,
                version=analyzer.version,
                status=status,
                findings=findings,
                milliseconds=round((time.monotonic() - started) * 1000),
            )
        )

    def detect(
        self, account_id: str, detectors: Sequence[LanguageDetector], code: str
    ) -> Detection | None:
        """What the first detector by preference that can tell says of the code. A detector that
        fails cannot tell; None where none can."""
        for detector in sorted(detectors, key=lambda detector: -detector.preference):
            try:
                detection = self._ask(account_id, detector, code)
            except (_ChildError, MisstatementError) as error:
                log.warning("detector %r failed: %s", detector.name, error)
            except Exception as error:  # noqa: BLE001 - the next one may be well
                log.error("detector %r failed: %s", detector.name, type(error).__name__)
            else:
                if detection.language is not None:
                    return detection
        return None

    def _ask(self, account_id: str, detector: LanguageDetector, code: str) -> Detection:
        with self._slots.taken(account_id):
            self.start()  # outside the deadline, which is the detector's own
            with gevent.Timeout(detector.timeout, TimeoutError()):
                for message in self._converse(DetectionJob(detector.name, code)):
                    if isinstance(message, Detected):
                        return checked_detection(message.detection)
                    if isinstance(message, Done) and message.error is not None:
                        raise _ChildError(message.error)
        raise _ChildError("it ended without an answer")

    def _converse(self, work: Job) -> Iterator[Message]:
        """Have a child forked, give it the job and yield its messages, the last being `Done`."""
        job, connection = self.nursery.fork()
        try:
            send_frame(connection, work)
            budget = Budget()
            while (received := receive_frame(connection, decode_message)) is not None:
                message, size = received
                if isinstance(message, Done) or budget.admits(message):
                    yield message
                else:
                    yield Done(truncated=True)
                    return
                budget.spend(size)
        finally:
            connection.close()
            self.nursery.kill(job)


def _status(done: Done, truncated: bool) -> AnalyzerStatus:
    if done.error is not None:
        return AnalyzerStatus.FAILED
    return AnalyzerStatus.TRUNCATED if done.truncated or truncated else AnalyzerStatus.COMPLETED


def _primitive(value: Any) -> Any:
    """A setting's value as something that travels between processes."""
    if isinstance(value, tuple | list):
        return [_primitive(item) for item in value]
    if isinstance(value, Mapping):
        return {str(name): _primitive(item) for name, item in value.items()}
    return value if isinstance(value, str | int | float | None) else str(value)
