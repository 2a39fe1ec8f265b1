"""A task for the static engine, and a context that remembers what is done with it."""

from __future__ import annotations

from collections.abc import Iterator

from codeintel.contracts import (
    AnalysisTask,
    Analyzer,
    AnalyzerOutput,
    AnalyzerOutputFrom,
    AnalyzerReport,
    AnalyzerRequest,
    AnalyzerStatus,
    Category,
    Detection,
    Finding,
    Model,
    Reported,
)

Said = AnalyzerOutputFrom | AnalyzerReport


class FakeContext:
    """Remembers what an engine does; runs the analyzers that it is given, or tells a story."""

    def __init__(
        self,
        *analyzers: Analyzer,
        story: list[Said] | None = None,
        told: Detection | None = None,
    ) -> None:
        self.analyzers = analyzers
        self.told = told
        self.story = story
        self.progressed: list[tuple[str, str | None]] = []
        self.pieces: list[str] = []
        self.found: list[Finding] = []
        self.request: AnalyzerRequest | None = None

    def pause(self) -> None:
        """Do nothing, because no other task runs."""

    def progress(self, message: str, *, analyzer: str | None = None) -> None:
        self.progressed.append((message, analyzer))

    def output(self, text: str) -> None:
        self.pieces.append(text)

    def finding(self, finding: Finding) -> None:
        self.found.append(finding)

    def looks_for(self, category: Category, request: AnalyzerRequest) -> bool:
        return not self.analyzers or any(
            analyzer.looks_for(category, request.language) for analyzer in self.analyzers
        )

    def detect(self, code: str) -> Detection | None:  # noqa: ARG002 - the protocol's
        return self.told

    def analyze(self, request: AnalyzerRequest) -> Iterator[Said]:
        self.request = request
        yield from self.story or ()
        for analyzer in self.analyzers:
            if not analyzer.understands(request.language):
                continue
            count = 0
            for output in analyzer.analyze(request):
                count += isinstance(output, Reported)
                yield AnalyzerOutputFrom(analyzer.name, output)
            yield report(analyzer.name, findings=count)


def report(
    name: str, status: AnalyzerStatus = AnalyzerStatus.COMPLETED, findings: int = 0
) -> AnalyzerReport:
    return AnalyzerReport(name=name, version="1", status=status, findings=findings, milliseconds=1)


def said(analyzer: str, output: AnalyzerOutput) -> AnalyzerOutputFrom:
    return AnalyzerOutputFrom(analyzer, output)


def task(code: str = "x = 1\n", language: str | None = "python", prompt: str = "") -> AnalysisTask:
    return AnalysisTask(code, language, prompt, Model.FLASH)
