"""Start and end runs."""

from __future__ import annotations

import logging
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

import gevent
import msgspec
from msgspec import UNSET

from codeintel.base.errors import ErrorCode, ServiceError
from codeintel.base.logging import bind, describe, spawn
from codeintel.contracts import AnalysisTask, TransformTask, Usage
from codeintel.contracts.events import RunCreated
from codeintel.contracts.states import RunState
from codeintel.identity.auth.caller import Caller
from codeintel.identity.code_digests import CodeDigests
from codeintel.identity.ledger import Balance
from codeintel.platform.config import Settings
from codeintel.platform.node_sandbox import NodeSandbox
from codeintel.platform.plugins.registry import Registry
from codeintel.platform.workers.pool import AnalyzerPool
from codeintel.runs.cache import ResultCache, SharedResults
from codeintel.runs.context import LoggedContext
from codeintel.runs.events.log import RunLog, RunLogs
from codeintel.runs.events.sharing import SharedLogs
from codeintel.runs.idempotency import RequestKey
from codeintel.runs.listing import UNKNOWN_ORIGIN, RunOrigin
from codeintel.runs.planning import AnalysisPlan, Planner, RunPlan, TransformationPlan
from codeintel.runs.run import BROKEN, STOP_SECONDS, Run, RunMeter, RunOutcome
from codeintel.runs.store import NewRun, Repeated, RunRecords, RunStore
from codeintel.runs.supervisor import Supervisor

log = logging.getLogger(__name__)

RETRY_SECONDS = 5
IDLE_POLL_SECONDS = 0.02
FLUSH_SECONDS = 2.0
SETTLE_SECONDS = 2.0
"""How long runs that did not stop in time may take to be noticed and settled, in seconds."""
SHUTDOWN = RunOutcome(
    RunState.INCOMPLETE, "shutdown", "The service is shutting down. Start the run again."
)


