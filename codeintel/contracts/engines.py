"""Engines turn the request of a run into events and a result."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from enum import StrEnum
from typing import Annotated, ClassVar, Protocol

import msgspec
from msgspec import UNSET, Meta, UnsetType

from codeintel.contracts.analysis import (
    AnalysisResult,
    AnalyzerOutput,
    AnalyzerReport,
    AnalyzerRequest,
    Detection,
    Model,
)
from codeintel.contracts.findings import Category, Finding
from codeintel.contracts.scans.records import ScanResult
from codeintel.contracts.transformations import (
    Candidate,
    Transformation,
    TransformationResult,
    TransformTask,
    Verdict,
)


class RunKind(StrEnum):
    """The kinds of runs."""

    ANALYSIS = "analysis"
    TRANSFORM = "transform"
    SCAN = "scan"


class AnalysisTask(msgspec.Struct, frozen=True):
    """An analysis to do: the validated request of a caller."""

    code: str
    language: str | None
    prompt: str
    model: Model


class Usage(msgspec.Struct, frozen=True, kw_only=True, rename="camel", omit_defaults=True):
    """The resources that a run used. Engines without tokens omit token counts. `estimated` marks
    counts that the upstream did not report, and `cached` a reused result of an equal run.
    """

    input_characters: Annotated[int, Meta(ge=0)]
    input_tokens: Annotated[int, Meta(ge=0)] | UnsetType = UNSET
    output_tokens: Annotated[int, Meta(ge=0)] | UnsetType = UNSET
    estimated: bool = False
    cached: bool = False


class AnalyzerOutputFrom(msgspec.Struct, frozen=True):
    """An output of one analyzer."""

    analyzer: str
    output: AnalyzerOutput


class RunContext(Protocol):
    """The services that an engine can use during a run. Calls may yield to other greenlets. Each
    call may raise the run's cancellation, which an engine must let through.
    """

    def progress(self, message: str, *, analyzer: str | None = None) -> None:
        """Report progress to the reader, or name something that could not be done."""

    def output(self, text: str) -> None:
        """Send a piece of the text answer."""

    def finding(self, finding: Finding) -> None:
        """Send a finding. All its positions, and those of the result, must be within the code."""

    def expect_output(self, characters: int) -> None:
        """Announce the maximum length of the text answer, if the engine knows it. A caller that
        cancels after half of it was sent pays the full price.
        """

    def used(self, usage: Usage) -> None:
        """Report the usage so far. It counts if the run ends before the engine returns."""

    def coalesce(self) -> None:
        """Wait briefly if many runs are active, so that several pieces are sent together. Call it
        between reads of an upstream that streams.
        """

    def pause(self) -> None:
        """Let other runs continue. Call it regularly in long computations, because engines share
        one thread.
        """

    def analyze(self, request: AnalyzerRequest) -> Iterator[AnalyzerOutputFrom | AnalyzerReport]:
        """Run all analyzers that support the request, in worker processes, and yield their output
        as it arrives. Each analyzer ends with an :class:`AnalyzerReport`.
        """

    def looks_for(self, category: Category, request: AnalyzerRequest) -> bool:
        """Return whether an analyzer for the request has rules of a category."""

    def detect(self, code: str) -> Detection | None:
        """Detect the language of code in worker processes. Detectors run in order of preference
        until one finds a language. Return a canonical name of `codeintel.contracts.languages`, or
        None if no detector finds one.
        """


class TransformContext(RunContext, Protocol):
    """The services that an engine can use while it transforms code."""

    @property
    def ways(self) -> Sequence[Transformation]:
        """The registered transformations that can do the task, in order of preference."""

    def rewrite(self, way: Transformation, task: TransformTask) -> Candidate:
        """Run a transformation in a worker process and return its proposed code. Changes that fail
        the checks are dropped rule by rule, until the rest passes.

        :raises Failed: `unsupported` for code that it cannot transform, or `transformation_failed`.
        """

    def judge(self, task: TransformTask, candidate: Candidate) -> Verdict:
        """Check a candidate as the core will check the answer. An engine can use the verdict to
        improve it.
        """


class Incomplete(Exception):  # noqa: N818 - a way to end, named as the event it becomes
    """Raised by an engine that reached one of its limits. The run ends `incomplete` and costs the
    lowest price. `reason` is a stable snake_case word, `message` a readable sentence, and `result`
    the partial result.
    """

    def __init__(
        self,
        reason: str,
        message: str,
        result: AnalysisResult | TransformationResult | ScanResult | None = None,
    ) -> None:
        super().__init__(message)
        self.reason = reason
        self.message = message
        self.result = result


class Failed(Exception):  # noqa: N818 - a way to end, named as the event it becomes
    """Raised by an engine that cannot continue and knows the reason, such as a broken upstream
    connection. The run ends `failed`, free of charge. `reason` and `message` are as for
    :class:`Incomplete`.
    """

    def __init__(self, reason: str, message: str) -> None:
        super().__init__(message)
        self.reason = reason
        self.message = message


class Engine(ABC):
    """Does the work of runs. An object serves all runs concurrently."""

    name: ClassVar[str]
    """Unique, in lower case. Named in `run.created` and in the result."""

    preference: ClassVar[int] = 0
    """The available engine with the highest value takes a task."""

    fallback: str | None = None
    """The engine that answers if this one cannot begin. `run.created` names it, and the result
    names the engine that answered.
    """

    repeatable: ClassVar[bool] = False
    """Whether equal tasks have equal results, so that a result can be reused."""

    waits_for_workers: ClassVar[bool] = False
    """Whether an analysis only waits for worker processes, so that a scan may start many in
    parallel. Otherwise a scan starts one for each worker process.
    """

    transforms_any_language: ClassVar[bool] = False
    """Whether it supports every kind of transformation for every language, for listings."""

    version: str = "0"
    """A version that changes when the engine's answers change."""

    @abstractmethod
    def available(self, kind: RunKind, model: Model) -> bool:
        """Return whether the engine can take such a run now. This is called for each run, so keep
        it fast.
        """

    def can_transform(self, task: TransformTask, ways: Sequence[Transformation]) -> bool:  # noqa: ARG002 - for those that can
        """Return whether the engine, if it is available, can do a transformation. Keep it fast.

        :param ways: the registered transformations for the task.
        """
        return False

    def transform(self, task: TransformTask, context: TransformContext) -> tuple[Candidate, Usage]:
        """Do a transformation and return the best candidate, which the core checks. Raises the same
        exceptions as :meth:`analyze`.
        """
        raise NotImplementedError(f"{self.name} transforms nothing")

    @abstractmethod
    def analyze(self, task: AnalysisTask, context: RunContext) -> tuple[AnalysisResult, Usage]:
        """Do an analysis. May raise :class:`Incomplete` or :class:`Failed`. Any other exception
        ends the run as `failed` without a reason, free of charge.
        """
