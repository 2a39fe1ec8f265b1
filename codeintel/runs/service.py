"""Starting runs, watching over them, ending them."""

from __future__ import annotations

import logging
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

import gevent

from codeintel.auth.caller import Caller
from codeintel.config import Settings
from codeintel.contracts import AnalysisResult, AnalysisTask, Engine, RunKind, Usage
from codeintel.contracts.events import RunCreated
from codeintel.credits.prices import analysis_price
from codeintel.db.models import new_id
from codeintel.errors import ErrorCode, ServiceError
from codeintel.logs import describe
from codeintel.plugins.registry import Registry
from codeintel.runs.cache import ResultCache
from codeintel.runs.context import LoggedContext
from codeintel.runs.log import RunLog
from codeintel.runs.run import Outcome, Run, RunFacts, Work
from codeintel.runs.store import NewRun, RunState, RunStore
from codeintel.workers.pool import AnalyzerPool

log = logging.getLogger(__name__)

RETRY_SECONDS = 5
IDLE_POLL_SECONDS = 0.02
WAITING = "An equal analysis is under way: this one waits for its result."
ABANDONED = Outcome(RunState.CANCELLED, "client_disconnected", "Nobody was reading any more.")
SHUTDOWN = Outcome(RunState.INCOMPLETE, "shutdown", "The service is shutting down: start again.")


