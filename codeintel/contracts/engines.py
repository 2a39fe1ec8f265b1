"""Engines: what turns a run's request into events and a result."""

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
from codeintel.contracts.transformations import (
    Candidate,
    Transformation,
    TransformationResult,
    TransformTask,
    Verdict,
)


class RunKind(StrEnum):
    """The kinds of work that a run does."""

    ANALYSIS = "analysis"
    TRANSFORM = "transform"


class AnalysisTask(msgspec.Struct, frozen=True):
    """One analysis to do: the validated request of a caller."""

    code: str
    language: str | None
    prompt: str
    model: Model


class Usage(msgspec.Struct, frozen=True, kw_only=True, rename="camel", omit_defaults=True):
    """What a run used. Tokens are left out by engines that have none; `estimated` marks counts
    that the upstream did not report, `cached` a result that was kept from an equal run."""

    input_characters: Annotated[int, Meta(ge=0)]
    input_tokens: Annotated[int, Meta(ge=0)] | UnsetType = UNSET
    output_tokens: Annotated[int, Meta(ge=0)] | UnsetType = UNSET
    estimated: bool = False
    cached: bool = False


class AnalyzerOutputFrom(msgspec.Struct, frozen=True):
    """One thing that an analyzer said."""

    analyzer: str
    output: AnalyzerOutput


class RunContext(Protocol):
    """What an engine may do while it works on a run. Calls may yield to other greenlets; each may
    raise the run's cancellation, which an engine must let through."""

    def progress(self, message: str, *, analyzer: str | None = None) -> None:
        """Tell the reader what is going on, or what could not be done."""

    def output(self, text: str) -> None:
        """Send a piece of the answer in words."""

    def finding(self, finding: Finding) -> None:
        """Send one finding. All its places must lie within the code, as those of the result."""

    def expect_output(self, characters: int) -> None:
        """Say how long the longest answer in words may be, if the engine knows. Who cancels when
        half of it was sent pays the price."""

    def used(self, usage: Usage) -> None:
        """Say what was used so far: told of a run that ends before the engine returns."""

    def coalesce(self) -> None:
        """Call it between reads of an upstream that sends piece by piece: when many runs are under
        way it waits a little, so that several pieces are passed on together."""

    def pause(self) -> None:
        """Let other runs go on for a moment. Call it now and then in long computations: engines
        share one thread."""

    def analyze(self, request: AnalyzerRequest) -> Iterator[AnalyzerOutputFrom | AnalyzerReport]:
        """Run all analyzers that understand the request, in worker processes, and yield what they
        say as they say it; each analyzer's last word is its :class:`AnalyzerReport`."""

    def looks_for(self, category: Category, request: AnalyzerRequest) -> bool:
        """Whether some analyzer that understands the request has rules of a category for it."""

    def detect(self, code: str) -> Detection | None:
        """Ask the language detectors, in worker processes, what the code is written in: the first
        one by preference that can tell answers. The language is a canonical name of
        `codeintel.contracts.languages`. None when no detector could tell."""


class TransformContext(RunContext, Protocol):
    """What an engine may do while it transforms code."""

    @property
    def ways(self) -> Sequence[Transformation]:
        """The registered transformations that can do the task, the preferred one first."""

    def rewrite(self, way: Transformation, task: TransformTask) -> Candidate:
        """Have a transformation propose new code, in a worker process. What does not pass the
        checks is left out rule by rule, as long as there is something left that does.

        :raises Failed: `unsupported` for code that it cannot do; `transformation_failed`.
        """

    def judge(self, task: TransformTask, candidate: Candidate) -> Verdict:
        """Check a candidate as the core will check the answer, for an engine that can do better
        with what it learns."""


class Incomplete(Exception):  # noqa: N818 - a way to end, named as the event it becomes
    """Raised by an engine that ran into a bound of its own: the run ends `incomplete` and costs the
    least price. `reason` is a stable snake_case word, `message` a sentence for people, `result`
    what there is to show for it nevertheless."""

    def __init__(
        self,
        reason: str,
        message: str,
        result: AnalysisResult | TransformationResult | None = None,
    ) -> None:
        super().__init__(message)
        self.reason = reason
        self.message = message
        self.result = result


class Failed(Exception):  # noqa: N818 - a way to end, named as the event it becomes
    """Raised by an engine that cannot go on and knows why, as when its upstream broke off: the run
    ends `failed`, free of charge. `reason` and `message` as for :class:`Incomplete`."""

    def __init__(self, reason: str, message: str) -> None:
        super().__init__(message)
        self.reason = reason
        self.message = message


class Engine(ABC):
    """Does the work of runs. One object serves all runs, concurrently."""

    name: ClassVar[str]
    """Unique, lower case; named in `run.created` and in the result."""

    preference: ClassVar[int] = 0
    """Among the engines that are available for a task the highest is taken."""

    fallback: str | None = None
    """Name of the engine that answers instead where this one cannot begin; told in `run.created`,
    while the result names the one that did."""

    repeatable: ClassVar[bool] = False
    """Whether the same task always has the same result, so that one may be used again."""

    transforms_any_language: ClassVar[bool] = False
    """Whether it takes every kind of transformation for every language, for listings."""

    version: str = "0"
    """Changes with what the engine would say."""

    @abstractmethod
    def available(self, kind: RunKind, model: Model) -> bool:
        """Whether it can take such a run now. Cheap: it is asked for each run."""

    def can_transform(self, task: TransformTask, ways: Sequence[Transformation]) -> bool:  # noqa: ARG002 - for those that can
        """Whether it can do a transformation, if it is available for one. Cheap.

        :param ways: the registered transformations that can.
        """
        return False

    def transform(self, task: TransformTask, context: TransformContext) -> tuple[Candidate, Usage]:
        """Do a transformation: return the best candidate, which the core checks. Raises as
        :meth:`analyze` does."""
        raise NotImplementedError(f"{self.name} transforms nothing")

    @abstractmethod
    def analyze(self, task: AnalysisTask, context: RunContext) -> tuple[AnalysisResult, Usage]:
        """Do an analysis. May raise :class:`Incomplete` or :class:`Failed`; anything else that it
        raises ends the run as `failed` without a word about why, free of charge."""
