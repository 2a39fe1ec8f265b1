"""Plan a run before any credits are reserved for it."""

from __future__ import annotations

import logging
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence, Sized
from dataclasses import dataclass, field
from typing import Any, ClassVar, NamedTuple, Protocol

from codeintel.base.errors import ErrorCode, ServiceError
from codeintel.base.logging import describe
from codeintel.contracts import (
    AnalysisResult,
    AnalysisTask,
    Analyzer,
    Engine,
    Incomplete,
    LanguageDetector,
    Model,
    RunKind,
    Transformation,
    TransformationKind,
    TransformationResult,
    TransformTask,
    Usage,
)
from codeintel.contracts.scans.records import ScanResult
from codeintel.engine.equivalence.readable import can_parse
from codeintel.identity.auth.caller import Caller
from codeintel.identity.ledger import Price, analysis_price, transformation_price
from codeintel.platform.db.models import new_id
from codeintel.platform.node_sandbox import NodeSandbox
from codeintel.platform.plugins.registry import Registry
from codeintel.platform.workers.pool import AnalyzerPool
from codeintel.runs.cache import ResultCache
from codeintel.runs.context import LoggedContext, LoggedTransformContext, unchanged
from codeintel.runs.events.log import RunLog

log = logging.getLogger(__name__)

RETRY_SECONDS = 5
Result = AnalysisResult | TransformationResult | ScanResult
WAITING = "An equal analysis is in progress, so this run waits for its result."


class Task(Protocol):
    """The work of a run. `code` is empty if the work reads it elsewhere."""

    @property
    def model(self) -> Model: ...

    @property
    def code(self) -> str: ...

    @property
    def language(self) -> str | None: ...


class Tools(NamedTuple):
    """The tools of a run of any kind. `active` are the active runs of this process."""

    pool: AnalyzerPool
    analyzers: tuple[Analyzer, ...]
    detectors: tuple[LanguageDetector, ...]
    active: Sized


@dataclass(frozen=True, kw_only=True)
class RunPlan(ABC):
    """A run that can start. Its `repr` shows neither the code nor the caller.

    :param price: the maximum cost.
    """

    kind: ClassVar[RunKind]
    caller: Caller = field(repr=False)
    engine: Engine
    task: Task = field(repr=False)
    price: Price
    tools: Tools = field(repr=False)
    id: str = field(default_factory=lambda: new_id("run"))

    @property
    def hold(self) -> int:
        """The credits to reserve: the price, or 0 for an unlimited account."""
        return 0 if self.caller.unlimited else self.price.full

    @property
    @abstractmethod
    def description(self) -> str:
        """What the ledger shows that the credits were for."""

    @property
    def characters(self) -> int:
        """The length of the code."""
        return len(self.task.code)

    @property
    def seconds(self) -> float | None:
        """The maximum duration in seconds, or None for that of the settings."""
        return None

    def sent(self, result: Result) -> Result:
        """Return the part of a result that is sent to readers. All of it is stored."""
        return result

    @abstractmethod
    def context(self, run_log: RunLog) -> LoggedContext:
        """Return the context that the engine gets."""

    @abstractmethod
    def work(self, context: Any) -> tuple[Result, Usage]:
        """Do the work of the run.

        :param context: from :meth:`context`.
        """


@dataclass(frozen=True, kw_only=True)
class AnalysisPlan(RunPlan):
    """An analysis. A recent equal analysis, or one in progress, is reused."""

    kind = RunKind.ANALYSIS
    task: AnalysisTask = field(repr=False)
    cache: ResultCache = field(repr=False)
    cache_key: bytes | None = field(repr=False)

    @property
    def description(self) -> str:
        return f"analysis, {self.task.model}"

    def context(self, run_log: RunLog) -> LoggedContext:
        return LoggedContext(
            run_log,
            self.caller.account_id,
            self.task.code,
            *self.tools,
            keeps=self.engine.repeatable,
        )

    def work(self, context: LoggedContext) -> tuple[AnalysisResult, Usage]:
        kept = self.cache.awaited(self.cache_key, lambda: context.progress(WAITING))
        if kept is None:
            with self.cache.making(self.cache_key):
                kept = self.cache.made_elsewhere(self.cache_key)
                if kept is None:
                    result, usage = self.engine.analyze(self.task, context)
                    context.check(result)
                    self.cache.keep(self.cache_key, context.said, result, usage)
                    return result, usage
        context.repeat(kept.said)
        return kept.result, kept.usage


