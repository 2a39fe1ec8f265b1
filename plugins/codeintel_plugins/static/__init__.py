"""The static engine: runs the analyzers, merges what they find, and says it in words."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, ClassVar

from msgspec import UNSET, UnsetType, structs

from codeintel import hookimpl
from codeintel.contracts import (
    AnalysisResult,
    AnalysisTask,
    AnalyzerOutput,
    AnalyzerReport,
    AnalyzerRequest,
    AnalyzerStatus,
    Candidate,
    Category,
    Detection,
    Engine,
    Finding,
    Incomplete,
    Metric,
    Model,
    Reported,
    RunContext,
    RunKind,
    Transformation,
    TransformContext,
    TransformTask,
    Usage,
)
from codeintel.contracts.languages import is_data, language_title
from codeintel_plugins.static.merge import Merger
from codeintel_plugins.static.summary import Facts, answer, describe_ending, summarise

# One in twenty-five real files is detected with less, and half of these wrongly. Prose and noise
# are hardly ever detected with more.
_SURE_ENOUGH = 0.6
# The analyzers of this package that check every language.
_FOR_ANY_LANGUAGE = frozenset({"complexity", "secrets"})
_USABLE = frozenset({AnalyzerStatus.COMPLETED, AnalyzerStatus.TRUNCATED})


class StaticEngine(Engine):
    """Needs no model and no network: both models are rules, `pro` has more of them."""

    name: ClassVar[str] = "static"
    preference: ClassVar[int] = 0
    repeatable: ClassVar[bool] = True
    waits_for_workers: ClassVar[bool] = True
    version = "3"

    def available(self, kind: RunKind, model: Model) -> bool:  # noqa: ARG002 - takes both models
        return kind in {RunKind.ANALYSIS, RunKind.TRANSFORM}

    def can_transform(self, task: TransformTask, ways: Sequence[Transformation]) -> bool:  # noqa: ARG002
        return bool(ways)

    def transform(self, task: TransformTask, context: TransformContext) -> tuple[Candidate, Usage]:
        """Run the preferred transformation."""
        way = context.ways[0]
        context.progress(f"{way.name} is running.")
        candidate = structs.replace(context.rewrite(way, task), engine=self.name)
        return candidate, Usage(input_characters=len(task.code))

    def analyze(self, task: AnalysisTask, context: RunContext) -> tuple[AnalysisResult, Usage]:
        """Analyze the code with all analyzers.

        :raises Incomplete: if no analyzer could check the code.
        """
        collected = Collected(context)
        language = task.language or collected.detect(task.code)
        collected.run(task, language)
        return collected.result(task, language), Usage(input_characters=len(task.code))


class Collected:
    """The results of the analyzers for one piece of code. Passes on new findings as they arrive."""

    def __init__(self, context: RunContext) -> None:
        self.reports: list[AnalyzerReport] = []
        self._context = context
        self._merger = Merger()
        self._sent: set[Finding] = set()
        self._metrics: dict[str, int | float] = {}
        self._notes: list[str] = []
        self._no_rules: tuple[str, ...] | UnsetType = UNSET
        self._told_early: set[str] = set()
        """Analyzers that have reported themselves why they ended early."""
        self._detection: Detection | UnsetType = UNSET

    def detect(self, code: str) -> str | None:
        """Detect the language of code whose sender did not name it, and note the confidence.

        Returns None if the language is unclear, because the rules of another language would give
        wrong findings.
        """
        told = self._context.detect(code)
        if told is not None:
            self._detection = told
        if told is None or told.language is None or told.confidence < _SURE_ENOUGH:
            note = (
                "The language could not be detected. Only analyzers for any language ran. "
                "Set `language`."
            )
            self._notes.append(note)
            self._context.progress(note)
            return None
        name, confidence = language_title(told.language), told.confidence
        self._context.progress(f"Language detected: {name} (confidence {confidence:.2f}).")
        return told.language

    def run(self, task: AnalysisTask, language: str | None) -> None:
        """Run all analyzers on the code.

        :raises Incomplete: if no analyzer could check it.
        """
        request = AnalyzerRequest(task.code, language, task.model)
        for said in self._context.analyze(request):
            if isinstance(said, AnalyzerReport):
                self.report(said)
            else:
                self.output(said.analyzer, said.output)
        if not self.has_looked:
            raise Incomplete("no_analyzer_completed", "No analyzer could check the code.")
        self.admit_missing(request)

    def output(self, analyzer: str, output: AnalyzerOutput) -> None:
        if isinstance(output, Reported):
            self._finding(output.finding)
        elif isinstance(output, Metric):
            self._metrics[output.name] = output.value
        else:
            if output.truncated:
                self._told_early.add(analyzer)
            self._notes.append(output.message)
            self._context.progress(output.message, analyzer=analyzer)

    def _finding(self, finding: Finding) -> None:
        """Send what is final. The rest waits until all have spoken: what was sent once must not be
        contradicted by the result."""
        if self._merger.add(finding):
            self._sent.add(finding)
            self._context.finding(finding)

    def report(self, report: AnalyzerReport) -> None:
        self.reports.append(report)
        ending = describe_ending(report)
        if ending is None or (
            report.status is AnalyzerStatus.TRUNCATED and report.name in self._told_early
        ):
            return
        self._notes.append(ending)
        self._context.progress(ending, analyzer=report.name)

    def admit_missing(self, request: AnalyzerRequest) -> None:
        """Add a note if no analyzer that ran supports the language, or has security rules for
        it."""
        if request.language is None:
            return
        title = language_title(request.language)
        names = sorted(report.name for report in self.reports)
        ran = ", ".join(names)
        if _FOR_ANY_LANGUAGE.issuperset(names):
            note = f"No analyzer supports {title}. Only checks for any language ran: {ran}."
        elif not self._context.looks_for(Category.SECURITY, request):
            note = f"There are no security rules for {title}. Checked: {ran}."
        else:
            return
        self._notes.append(note)
        if is_data(request.language):
            self._no_rules = (note,)
        self._context.progress(note)

    def result(self, task: AnalysisTask, language: str | None) -> AnalysisResult:
        """Send the summary piece by piece, and put everything together."""
        findings = self.findings()
        reports = tuple(sorted(self.reports, key=lambda report: report.name))
        named = language_title(language) if language else "an unknown language"
        facts = Facts(findings, self._metrics, reports, self._notes, named, task.prompt)
        pieces = []
        for piece in summarise(facts):
            self._context.output(piece)
            pieces.append(piece)
        whole = self.whole(StaticEngine.name, language, "".join(pieces), findings)
        return structs.replace(whole, answer="".join(answer(facts)).strip())

    @property
    def has_looked(self) -> bool:
        """Return whether any analyzer could check the code."""
        return any(report.status in _USABLE for report in self.reports)

    def findings(self) -> tuple[Finding, ...]:
        """Return all findings, merged, worst first.

        Sends the findings that had to wait until all analyzers had reported.
        """
        findings = self._merger.result(self._context.pause)
        for finding in findings:
            if finding not in self._sent:
                self._sent.add(finding)
                self._context.finding(finding)
        return findings

    def whole(
        self, engine: str, language: str | None, summary: str, findings: tuple[Finding, ...]
    ) -> AnalysisResult:
        """Return the result of an engine that has already sent the summary and the findings."""
        return AnalysisResult(
            language=language,
            detection=self._detection,
            engine=engine,
            summary=summary,
            findings=findings,
            metrics=dict(sorted(self._metrics.items())),
            analyzers=tuple(sorted(self.reports, key=lambda report: report.name)),
            unchecked=tuple(dict.fromkeys(self._notes)),
            no_rules=self._no_rules,
        )


@hookimpl
def register_engines(register: Callable[[Engine], None], config: Mapping[str, Any]) -> None:  # noqa: ARG001 - the hook's signature
    """Register the static engine."""
    register(StaticEngine())
