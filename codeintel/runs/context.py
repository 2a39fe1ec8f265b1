"""The context of an engine: the sending side of a run, and the checks of its results."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Iterable, Iterator, Sequence, Sized
from typing import Any

import gevent
import msgspec
from msgspec import UNSET

from codeintel.base.logging import describe
from codeintel.contracts import (
    AnalysisResult,
    Analyzer,
    AnalyzerOutputFrom,
    AnalyzerReport,
    AnalyzerRequest,
    AnalyzerStatus,
    Candidate,
    Category,
    CheckStatus,
    Detection,
    Failed,
    Finding,
    Incomplete,
    LanguageDetector,
    Promise,
    RewriteRequest,
    Transformation,
    TransformationKind,
    TransformationResult,
    TransformTask,
    Unsupported,
    Usage,
    Verdict,
    VerdictOutcome,
)
from codeintel.contracts.events import FindingEvent, OutputDelta, Progress, VerificationEvent
from codeintel.contracts.positions import LineTable
from codeintel.engine.equivalence.comparison import Comparison
from codeintel.platform.node_sandbox import NodeSandbox
from codeintel.platform.workers.pool import AnalyzerPool, WorkerError, check_finding, check_result
from codeintel.runs.cache import Said
from codeintel.runs.events.log import RunLog
from codeintel.runs.judge import SAME_BEHAVIOUR, Judge, Judged, passing

log = logging.getLogger(__name__)
REPEATED_AT_ONCE = 100
COALESCE_ABOVE = 32
"""Number of active runs above which pieces of output are buffered before they are sent."""
COALESCE_SECONDS = 0.0004
"""Delay per active run, up to the maximum, so that pieces of output from models that send one
every 20 ms are joined. The first piece is sent immediately.
"""
COALESCE_LONGEST_SECONDS = 0.1
MAX_ATTEMPTS = 40
BISECTION_SECONDS = 45.0
"""Time limit for finding the rules whose changes fail. After it, the rest is omitted."""
MAX_REASONS = 3
INVALID_CODE = "invalid_code"
"""The reason of a run that fails because the submitted code does not parse."""
V4_OFF = "The code was not run, because execution is disabled."
V4_NOT_DONE = (
    "The code was not run, because only Python that stays Python, and JavaScript and TypeScript if "
    "Node.js is installed, are run if they pass all other checks."
)


class LoggedContext:
    """The :class:`codeintel.contracts.RunContext` of one run, which writes events to its log."""

    def __init__(
        self,
        run_log: RunLog,
        account_id: str,
        code: str,
        pool: AnalyzerPool,
        analyzers: Sequence[Analyzer],
        detectors: Sequence[LanguageDetector] = (),
        active: Sized = (),
        *,
        keeps: bool = True,
    ) -> None:
        self.has_output = False
        self.on_output: Callable[[], None] = lambda: None
        """Called at the first output."""
        self.usage: Usage | None = None
        """The usage that the engine has reported, or None."""
        self._active = active
        self._output_characters = 0
        self._expected_characters: int | None = None
        self.said: list[Said] = []
        """All events, for results that are reused."""
        self._keeps = keeps
        self._log = run_log
        self._account_id = account_id
        self._lines = LineTable(code)
        self._pool = pool
        self._analyzers = analyzers
        self._detectors = detectors

    def progress(self, message: str, *, analyzer: str | None = None) -> None:
        self._say(Progress(message=message, analyzer=analyzer or UNSET))

    def output(self, text: str) -> None:
        if text:
            self._note_output()
            self._output_characters += len(text)
            event = OutputDelta(text=text)
            self._log.append(
                event
            )  # as _say does: these events are as frequent as pieces of an answer
            if self._keeps:
                self.said.append(event)

    def _note_output(self) -> None:
        if not self.has_output:
            self.has_output = True
            self.on_output()

    def finding(self, finding: Finding) -> None:
        check_finding(finding, self._lines)
        self._note_output()
        self._say(FindingEvent(finding=finding))

    def check(self, result: AnalysisResult) -> None:
        """Check the places and metrics of a result.

        :raises ValueError: if a finding of the result is outside the code, or a metric is not a
            number.
        """
        check_result(result, self._lines, self.pause)

    def pause(self) -> None:
        gevent.sleep(0)

    def used(self, usage: Usage) -> None:
        if not isinstance(usage, Usage):  # from a plugin: it must not fail at the end of the run
            raise TypeError("the usage must be a Usage")
        self.usage = usage

    def expect_output(self, characters: int) -> None:
        self._expected_characters = characters

    @property
    def is_mostly_sent(self) -> bool:
        """Whether half of the longest answer was sent, if the engine has reported its length."""
        longest = self._expected_characters
        return longest is not None and self._output_characters * 2 >= longest

    def coalesce(self) -> None:
        if len(self._active) > COALESCE_ABOVE:
            gevent.sleep(min(COALESCE_LONGEST_SECONDS, len(self._active) * COALESCE_SECONDS))

    def repeat(self, said: Iterable[Said]) -> None:
        """Repeat the events of an equal run."""
        for number, event in enumerate(said, 1):
            if not isinstance(event, Progress):
                self._note_output()
            self._say(event)
            if number % REPEATED_AT_ONCE == 0:
                gevent.sleep(0)

    def _say(self, event: Said) -> None:
        self._log.append(event)
        if self._keeps:
            self.said.append(event)

    def analyze(self, request: AnalyzerRequest) -> Iterator[AnalyzerOutputFrom | AnalyzerReport]:
        able, broken = [], []
        for analyzer in self._analyzers:
            try:
                if analyzer.takes(request):
                    able.append(analyzer)
            except (Exception, SystemExit) as error:  # noqa: BLE001 - it may be a plugin's
                log.error("analyzer %r failed to answer: %s", analyzer.name, describe(error))
                broken.append(_failed(analyzer))
        heard = self._pool.run(self._account_id, able, request)
        return _behind(broken, heard) if broken else heard

    def looks_for(self, category: Category, request: AnalyzerRequest) -> bool:
        return any(self._looks_for(each, category, request) for each in self._analyzers)

    def _looks_for(self, analyzer: Analyzer, category: Category, request: AnalyzerRequest) -> bool:
        try:
            return analyzer.takes(request) and analyzer.looks_for(category, request.language)
        except (Exception, SystemExit) as error:  # noqa: BLE001 - it may be a plugin's
            log.error("analyzer %r cannot list its rules: %s", analyzer.name, describe(error))
            return False

    def detect(self, code: str) -> Detection | None:
        return self._pool.detect(self._account_id, self._detectors, code)


class LoggedTransformContext(LoggedContext):
    """The :class:`codeintel.contracts.TransformContext` of one run.

    :param ways: the registered transformations for the task, the preferred one first.
    :param sandbox: where code may be executed; None disables execution.
    """

    def __init__(
        self,
        *args: Any,
        kind: TransformationKind,
        ways: Sequence[Transformation],
        sandbox: NodeSandbox | None = None,
        **more: Any,
    ) -> None:
        super().__init__(*args, **more)
        self.ways = tuple(ways)
        self._without: dict[str, tuple[str, ...]] = {}
        by_name = {way.name: way for way in ways}
        self._judge = Judge(
            self._pool, self._account_id, self.analyze, kind.promises, by_name, sandbox
        )
        self._can_run = sandbox is not None

    def rewrite(self, way: Transformation, task: TransformTask) -> Candidate:
        candidate = self._proposed(way, task)
        verdict = self.judge(task, candidate)
        if candidate.code == task.code:
            self._refuse_unreadable(verdict)
        if not verdict.failures or candidate.code == task.code:
            return candidate
        rules = tuple(dict.fromkeys(change.rule for change in candidate.changes))
        self.progress(f"{verdict.failures[0].evidence} Looking for the rules that cause it.")
        kept = passing(rules, self._attempts(way, task, frozenset(rules)))
        left_out = tuple(sorted(kept.symmetric_difference(rules)))
        if left_out:
            self.progress(
                "These rules were omitted because their changes did not pass the checks: "
                f"{', '.join(left_out)}."
            )
        return self._proposed(way, task, left_out)

    @staticmethod
    def _refuse_unreadable(verdict: Verdict) -> None:
        """Reject original code that does not parse, because it cannot be changed or charged."""
        for check in verdict.failures:
            if check.name == Promise.PARSES:
                raise Failed(INVALID_CODE, f"{check.evidence} Nothing was charged.")

    def _unreadable(self, task: TransformTask) -> str | None:
        """Return why the original code does not parse, or None if it does or that is unknown."""
        same = Comparison(
            before=task.code, after=task.code, language=task.language, target=task.language
        )
        try:
            parses = self._pool.compare(self._account_id, same)[1][0]
        except WorkerError:
            return None
        return parses.evidence if parses.status is CheckStatus.FAILED else None

    def _attempts(
        self, way: Transformation, task: TransformTask, rules: frozenset[str]
    ) -> Callable[[frozenset[str]], bool]:
        """Return a function that tests the changes of some rules.

        After the time limit, every test fails.
        """
        until = time.monotonic() + BISECTION_SECONDS
        left = MAX_ATTEMPTS

        def passes(kept: frozenset[str]) -> bool:
            nonlocal left
            left -= 1
            if left < 0 or time.monotonic() > until or kept == rules:
                return False
            try:
                candidate = self._proposed(way, task, tuple(sorted(rules - kept)))
            except Failed:  # alone, the rules fail the checks
                return False
            return not self.judge(task, candidate).failures

        return passes

    def judge(self, task: TransformTask, candidate: Candidate) -> Verdict:
        return self._judged(task, candidate).verdict

    def _judged(self, task: TransformTask, candidate: Candidate) -> Judged:
        return self._judge.judge(task, candidate, self._without.get(candidate.transformation, ()))

    def conclude(
        self, engine: str, task: TransformTask, candidate: Candidate
    ) -> TransformationResult:
        """Return the result with the candidate, if the checks accept it.

        :raises Incomplete: with the original as the result, if the checks reject the candidate.
        """
        judged = self._judged(task, candidate)
        verdict = judged.verdict
        if not any(check.name == SAME_BEHAVIOUR for check in verdict.checks):
            not_run = V4_NOT_DONE if self._can_run else V4_OFF
            verdict = msgspec.structs.replace(verdict, unchecked=(*verdict.unchecked, not_run))
        self._log.append(
            VerificationEvent(
                checks=verdict.checks,
                unchecked=verdict.unchecked,
                verdict=verdict.outcome,
                verified=verdict.is_verified,
            )
        )
        changed = candidate.code != task.code or task.target != task.language
        result = TransformationResult(
            transformation=task.kind,
            source_language=task.language,
            language=task.target,
            engine=candidate.engine or engine,
            code=candidate.code,
            changed=changed,
            verdict=verdict.outcome,
            verified=verdict.is_verified,
            diff=judged.diff,
            changes=candidate.changes,
            losses=candidate.losses,
            checks=verdict.checks,
            unchecked=verdict.unchecked,
        )
        if not changed or not verdict.is_refused:
            return result
        original = unchanged(result.engine, task, verdict)
        raise Incomplete("not_verified", _reasons(verdict), original)

    def _proposed(
        self, way: Transformation, task: TransformTask, without: tuple[str, ...] = ()
    ) -> Candidate:
        """Return what a transformation proposes without some of its rules."""
        self._without[way.name] = without
        request = RewriteRequest(
            code=task.code,
            language=task.language,
            target=task.target,
            options=task.options,
            without=without,
        )
        try:
            rewrite = self._pool.rewrite(self._account_id, way, request)
        except Unsupported as refusal:
            unreadable = self._unreadable(task)
            if unreadable is not None:
                raise Failed(INVALID_CODE, f"{unreadable} Nothing was charged.") from None
            raise Failed("unsupported_without_model", str(refusal)) from None
        except WorkerError as error:
            raise Failed("transformation_failed", str(error)) from None
        return Candidate(
            code=rewrite.code,
            changes=rewrite.changes,
            losses=rewrite.losses,
            transformation=way.name,
        )


def _behind(
    first: Iterable[AnalyzerReport], then: Iterator[AnalyzerOutputFrom | AnalyzerReport]
) -> Iterator[AnalyzerOutputFrom | AnalyzerReport]:
    yield from first
    yield from then


def _failed(analyzer: Analyzer) -> AnalyzerReport:
    """Return the report of an analyzer that did not reach a worker process."""
    return AnalyzerReport(
        name=analyzer.name,
        version=analyzer.version,
        status=AnalyzerStatus.FAILED,
        findings=0,
        milliseconds=0,
    )


def _reasons(verdict: Verdict) -> str:
    """Return why a candidate was rejected."""
    said = [check.evidence for check in verdict.failures][:MAX_REASONS]
    return " ".join(["No result passed the checks, so this is the original.", *said])


def unchanged(
    engine: str, task: TransformTask, verdict: Verdict | None = None
) -> TransformationResult:
    """Return the original, with the checks of the last attempt if there was one."""
    return TransformationResult(
        transformation=task.kind,
        source_language=task.language,
        language=task.language,
        engine=engine,
        code=task.code,
        changed=False,
        verdict=VerdictOutcome.UNPROVEN,
        verified=False,
        diff="",
        changes=(),
        losses=(),
        checks=verdict.checks if verdict is not None else (),
        unchecked=verdict.unchecked if verdict is not None else (),
    )