@dataclass
class RunService:
    """All runs of this process."""

    settings: Settings
    registry: Registry
    store: RunStore
    records: RunRecords
    pool: AnalyzerPool
    digests: CodeDigests
    shared: SharedLogs | None = None
    results: SharedResults | None = None
    sandbox: NodeSandbox | None = None

    def __post_init__(self) -> None:
        self.leaving = False
        """Whether the shutdown has been announced, so that callers should use another process."""
        self.draining = False
        """Whether new runs are rejected."""
        self.logs = RunLogs(min(self.settings.events_kept, self.settings.run_retention))
        self._active: dict[str, Run] = {}
        cache = ResultCache(self.settings.result_cache, self.results)
        self._planner = Planner(self.registry, self.pool, cache, self._active, self.sandbox)
        self._starting = 0
        self._supervisor = Supervisor(
            lambda: self.settings,
            self.store,
            self.records,
            self._active,
            self.shared,
            lambda run, outcome: gevent.spawn(self._settle, run, outcome),
        )

    @contextmanager
    def admission(self) -> Iterator[None]:
        """Hold a place for a new run, which the caller starts within the block.

        The steps before the start may wait, and the place must not be given to another run
        meanwhile.

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
                "This process is shutting down. Try again, and another process will answer.",
                retry_after=RETRY_SECONDS,
            )
        if len(self._active) + self._starting >= self.settings.analysis_queue:
            raise ServiceError(
                ErrorCode.OVERLOADED,
                f"All {self.settings.analysis_queue} places for runs are taken. Try again soon.",
                retry_after=RETRY_SECONDS,
            )

    def plan_analysis(self, caller: Caller, task: AnalysisTask) -> AnalysisPlan:
        """Plan an analysis.

        :raises ServiceError: `overloaded` if no engine accepts it.
        """
        return self._planner.analysis(caller, task)

    def plan_transformation(self, caller: Caller, task: TransformTask) -> TransformationPlan:
        """Plan a transformation.

        :raises ServiceError: as :meth:`check_transformation`.
        """
        return self._planner.transformation(caller, task)

    def check_transformation(self, task: TransformTask) -> None:
        """Reject a transformation that no engine supports.

        :raises ServiceError: `unsupported_without_model` if no engine supports it now.
        """
        self._planner.transformer(task)

    def start(
        self,
        plan: RunPlan,
        key: RequestKey | None = None,
        ignored_fields: tuple[str, ...] = (),
        origin: RunOrigin = UNKNOWN_ORIGIN,
    ) -> Run | None:
        """Reserve the price, start the run and return it. Its log has the events.

        Return None, without any effect, if a run exists under the key.

        :raises ServiceError: `insufficient_credits`, without any effect.
        """
        meter = RunMeter(plan.kind, plan.engine.name)
        publish = self.shared.publish if self.shared is not None else None
        run_log = RunLog(plan.id, on_grown=publish)
        created = RunCreated(
            kind=plan.kind,
            engine=plan.engine.name,
            model=plan.task.model,
            credits_reserved=plan.hold,
            fallback=plan.engine.fallback or UNSET,
            ignored_fields=ignored_fields,
        )
        context = plan.context(run_log)
        # Everything that a plugin could make fail is created before credits are reserved.
        if not self._reserve(plan, key, origin):
            return None
        context.on_output = meter.show
        timeout = plan.seconds or self.settings.run_timeout
        run = Run(plan, run_log, self.store, timeout, meter)
        self._begin(run, created, context)
        return run

    def drain(self, timeout: float) -> None:
        """Reject new runs, let active ones end within `timeout` seconds, then end them."""
        self.leaving = self.draining = True
        log.info("draining %d runs", len(self._active))
        self._wait_until_idle(timeout)
        for run in list(self._active.values()):
            run.stop(SHUTDOWN)
        self._wait_until_idle(STOP_SECONDS + SETTLE_SECONDS)
        if self.shared is not None:
            self.shared.flush(FLUSH_SECONDS)

    def keep(self) -> None:
        """Start the background work for the runs."""
        self._supervisor.start()

    def stop(self) -> None:
        """End what :meth:`keep` has started, and the sharing with other processes."""
        self._supervisor.stop()
        if self.shared is not None:
            self.shared.stop()

    def active(self, run_id: str) -> Run | None:
        """Return an active run of this process, or None."""
        return self._active.get(run_id)

    def _reserve(self, plan: RunPlan, key: RequestKey | None, origin: RunOrigin) -> bool:
        """Store the run. Return False if a run exists under the key."""
        run = NewRun(
            id=plan.id,
            account_id=plan.caller.account_id,
            kind=plan.kind,
            engine=plan.engine.name,
            model=plan.task.model,
            price=plan.price.full,
            hold=plan.hold,
            usage=msgspec.json.encode(Usage(input_characters=plan.characters)).decode(),
            source=origin.source,
            file=origin.file or None,
            workspace_id=origin.workspace_id or None,
            code_digest=self.digests.digest(plan.id, plan.task.code) if plan.task.code else None,
            language=plan.task.language,
        )
        refused = self.store.open(run, key)
        if isinstance(refused, Balance):
            raise insufficient(plan.hold, refused)
        if isinstance(refused, ServiceError):
            raise refused
        return not isinstance(refused, Repeated)

    def _begin(self, run: Run, created: RunCreated, context: LoggedContext) -> None:
        """Start a reserved run.

        If this fails, the run is settled. Otherwise it would keep its credits and its place
        forever, because the lease of an active run is renewed.
        """
        self._active[run.plan.id] = run
        run.meter.begin()
        run.log.unread_since = time.monotonic()  # reserving may have taken some time
        try:
            self.logs.add(run.log)
            self.keep()
            run.log.append(created)
            spawn(self._execute, run, context)
        except BaseException:
            spawn(self._settle, run, BROKEN)
            raise

    def _execute(self, run: Run, context: LoggedContext) -> None:
        """Execute a run until its end."""
        with self._ending(run) as ending:
            ending.is_here = run.execute(context)

    def _settle(self, run: Run, outcome: RunOutcome) -> None:
        """End a run whose work was abandoned."""
        with self._ending(run):
            run.settle(outcome)

    @contextmanager
    def _ending(self, run: Run) -> Iterator[_Ending]:
        """End the log even if the block raises, so that no reader waits forever."""
        bind(run_id=run.plan.id)
        ending = _Ending()
        try:
            yield ending
        except Exception as error:  # noqa: BLE001 - see above
            log.error("run %s could not be ended: %s", run.plan.id, describe(error))
            if not run.log.ended:
                run.log.append(run.failure())
        finally:
            if ending.is_here:
                self._active.pop(run.plan.id, None)
                run.meter.end()
                self.logs.end(run.plan.id)

    def _wait_until_idle(self, timeout: float) -> None:
        """Wait until no run is active or starting."""
        deadline = time.monotonic() + timeout
        while (self._active or self._starting) and time.monotonic() < deadline:
            gevent.sleep(IDLE_POLL_SECONDS)


def insufficient(price: int, balance: Balance) -> ServiceError:
    """Return the error for an account that cannot pay a price."""
    return ServiceError(
        ErrorCode.INSUFFICIENT_CREDITS,
        f"The price is {price} credits, but the account has {balance.available} available. Ask the "
        "operator for more credits.",
        details={
            "price": price,
            "available": balance.available,
            "balance": balance.posted,
            "held": balance.held,
        },
    )


@dataclass
class _Ending:
    """The place where a run ends: this greenlet or another."""

    is_here: bool = True
