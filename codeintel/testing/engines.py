"""The contract of every engine."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import ClassVar

import pytest

from codeintel.contracts import (
    AnalysisResult,
    AnalysisTask,
    Analyzer,
    AnalyzerOutputFrom,
    AnalyzerReport,
    AnalyzerRequest,
    AnalyzerStatus,
    Category,
    Detection,
    Engine,
    Finding,
    LanguageDetector,
    Model,
    Reported,
    RunKind,
    Usage,
)
from codeintel.contracts.positions import LineTable


class RecordingContext:
    """A :class:`codeintel.contracts.RunContext` that records an engine's output, and runs analyzers
    and detectors in this process, without limits.
    """

    def __init__(
        self, analyzers: Sequence[Analyzer] = (), detectors: Sequence[LanguageDetector] = ()
    ) -> None:
        self.notes: list[str] = []
        self.text = ""
        self.findings: list[Finding] = []
        self.usage: Usage | None = None
        self._analyzers = analyzers
        self._detectors = sorted(detectors, key=lambda detector: -detector.preference)

    def progress(self, message: str, *, analyzer: str | None = None) -> None:
        self.notes.append(f"{analyzer}: {message}" if analyzer else message)

    def output(self, text: str) -> None:
        self.text += text

    def finding(self, finding: Finding) -> None:
        self.findings.append(finding)

    def expect_output(self, characters: int) -> None:
        """Do nothing, because nothing is charged here."""

    def used(self, usage: Usage) -> None:
        self.usage = usage

    def coalesce(self) -> None:
        """Do nothing, because no other run is active."""

    def pause(self) -> None:
        """Do nothing, because no other run is active."""

    def analyze(self, request: AnalyzerRequest) -> Iterator[AnalyzerOutputFrom | AnalyzerReport]:
        for analyzer in self._analyzers:
            if not analyzer.takes(request):
                continue
            outputs = list(analyzer.analyze(request))
            for output in outputs:
                yield AnalyzerOutputFrom(analyzer.name, output)
            yield AnalyzerReport(
                name=analyzer.name,
                version=analyzer.version,
                status=AnalyzerStatus.COMPLETED,
                findings=sum(isinstance(output, Reported) for output in outputs),
                milliseconds=0,
            )

    def looks_for(self, category: Category, request: AnalyzerRequest) -> bool:
        return any(
            analyzer.takes(request) and analyzer.looks_for(category, request.language)
            for analyzer in self._analyzers
        )

    def detect(self, code: str) -> Detection | None:
        answers = (detector.detect(code) for detector in self._detectors)
        return next((answer for answer in answers if answer.language is not None), None)


class EngineContract:
    """Subclass this with an engine, analyzers and detectors for it, and a task that it can do."""

    engine: ClassVar[Engine]
    analyzers: ClassVar[Sequence[Analyzer]] = ()
    detectors: ClassVar[Sequence[LanguageDetector]] = ()
    task: ClassVar[AnalysisTask]

    def run(self) -> tuple[RecordingContext, AnalysisResult, Usage]:
        """Do the task."""
        context = RecordingContext(self.analyzers, self.detectors)
        result, usage = self.engine.analyze(self.task, context)
        return context, result, usage

    def test_it_takes_the_task(self) -> None:
        assert self.engine.available(RunKind.ANALYSIS, self.task.model)

    @pytest.mark.parametrize("model", list(Model))
    def test_availability_is_a_plain_answer(self, model: Model) -> None:
        assert self.engine.available(RunKind.ANALYSIS, model) in {True, False}

    def test_the_result_names_the_engine_and_repeats_what_was_said(self) -> None:
        context, result, usage = self.run()
        assert result.engine == self.engine.name
        assert result.summary == context.text
        assert usage.input_characters == len(self.task.code)

    def test_findings_point_into_the_code_and_are_in_order(self) -> None:
        context, result, _ = self.run()
        lines = LineTable(self.task.code)
        assert all(lines.contains(finding.range) for finding in context.findings)
        assert all(lines.contains(finding.range) for finding in result.findings)
        ranks = [finding.severity.rank for finding in result.findings]
        assert ranks == sorted(ranks)
