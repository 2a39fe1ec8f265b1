"""What the server has done by worker processes, and what it makes of what comes back."""

from __future__ import annotations

import logging
import time
from collections.abc import Iterator, Sequence

import gevent
from gevent.queue import SimpleQueue

from codeintel.base.concurrency.pace import give_way
from codeintel.base.logging.context import spawn
from codeintel.contracts import (
    Analyzer,
    AnalyzerOutputFrom,
    AnalyzerReport,
    AnalyzerRequest,
    AnalyzerStatus,
    Check,
    Detection,
    LanguageDetector,
    Metric,
    Note,
    Reported,
    Rewrite,
    RewriteRequest,
    Transformation,
    Unsupported,
)
from codeintel.contracts.analysis import MAX_CODE_CHARACTERS
from codeintel.contracts.positions import LineTable
from codeintel.engine.equivalence.comparison import NAMES, Comparison
from codeintel.platform.workers.checks import (
    MisstatementError,
    check_finding,
    check_metric,
    checked_detection,
)
from codeintel.platform.workers.protocol import (
    AnalysisJob,
    Checked,
    Detected,
    DetectionJob,
    Differs,
    Done,
    Refused,
    RewriteJob,
)
from codeintel.platform.workers.rpc import ChildError, Conversations

log = logging.getLogger(__name__)

TURN_MESSAGES = 25
COMPARISON_SECONDS = 20.0

Heard = AnalyzerOutputFrom | AnalyzerReport


class WorkerError(Exception):
    """A job of a worker process came to nothing; the text is for people."""


class AnalyzerPool(Conversations):
    """Runs analysers, detectors, transformations and checks in worker processes, `slots` at a time,
    in turns between accounts."""

    def run(
        self, account_id: str, analyzers: list[Analyzer], request: AnalyzerRequest
    ) -> Iterator[Heard]:
        """Run the analysers on one piece of code and yield what they say as they say it; the last
        word of each is its report. Closing the iterator kills what still runs."""
        heard: SimpleQueue[Heard] = SimpleQueue()
        lines = LineTable(request.code)
        tasks = [
            spawn(self._run_one, account_id, analyzer, request, lines, heard)
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
                    give_way()  # thousands may be ready at once: others come in between
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
            with self.slots.taken(account_id):
                self.start()  # outside the deadline, which is the analyser's own
                started = time.monotonic()
                with gevent.Timeout(seconds_for(analyzer, request.code)):
                    for message in self._converse(AnalysisJob(analyzer.name, request)):
                        if isinstance(message, Done):
                            status = _status(message, truncated)
                            if message.error is not None:
                                log.warning("analyzer %r failed: %s", analyzer.name, message.error)
                            break
                        if not isinstance(message, Reported | Metric | Note):
                            raise TypeError("no analyser says that")
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
            except (ChildError, MisstatementError) as error:
                log.warning("detector %r failed: %s", detector.name, error)
            except Exception as error:  # noqa: BLE001 - the next one may be well
                log.error("detector %r failed: %s", detector.name, type(error).__name__)
            else:
                if detection.language is not None:
                    return detection
        return None

    def _ask(self, account_id: str, detector: LanguageDetector, code: str) -> Detection:
        job = DetectionJob(detector.name, code)
        for message in self._heard(account_id, job, detector.timeout):
            if isinstance(message, Detected):
                return checked_detection(message.detection)
        raise ChildError("it ended without an answer")

    def rewrite(
        self, account_id: str, transformation: Transformation, request: RewriteRequest
    ) -> Rewrite:
        """What a transformation proposes.

        :raises Unsupported: if it cannot do the code.
        :raises WorkerError: if it failed or took too long.
        """
        name = transformation.name
        try:
            job = RewriteJob(name, request)
            for message in self._heard(account_id, job, transformation.timeout):
                if isinstance(message, Refused):
                    raise Unsupported(message.message)
                if isinstance(message, Rewrite):
                    return message
        except TimeoutError:
            log.warning("transformation %r took longer than %g s", name, transformation.timeout)
            raise WorkerError(
                f"{name} took longer than {transformation.timeout:g} s: send the code in parts."
            ) from None
        except (ChildError, OSError, ValueError) as error:
            log.warning("transformation %r failed: %s", name, error)
            raise WorkerError(f"{name} failed.") from None
        log.warning("transformation %r failed: its process ended without an answer", name)
        raise WorkerError(f"{name} gave no answer.")

    def compare(self, account_id: str, comparison: Comparison) -> tuple[str, list[Check]]:
        """The unified diff, and the checks of new code against old.

        :raises WorkerError: if they failed or took too long.
        """
        diff, checks, is_done = "", [], False
        try:
            for message in self._heard(account_id, comparison, COMPARISON_SECONDS):
                if isinstance(message, Differs):
                    diff = message.diff
                elif isinstance(message, Checked):
                    checks.append(message.check)
                elif isinstance(message, Done):
                    is_done = not message.truncated
        except TimeoutError:
            log.warning("checks took longer than %g s", COMPARISON_SECONDS)
            raise WorkerError(f"The checks took longer than {COMPARISON_SECONDS:g} s.") from None
        except (ChildError, OSError, ValueError) as error:
            log.warning("checks failed: %s", error)
            raise WorkerError("The checks failed.") from None
        if not is_done or tuple(check.name for check in checks) != NAMES:
            raise WorkerError("The checks broke off.")  # what was not said has not passed
        return diff, checks


def seconds_for(analyzer: Analyzer, code: str) -> float:
    """How long an analyser may take: for more code than one request may have, in proportion."""
    return analyzer.timeout * max(1.0, len(code) / MAX_CODE_CHARACTERS)


def _status(done: Done, truncated: bool) -> AnalyzerStatus:
    if done.error is not None:
        return AnalyzerStatus.FAILED
    return AnalyzerStatus.TRUNCATED if done.truncated or truncated else AnalyzerStatus.COMPLETED
