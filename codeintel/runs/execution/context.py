"""What an engine is given to work with: the sending side of a run."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable, Iterator, Sequence, Sized

import gevent
from msgspec import UNSET

from codeintel.base.logging.setup import describe
from codeintel.contracts import (
    AnalysisResult,
    Analyzer,
    AnalyzerOutputFrom,
    AnalyzerReport,
    AnalyzerRequest,
    AnalyzerStatus,
    Category,
    Detection,
    Finding,
    LanguageDetector,
    Metric,
    Usage,
)
from codeintel.contracts.events import FindingEvent, OutputDelta, Progress
from codeintel.contracts.positions import LineTable
from codeintel.platform.workers.checks import check_finding, check_metric
from codeintel.platform.workers.pool import AnalyzerPool
from codeintel.runs.events.log import RunLog
from codeintel.runs.shared_results import Said

log = logging.getLogger(__name__)

REPEATED_AT_ONCE = 100
CHECKED_AT_ONCE = 500
COALESCE_ABOVE = 32
"""Runs under way above which pieces of output are gathered before they are passed on."""
COALESCE_SECONDS = 0.0004
"""For each run under way, up to the longest: so that several pieces gather of models that send one
each 20 ms. The first piece is passed on before."""
COALESCE_LONGEST_SECONDS = 0.1


class LoggedContext:
    """The :class:`codeintel.contracts.RunContext` of one run: what is said goes into its log."""

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
        """Called when there is some for the first time."""
        self.usage: Usage | None = None
        """What the engine has said that it used, if it has."""
        self._active = active
        self._output_characters = 0
        self._expected_characters: int | None = None
        self.said: list[Said] = []
        """All of it, for results that are used again."""
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
            self._log.append(event)  # as _say does: there are as many as pieces of an answer
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
        """:raises ValueError: if a finding of the result lies outside the code, or a metric is no
        number."""
        for name, value in result.metrics.items():
            check_metric(Metric(name, value))
        for number, finding in enumerate(result.findings, 1):
            check_finding(finding, self._lines)
            if number % CHECKED_AT_ONCE == 0:
                gevent.sleep(0)

    def pause(self) -> None:
        gevent.sleep(0)

    def used(self, usage: Usage) -> None:
        if not isinstance(usage, Usage):  # a plugin's: it must not be what fails at the end
            raise TypeError("what was used must be a Usage")
        self.usage = usage

    def expect_output(self, characters: int) -> None:
        self._expected_characters = characters

    @property
    def is_mostly_sent(self) -> bool:
        """Whether half of the longest answer was sent, as far as the engine has told how long that
        is."""
        longest = self._expected_characters
        return longest is not None and self._output_characters * 2 >= longest

    def coalesce(self) -> None:
        if len(self._active) > COALESCE_ABOVE:
            gevent.sleep(min(COALESCE_LONGEST_SECONDS, len(self._active) * COALESCE_SECONDS))

    def repeat(self, said: Iterable[Said]) -> None:
        """Say once more what an equal run has said."""
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
                log.error("analyzer %r cannot be asked: %s", analyzer.name, describe(error))
                broken.append(_failed(analyzer))
        yield from broken
        yield from self._pool.run(self._account_id, able, request)

    def looks_for(self, category: Category, request: AnalyzerRequest) -> bool:
        return any(self._looks_for(each, category, request) for each in self._analyzers)

    def _looks_for(self, analyzer: Analyzer, category: Category, request: AnalyzerRequest) -> bool:
        try:
            return analyzer.takes(request) and analyzer.looks_for(category, request.language)
        except (Exception, SystemExit) as error:  # noqa: BLE001 - it may be a plugin's
            log.error("analyzer %r cannot say its rules: %s", analyzer.name, describe(error))
            return False

    def detect(self, code: str) -> Detection | None:
        return self._pool.detect(self._account_id, self._detectors, code)


def _failed(analyzer: Analyzer) -> AnalyzerReport:
    """The report of an analyser that did not get as far as a worker process."""
    return AnalyzerReport(
        name=analyzer.name,
        version=analyzer.version,
        status=AnalyzerStatus.FAILED,
        findings=0,
        milliseconds=0,
    )
