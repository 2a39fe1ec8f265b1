"""What a run is to do, worked out before anything is reserved for it."""

from __future__ import annotations

import logging
from collections.abc import Callable, Sized
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from codeintel.base.errors import ErrorCode, ServiceError
from codeintel.base.logging.setup import describe
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
    TransformationResult,
    TransformTask,
    Usage,
)
from codeintel.engine.equivalence.readable import can_parse
from codeintel.identity.auth.caller import Caller
from codeintel.identity.credits.prices import Price, analysis_price, transformation_price
from codeintel.platform.plugins.registry import Registry
from codeintel.platform.sandbox.sandbox import Sandbox
from codeintel.platform.workers.pool import AnalyzerPool
from codeintel.runs.cache import ResultCache
from codeintel.runs.events.log import RunLog
from codeintel.runs.execution.context import LoggedContext
from codeintel.runs.execution.transforming import LoggedTransformContext, unchanged
from codeintel.runs.run import Work

log = logging.getLogger(__name__)

RETRY_SECONDS = 5
WAITING = "An equal analysis is under way: this one waits for its result."


@dataclass(frozen=True)
class Order:
    """A run that can begin: `work` does it with what `context` makes of the run's log."""

    kind: RunKind
    description: str
    engine: Engine
    model: Model
    price: Price
    code: str = field(repr=False)
    context: Callable[[RunLog], LoggedContext] = field(repr=False)
    work: Work = field(repr=False)


class Orders:
    """Finds the engine for each task, and says what it is to do.

    :param active: the runs under way here.
    :param sandbox: where code may be run; None where it may not.
    """

    def __init__(
        self,
        registry: Registry,
        pool: AnalyzerPool,
        cache: ResultCache,
        active: Sized,
        sandbox: Sandbox | None = None,
    ) -> None:
        self._registry = registry
        self._pool = pool
        self._cache = cache
        self._active = active
        self._sandbox = sandbox

    def analysis(self, caller: Caller, task: AnalysisTask) -> Order:
        """:raises ServiceError: `overloaded` if no engine takes it."""
        engine = self._engine(lambda engine: engine.available(RunKind.ANALYSIS, task.model))
        if engine is None:
            raise ServiceError(
                ErrorCode.OVERLOADED,
                "No engine can take this work now: try again soon.",
                retry_after=RETRY_SECONDS,
            )
        return Order(
            kind=RunKind.ANALYSIS,
            description=f"analysis, {task.model}",
            engine=engine,
            model=task.model,
            price=analysis_price(task.model, len(task.code)),
            code=task.code,
            context=lambda run_log: LoggedContext(
                *self._tools(run_log, caller, task.code), keeps=engine.repeatable
            ),
            work=self._analysis_work(caller.account_id, engine, task),
        )

    def transformer(self, task: TransformTask) -> tuple[Engine, list[Transformation]]:
        """The engine for a transformation, and the registered ways to do it.

        :raises ServiceError: `unsupported_without_model` if no engine can, or if nobody could check
            what it gives.
        """
        if not can_parse(task.target):
            raise _refused(
                task,
                f"Code in {task.target} cannot be checked here, and nothing is returned unchecked.",
            )
        ways = self._ways(task)
        engine = self._engine(
            lambda engine: (
                engine.available(RunKind.TRANSFORM, task.model) and engine.can_transform(task, ways)
            )
        )
        if engine is None:
            raise _unsupported(task)
        return engine, ways

    def transformation(self, caller: Caller, task: TransformTask) -> Order:
        """:raises ServiceError: as :meth:`transformer`."""
        engine, ways = self.transformer(task)
        kind = self._registry.kinds[task.kind]
        return Order(
            kind=RunKind.TRANSFORM,
            description=f"{task.kind}, {task.model}",
            engine=engine,
            model=task.model,
            price=transformation_price(task.model, len(task.code), kind.surcharge),
            code=task.code,
            context=lambda run_log: LoggedTransformContext(
                *self._tools(run_log, caller, task.code),
                keeps=False,
                kind=kind,
                ways=ways,
                sandbox=self._sandbox,
            ),
            work=partial(_transform, engine, task),
        )

    def _tools(self, run_log: RunLog, caller: Caller, code: str) -> tuple[Any, ...]:
        """What every context is made of."""
        analyzers = tuple(self._registry.analyzers.values())
        detectors = tuple(self._registry.detectors.values())
        return run_log, caller.account_id, code, self._pool, analyzers, detectors, self._active

    def _engine(self, is_able: Callable[[Engine], bool]) -> Engine | None:
        able = [each for each in self._registry.engines.values() if _asked(each, is_able)]
        return max(able, key=lambda engine: engine.preference, default=None)

    def _ways(self, task: TransformTask) -> list[Transformation]:
        """The registered transformations that can do the task, the preferred one first."""
        found = [
            way
            for way in self._registry.transformations.values()
            if way.kind == task.kind and way.can(task.language, task.target)
        ]
        return sorted(found, key=lambda way: -way.preference)

    def _analysis_work(self, account_id: str, engine: Engine, task: AnalysisTask) -> Work:
        """The analysis as a function of its context; an equal one, of a moment ago or under way,
        is repeated."""
        tools: list[Analyzer | LanguageDetector] = [
            *self._registry.analyzers.values(),
            *self._registry.detectors.values(),
        ]
        key = self._cache.key(account_id, engine, tools, task)

        def work(context: LoggedContext) -> tuple[AnalysisResult, Usage]:
            kept = self._cache.awaited(key, lambda: context.progress(WAITING))
            if kept is None:
                with self._cache.making(key):
                    kept = self._cache.made_elsewhere(key)
                    if kept is None:
                        result, usage = engine.analyze(task, context)
                        context.check(result)
                        self._cache.keep(key, context.said, result, usage)
                        return result, usage
            context.repeat(kept.said)
            return kept.result, kept.usage

        return work


def _transform(
    engine: Engine, task: TransformTask, context: LoggedTransformContext
) -> tuple[TransformationResult, Usage]:
    """The transformation as a function of its context."""
    try:
        candidate, usage = engine.transform(task, context)
    except Incomplete as incomplete:
        if incomplete.result is None:  # there is always code to go on with
            incomplete.result = unchanged(engine.name, task)
        raise
    context.used(usage)
    return context.conclude(engine.name, task, candidate), usage


def _asked(engine: Engine, is_able: Callable[[Engine], bool]) -> bool:
    """Whether an engine takes the work; one that fails to say so does not."""
    try:
        return is_able(engine)
    except (Exception, SystemExit) as error:  # noqa: BLE001 - it may be a plugin's
        log.error("engine %r cannot be asked: %s", engine.name, describe(error))
        return False


def _unsupported(task: TransformTask) -> ServiceError:
    to = f" to {task.target}" if task.target != task.language else ""
    return _refused(
        task,
        f"Without a model this service cannot {task.kind} {task.language}{to}: "
        "`GET /api/v1/capabilities` lists what it can.",
    )


def _refused(task: TransformTask, message: str) -> ServiceError:
    return ServiceError(
        ErrorCode.UNSUPPORTED_WITHOUT_MODEL,
        message,
        details={"transformation": task.kind, "language": task.language, "target": task.target},
    )