@dataclass
class RunService:
    """All runs of this process."""

    settings: Settings
    registry: Registry
    store: RunStore
    pool: AnalyzerPool

    def __post_init__(self) -> None:
        self.draining = False
        self._cache = ResultCache(self.settings.result_cache)
        self._active: dict[str, Run] = {}
        self._starting = 0
        self._keeper: gevent.Greenlet[..., None] | None = None

    @contextmanager
    def admission(self) -> Iterator[None]:
        """A place for a new run, which is to be started within the block: what comes before the
        start may wait for others, and the place must not be given away meanwhile.

        :raises ServiceError: `draining` or `overloaded`, before anything is spent.
        """
        self._refuse_if_full()
        self._starting += 1
        try:
            yield
        finally:
            self._starting -= 1

    def _refuse_if_full(self) -> None:
        if self.draining:
            raise ServiceError(
                ErrorCode.DRAINING,
                "This process is shutting down: try again, another one answers.",
                retry_after=RETRY_SECONDS,
            )
        if len(self._active) + self._starting >= self.settings.analysis_queue:
            raise ServiceError(
                ErrorCode.OVERLOADED,
                f"All {self.settings.analysis_queue} places for runs are taken: try again soon.",
                retry_after=RETRY_SECONDS,
            )

    def start_analysis(
        self, caller: Caller, task: AnalysisTask, ignored_fields: tuple[str, ...] = ()
    ) -> Run:
        """Reserve the price and start an analysis; its events are in the log of what is returned.

        :raises ServiceError: `insufficient_credits`, and nothing was done.
        """
        engine = self._engine(RunKind.ANALYSIS, task)
        price = analysis_price(task.model, len(task.code))
        facts = RunFacts(
            id=new_id("run"),
            account_id=caller.account_id,
            description=f"analysis, {task.model}",
            price=price,
            hold=0 if caller.unlimited else price.full,
            input_characters=len(task.code),
        )
        self._reserve(facts, RunKind.ANALYSIS, engine, task)
        run = self._begin(facts)
        run.log.append(
            RunCreated(
                kind=RunKind.ANALYSIS,
                engine=engine.name,
                model=task.model,
                credits_reserved=facts.hold,
                ignored_fields=ignored_fields,
            )
        )
        context = LoggedContext(
            run.log,
            caller.account_id,
            task.code,
            self.pool,
            analyzers=tuple(self.registry.analyzers.values()),
            detectors=tuple(self.registry.detectors.values()),
        )
        gevent.spawn(self._execute, run, self._work(caller.account_id, engine, task), context)
        self._abandoned_later(run)
        return run

    def _work(self, account_id: str, engine: Engine, task: AnalysisTask) -> Work:
        """The analysis as a function of its context; an equal one, of a moment ago or under way,
        is repeated."""
        key = self._cache.key(account_id, engine, self.registry.analyzers.values(), task)

        def work(context: LoggedContext) -> tuple[AnalysisResult, Usage]:
            kept = self._cache.awaited(key, lambda: context.progress(WAITING))
            if kept is not None:
                context.repeat(kept.said)
                return kept.result, kept.usage
            with self._cache.making(key):
                result, usage = engine.analyze(task, context)
                context.check(result)
                self._cache.keep(key, context.said, result, usage)
            return result, usage

        return work

    def drain(self, timeout: float) -> None:
        """Refuse new runs, let the running ones end for `timeout` seconds, then end them."""
        self.draining = True
        log.info("draining %d runs", len(self._active))
        self._wait_until_idle(timeout)
        for run in list(self._active.values()):
            run.stop(SHUTDOWN)
        self._wait_until_idle(timeout=5.0)

    def keep(self) -> None:
        """Start the greenlet that renews the leases of the runs here and sweeps the others."""
        if self._keeper is None or self._keeper.dead:
            self._keeper = gevent.spawn(self._keep)

    def _engine(self, kind: RunKind, task: AnalysisTask) -> Engine:
        engines = self.registry.engines.values()
        able = [engine for engine in engines if _is_available(engine, kind, task)]
        if not able:
            raise ServiceError(
                ErrorCode.OVERLOADED,
                "No engine can take this work now: try again soon.",
                retry_after=RETRY_SECONDS,
            )
        return max(able, key=lambda engine: engine.preference)

    def _reserve(self, facts: RunFacts, kind: RunKind, engine: Engine, task: AnalysisTask) -> None:
        short = self.store.open(
            NewRun(
                id=facts.id,
                account_id=facts.account_id,
                kind=kind,
                engine=engine.name,
                model=task.model,
                price=facts.price.full,
                hold=facts.hold,
            )
        )
        if short is not None:
            raise ServiceError(
                ErrorCode.INSUFFICIENT_CREDITS,
                f"The price is {facts.hold}, the account has {short.available} credits available: "
                "have credits granted to it.",
                details={
                    "price": facts.hold,
                    "available": short.available,
                    "balance": short.posted,
                    "held": short.held,
                },
            )

    def _begin(self, facts: RunFacts) -> Run:
        run_log = RunLog(facts.id, on_abandoned=lambda: self._abandoned_later(run))
        run = Run(facts, run_log, self.store, self.settings.run_timeout)
        self._active[facts.id] = run
        self.keep()
        return run

    def _execute(self, run: Run, work: object, context: LoggedContext) -> None:
        try:
            run.execute(work, context)  # type: ignore[arg-type]
        except Exception as error:  # noqa: BLE001 - whatever it is, no reader may wait for ever
            log.error("run %s has no end: %s", run.facts.id, describe(error))
            if not run.log.ended:
                run.log.append(run.failure())
        finally:
            del self._active[run.facts.id]

    def _abandoned_later(self, run: Run) -> None:
        """Cancel a run that nobody reads, unless somebody comes back within the grace."""

        def check() -> None:
            if not run.log.readers:
                run.stop(ABANDONED)

        if not run.log.ended:
            gevent.spawn_later(self.settings.run_resume_grace, check)

    def _wait_until_idle(self, timeout: float) -> None:
        """Wait until nothing runs and nothing is about to."""
        deadline = time.monotonic() + timeout
        while (self._active or self._starting) and time.monotonic() < deadline:
            gevent.sleep(IDLE_POLL_SECONDS)

    def _keep(self) -> None:
        while True:
            gevent.sleep(self.settings.hold_ttl / 3)
            try:
                self.store.renew(list(self._active))
                swept = self.store.sweep()
                self.store.forget(self.settings.run_retention)
            except Exception as error:  # noqa: BLE001 - the next round may work again
                log.error("leases were not renewed: %s", describe(error))
            else:
                if swept:
                    log.warning("failed %d runs whose process is gone", swept)


def _is_available(engine: Engine, kind: RunKind, task: AnalysisTask) -> bool:
    """Whether an engine takes the work; one that fails to say so does not."""
    try:
        return engine.available(kind, task.model)
    except (Exception, SystemExit) as error:  # noqa: BLE001 - it may be a plugin's
        log.error("engine %r cannot be asked: %s", engine.name, describe(error))
        return False
