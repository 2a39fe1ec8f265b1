"""Run jobs in worker processes, and check their results."""

from __future__ import annotations

import logging
import math
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import gevent
from gevent.queue import SimpleQueue
from msgspec import UNSET

from codeintel.base.greenlets import FairSlots, give_way
from codeintel.base.logging import spawn
from codeintel.contracts import (
    AnalysisResult,
    Analyzer,
    AnalyzerOutputFrom,
    AnalyzerReport,
    AnalyzerRequest,
    AnalyzerStatus,
    Check,
    Detection,
    Finding,
    LanguageDetector,
    Metric,
    Note,
    Range,
    Reported,
    Rewrite,
    RewriteRequest,
    Transformation,
    Unsupported,
)
from codeintel.contracts.analysis import MAX_CODE_CHARACTERS, MAX_LANGUAGE_CHARACTERS
from codeintel.contracts.languages import canonical_language, is_a_name
from codeintel.contracts.positions import LineTable
from codeintel.engine.equivalence.comparison import NAMES, Comparison
from codeintel.platform.metrics import table
from codeintel.platform.workers.fork_server import Nursery
from codeintel.platform.workers.protocol import (
    OVER_BUDGET,
    AnalysisJob,
    Checked,
    Detected,
    DetectionJob,
    Differs,
    Done,
    Job,
    Message,
    Refused,
    RewriteJob,
    messages,
    send_frame,
)
from codeintel.platform.workers.text_pool import TextPool

log = logging.getLogger(__name__)
TURN_MESSAGES = 25
COMPARISON_SECONDS = 20.0
Heard = AnalyzerOutputFrom | AnalyzerReport
CHECKED_AT_ONCE = 500
_LAST = (Detected, Refused, Rewrite, Done)
"""Final messages. Nothing important follows them."""


class MisstatementError(ValueError):
    """Raised when a plugin's output is impossible. The text quotes no code, so it may be logged."""


class ChildError(Exception):
    """The failure that a child reports: a type and a place, never the code."""


class WorkerError(Exception):
    """Raised when a job of a worker process has no result. The text can be shown to users."""


class AnalyzerPool:
    """Runs analyzers, detectors, transformations and checks in worker processes, `slots` at a time.

    Accounts take turns.

    :param functions: the places of text functions, as `module:NAME`.
    """

    def __init__(
        self,
        slots: int,
        config: Mapping[str, Any],
        instance: Path,
        functions: Sequence[str] = (),
    ) -> None:
        self.slots = FairSlots(slots)
        self.nursery = Nursery(
            {name: _primitive(value) for name, value in config.items()}, instance, functions
        )
        self.texts = TextPool(self.nursery, slots)

    def start(self) -> None:
        """Start the zygote before the first run. See :meth:`Nursery.start`."""
        self.nursery.start()

    def stop(self) -> None:
        """End all worker processes permanently."""
        self.nursery.close()

    def run(
        self, account_id: str, analyzers: list[Analyzer], request: AnalyzerRequest
    ) -> Iterator[Heard]:
        """Run the analyzers on one piece of code and yield their messages as they arrive.

        The last message of each analyzer is its report. Closing the iterator kills what still runs.
        """
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
                    give_way()  # thousands may be ready together, so let others run in between
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
            # A child is forked outside the deadline, which is the analyzer's own.
            with self.slots.taken(account_id), self.child() as child:
                started = time.monotonic()
                with gevent.Timeout(seconds_for(analyzer, request.code)):
                    for message in self._converse(child, AnalysisJob(analyzer.name, request)):
                        if isinstance(message, Done):
                            status = status_of(message, truncated)
                            if message.error is not None:
                                log.warning("analyzer %r failed: %s", analyzer.name, message.error)
                            break
                        if not isinstance(message, Reported | Metric | Note):
                            raise TypeError("no analyzer says that")
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
        """Return the result of the first working detector, by preference, that knows the
        language, or None.
        """
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
        """Return what a transformation proposes.

        :raises Unsupported: if it cannot transform the code.
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
                f"{name} took longer than {transformation.timeout:g} s. Send the code in parts."
            ) from None
        except (ChildError, OSError, ValueError) as error:
            log.warning("transformation %r failed: %s", name, error)
            raise WorkerError(f"{name} failed.") from None
        log.warning("transformation %r failed: its process ended without an answer", name)
        raise WorkerError(f"{name} gave no answer.")

    def compare(self, account_id: str, comparison: Comparison) -> tuple[str, list[Check]]:
        """Return the unified diff, and the checks of new code against old.

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
            # Checks without a result have not passed.
            raise WorkerError("The checks stopped early.")
        return diff, checks

    def _heard(self, account_id: str, job: Job, timeout: float) -> Iterator[Message]:
        """Yield a child's messages within a number of seconds, which start when it has a slot.

        :raises TimeoutError: if it is not done by then.
        :raises ChildError: if it reports a failure.
        """
        with (
            self.slots.taken(account_id),
            self.child() as child,  # forked outside the deadline, which is the job's own
            gevent.Timeout(timeout, TimeoutError()),
        ):
            for message in self._converse(child, job):
                if isinstance(message, Done) and message.error is not None:
                    raise ChildError(message.error)
                yield message

    @contextmanager
    def child(self) -> Iterator[Any]:
        """Yield the connection to a new child, which is killed at the end of the block."""
        job, connection = self.nursery.fork()
        try:
            yield connection
        finally:
            connection.close()
            self.nursery.kill(job)

    def _converse(self, connection: Any, work: Job) -> Iterator[Message]:
        """Give a child the job and yield its messages, the last being `Done`."""
        outcome = "killed"  # unless it reaches its end
        try:
            send_frame(connection, work)
            for message in messages(connection):
                if isinstance(message, _LAST) and message is not OVER_BUDGET:
                    outcome = "failed" if isinstance(message, Done) and message.error else "done"
                yield message
                if message is OVER_BUDGET:
                    return
            if outcome == "killed":
                outcome = "died"
        finally:
            table.POOL_JOBS.add(*_kind(work), outcome)