@dataclass(frozen=True, kw_only=True)
class TransformationPlan(RunPlan):
    """A transformation.

    :param transformers: the registered transformations for the task, the preferred one first.
    :param sandbox: where code may be executed; None disables execution.
    """

    kind = RunKind.TRANSFORM
    task: TransformTask = field(repr=False)
    transformation: TransformationKind = field(repr=False)
    transformers: Sequence[Transformation] = field(repr=False)
    sandbox: NodeSandbox | None = field(repr=False)

    @property
    def description(self) -> str:
        return f"{self.task.kind}, {self.task.model}"

    def context(self, run_log: RunLog) -> LoggedTransformContext:
        return LoggedTransformContext(
            run_log,
            self.caller.account_id,
            self.task.code,
            *self.tools,
            keeps=False,
            kind=self.transformation,
            ways=self.transformers,
            sandbox=self.sandbox,
        )

    def work(self, context: LoggedTransformContext) -> tuple[TransformationResult, Usage]:
        try:
            candidate, usage = self.engine.transform(self.task, context)
        except Incomplete as incomplete:
            if incomplete.result is None:  # the original code is always available
                incomplete.result = unchanged(self.engine.name, self.task)
            raise
        context.used(usage)
        return context.conclude(self.engine.name, self.task, candidate), usage


class Planner:
    """Finds the engine for each task, and calculates the price and the tools of the run.

    :param active: the active runs of this process.
    :param sandbox: where code may be executed; None disables execution.
    """

    def __init__(
        self,
        registry: Registry,
        pool: AnalyzerPool,
        cache: ResultCache,
        active: Sized,
        sandbox: NodeSandbox | None = None,
    ) -> None:
        self._registry = registry
        self._cache = cache
        self._sandbox = sandbox
        self._pool = pool
        self._active = active

    def analysis(self, caller: Caller, task: AnalysisTask) -> AnalysisPlan:
        """Plan an analysis.

        :raises ServiceError: `overloaded` if no engine accepts it.
        """
        engine = self._engine(lambda engine: engine.available(RunKind.ANALYSIS, task.model))
        if engine is None and not self._registry.engines:
            raise ServiceError(
                ErrorCode.OVERLOADED,
                "This service has no engine. Its operator must enable a plugin that provides one.",
            )
        if engine is None:
            raise ServiceError(
                ErrorCode.OVERLOADED,
                "No engine can accept this work now. Try again soon.",
                retry_after=RETRY_SECONDS,
            )
        tools = self._tools()
        key = self._cache.key(caller.account_id, engine, [*tools.analyzers, *tools.detectors], task)
        return AnalysisPlan(
            caller=caller,
            engine=engine,
            task=task,
            price=analysis_price(task.model, len(task.code)),
            tools=tools,
            cache=self._cache,
            cache_key=key,
        )

    def transformer(self, task: TransformTask) -> tuple[Engine, list[Transformation]]:
        """Return the engine for a transformation, and the registered transformations for it.

        :raises ServiceError: `unsupported_without_model` if no engine supports it, or if its result
            could not be checked.
        """
        if not can_parse(task.target):
            raise _refused(
                task,
                f"Code in {task.target} cannot be checked, and no result is returned unchecked.",
            )
        transformers = self._transformers(task)
        engine = self._engine(
            lambda engine: (
                engine.available(RunKind.TRANSFORM, task.model)
                and engine.can_transform(task, transformers)
            )
        )
        if engine is None:
            raise _unsupported(task)
        return engine, transformers

    def transformation(self, caller: Caller, task: TransformTask) -> TransformationPlan:
        """Plan a transformation.

        :raises ServiceError: as :meth:`transformer`.
        """
        engine, transformers = self.transformer(task)
        kind = self._registry.kinds[task.kind]
        return TransformationPlan(
            caller=caller,
            engine=engine,
            task=task,
            price=transformation_price(task.model, len(task.code), kind.surcharge),
            tools=self._tools(),
            transformation=kind,
            transformers=transformers,
            sandbox=self._sandbox,
        )

    def _tools(self) -> Tools:
        return Tools(
            self._pool,
            tuple(self._registry.analyzers.values()),
            tuple(self._registry.detectors.values()),
            self._active,
        )

    def _engine(self, is_able: Callable[[Engine], bool]) -> Engine | None:
        able = [each for each in self._registry.engines.values() if _asked(each, is_able)]
        return max(able, key=lambda engine: engine.preference, default=None)

    def _transformers(self, task: TransformTask) -> list[Transformation]:
        """Return the registered transformations that support the task, the preferred one first."""
        found = [
            each
            for each in self._registry.transformations.values()
            if each.kind == task.kind and each.supports(task.language, task.target)
        ]
        return sorted(found, key=lambda each: -each.preference)


def _asked(engine: Engine, is_able: Callable[[Engine], bool]) -> bool:
    """Return whether an engine accepts the work. An engine that fails to answer does not."""
    try:
        return is_able(engine)
    except (Exception, SystemExit) as error:  # noqa: BLE001 - it may be a plugin's
        log.error("engine %r failed to answer: %s", engine.name, describe(error))
        return False


def _unsupported(task: TransformTask) -> ServiceError:
    to = f" to {task.target}" if task.target != task.language else ""
    return _refused(
        task,
        f"Without a model, this service cannot {task.kind} {task.language}{to}. See `GET "
        "/api/v1/capabilities` for what it can do.",
    )


def _refused(task: TransformTask, message: str) -> ServiceError:
    return ServiceError(
        ErrorCode.UNSUPPORTED_WITHOUT_MODEL,
        message,
        details={"transformation": task.kind, "language": task.language, "target": task.target},
    )