def check_result(result: AnalysisResult, lines: LineTable, pause: Callable[[], None]) -> None:
    """Check all findings and metrics of a result.

    :param pause: called periodically, because there may be thousands.
    :raises MisstatementError: for the first invalid one.
    """
    for name, value in result.metrics.items():
        check_metric(Metric(name, value))
    for number, finding in enumerate(result.findings, 1):
        check_finding(finding, lines)
        if number % CHECKED_AT_ONCE == 0:
            pause()


def check_finding(finding: Finding, lines: LineTable) -> None:
    """Reject findings with places outside the code, because readers rely on them.

    :raises MisstatementError: if a place of the finding is outside the code.
    """
    for what, place in _places(finding):
        if not lines.contains(place):
            start = f"{place.start_line}:{place.start_column}"
            end = f"{place.end_line}:{place.end_column}"
            raise MisstatementError(
                f"{what} of a finding, {start} to {end}, is outside the code, whose last line is "
                f"{len(lines)}. Columns count from 1, ends are exclusive"
            )
    suppression = finding.suppression
    if suppression is not UNSET and not 1 <= suppression.line <= len(lines):
        raise MisstatementError(
            f"the suppression of a finding, on line {suppression.line}, is outside the code, whose "
            f"last line is {len(lines)}"
        )


def _places(finding: Finding) -> Iterator[tuple[str, Range]]:
    yield "the range", finding.range
    if finding.fix is not UNSET:
        yield from (("an edit", edit.range) for edit in finding.fix.edits)
    if finding.flow is not UNSET:
        yield from (("a step", step.range) for step in finding.flow if step.path is UNSET)


def check_metric(metric: Metric) -> None:
    """Raise MisstatementError for a metric that is infinite or not a number, as JSON has
    neither.
    """
    if not math.isfinite(metric.value):
        raise MisstatementError("the value of a metric is not a finite number")


def checked_detection(detection: Detection) -> Detection:
    """Return a detection with canonical names, each once, best first.

    :raises MisstatementError: for unusable names.
    """
    names = [detection.language or None, *detection.alternatives]
    for name in names:
        if name is not None and (len(name) > MAX_LANGUAGE_CHARACTERS or not is_a_name(name)):
            raise MisstatementError("a language has an invalid name")
    language, *others = (canonical_language(name) if name else None for name in names)
    unique = dict.fromkeys(other for other in others if other and other != language)
    return Detection(language=language, confidence=detection.confidence, alternatives=tuple(unique))


def seconds_for(analyzer: Analyzer, code: str) -> float:
    """Return an analyzer's time limit in seconds, which grows with code over a request's limit."""
    return analyzer.timeout * max(1.0, len(code) / MAX_CODE_CHARACTERS)


def status_of(done: Done, truncated: bool) -> AnalyzerStatus:
    """Return the status of an analyzer that has ended, with a note on omitted findings or not."""
    if done.error is not None:
        return AnalyzerStatus.FAILED
    return AnalyzerStatus.TRUNCATED if done.truncated or truncated else AnalyzerStatus.COMPLETED


def _kind(work: Job) -> tuple[str, str]:
    """Return the kind of work, and the tool that does it."""
    if isinstance(work, AnalysisJob):
        return "analysis", work.analyzer
    if isinstance(work, DetectionJob):
        return "detection", work.detector
    if isinstance(work, RewriteJob):
        return "rewrite", work.transformation
    return "comparison", "checks"


def _primitive(value: Any) -> Any:
    """Return a setting's value in a form that can be sent between processes."""
    if isinstance(value, tuple | list):
        return [_primitive(item) for item in value]
    if isinstance(value, Mapping):
        return {str(name): _primitive(item) for name, item in value.items()}
    return value if isinstance(value, str | int | float | None) else str(value)
