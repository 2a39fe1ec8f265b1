"""Starting runs and ending them."""

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
from codeintel.base.logging.context import bind, spawn
from codeintel.base.logging.setup import describe
from codeintel.contracts import AnalysisTask, TransformTask, Usage
from codeintel.contracts.events import RunCreated
from codeintel.contracts.run_states import RunState
from codeintel.identity.auth.caller import Caller
from codeintel.identity.credits.ledger import Balance
from codeintel.platform.config import Settings
from codeintel.platform.db.models import new_id
from codeintel.platform.plugins.registry import Registry
from codeintel.platform.sandbox.sandbox import Sandbox
from codeintel.platform.workers.pool import AnalyzerPool
from codeintel.runs.cache import ResultCache
from codeintel.runs.events.log import RunLog
from codeintel.runs.events.logs import RunLogs
from codeintel.runs.events.sharing import SharedLogs
from codeintel.runs.execution.context import LoggedContext
from codeintel.runs.execution.meter import RunMeter
from codeintel.runs.idempotency import RequestKey
from codeintel.runs.planning import Order, Orders
from codeintel.runs.records import RunRecords
from codeintel.runs.run import BROKEN, STOP_SECONDS, Outcome, Run, RunFacts, Work
from codeintel.runs.shared_results import SharedResults
from codeintel.runs.store import NewRun, Repeated, RunStore
from codeintel.runs.supervisor import Keeper

log = logging.getLogger(__name__)

RETRY_SECONDS = 5
IDLE_POLL_SECONDS = 0.02
FLUSH_SECONDS = 2.0
SETTLE_SECONDS = 2.0
"""How long runs that did not stop when told to may take to be noticed and settled."""
SHUTDOWN = Outcome(RunState.INCOMPLETE, "shutdown", "The service is shutting down: start again.")


@dataclass
class RunService:
    """All runs of this process."""

    settings: Settings
    registry: Registry
    store: RunStore
    records: RunRecords
    pool: AnalyzerPool
    shared: SharedLogs | None = None
    results: SharedResults | None = None
    sandbox: Sandbox | None = None

    def __post_init__(self) -> None:
        self.leaving = False
        """Whether the end has been announced: callers that can go elsewhere should."""
        self.draining = False
        """Whether new runs are refused."""
        self.logs = RunLogs(min(self.settings.events_kept, self.settings.run_retention))
        self._active: dict[str, Run] = {}
        cache = ResultCache(self.settings.result_cache, self.results)
        self._orders = Orders(self.registry, self.pool, cache, self._active, self.sandbox)
        self._starting = 0
        self._keeper = Keeper(
            lambda: self.settings,
            self.store,
            self.records,
            self._active,
            self.shared,
            lambda run, outcome: gevent.spawn(self._settle, run, outcome),
        )

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
        self,
        caller: Caller,
        task: AnalysisTask,
        ignored_fields: tuple[str, ...] = (),
        key: RequestKey | None = None,
    ) -> Run | None:
        """Reserve the price and start an analysis; its events are in the log of what is returned.
        None, and nothing was done, if there is a run under the key already.

        :raises ServiceError: `insufficient_credits`, and nothing was done.
        """
        return self._start(caller, self._orders.analysis(caller, task), ignored_fields, key)

    def start_transformation(
        self,
        caller: Caller,
        task: TransformTask,
        ignored_fields: tuple[str, ...] = (),
        key: RequestKey | None = None,
    ) -> Run | None:
        """Start a transformation as :meth:`start_analysis` does an analysis.

        :raises ServiceError: `unsupported_without_model` or `insufficient_credits`, and nothing was
            done.
        """
        return self._start(caller, self._orders.transformation(caller, task), ignored_fields, key)

    def check_transformation(self, task: TransformTask) -> None:
        """:raises ServiceError: `unsupported_without_model` if no engine can do it now."""
        self._orders.transformer(task)

    def _start(
        self,
        caller: Caller,
        order: Order,
        ignored_fields: tuple[str, ...],
        key: RequestKey | None,
    ) -> Run | None:
        meter = RunMeter(order.kind, order.engine.name)
        facts = RunFacts(
            id=new_id("run"),
            account_id=caller.account_id,
            description=order.description,
            price=order.price,
            hold=0 if caller.unlimited else order.price.full,
            code=order.code,
        )
        publish = self.shared.publish if self.shared is not None else None
        run_log = RunLog(facts.id, on_grown=publish)
        created = RunCreated(
            kind=order.kind,
            engine=order.engine.name,
            model=order.model,
            credits_reserved=facts.hold,
            fallback=order.engine.fallback or UNSET,
            ignored_fields=ignored_fields,
        )
        context = order.context(run_log)
        # All that a plugin could make fail is made before anything is reserved.
        if not self._reserve(facts, order, key):
            return None
        context.on_output = meter.show
        run = Run(facts, run_log, self.store, self.settings.run_timeout, meter)
        return self._begin(run, created, order.work, context)

    def drain(self, timeout: float) -> None:
        """Refuse new runs, let the running ones end for `timeout` seconds, then end them."""
        self.leaving = self.draining = True
        log.info("draining %d runs", len(self._active))
        self._wait_until_idle(timeout)
        for run in list(self._active.values()):
            run.stop(SHUTDOWN)
        self._wait_until_idle(STOP_SECONDS + SETTLE_SECONDS)
        if self.shared is not None:
            self.shared.flush(FLUSH_SECONDS)

    def keep(self) -> None:
        """Start what is done beside the runs."""
        self._keeper.start()

    def stop(self) -> None:
        """End what :meth:`keep` has started, and what is shared with other processes."""
        self._keeper.stop()
        if self.shared is not None:
            self.shared.stop()

    def active(self, run_id: str) -> Run | None:
        """A run under way here."""
        return self._active.get(run_id)

    def _reserve(self, facts: RunFacts, order: Order, key: RequestKey | None) -> bool:
        """Whether the run is in the database now; not if there is one under the key already."""
        run = NewRun(
            id=facts.id,
            account_id=facts.account_id,
            kind=order.kind,
            engine=order.engine.name,
            model=order.model,
            price=facts.price.full,
            hold=facts.hold,
            usage=msgspec.json.encode(Usage(input_characters=len(facts.code))).decode(),
        )
        refused = self.store.open(run, key)
        if isinstance(refused, Balance):
            raise _insufficient(facts.hold, refused)
        if isinstance(refused, ServiceError):
            raise refused
        return not isinstance(refused, Repeated)

    def _begin(self, run: Run, created: RunCreated, work: Work, context: LoggedContext) -> Run:
        """Start what is reserved. Whatever fails, the run is settled: it would keep its credits and
        its place for ever, for the lease of an active run is renewed."""
        self._active[run.facts.id] = run
        run.meter.begin()
        run.log.unread_since = time.monotonic()  # reserving may have taken its time
        try:
            self.logs.add(run.log)
            self.keep()
            run.log.append(created)
            spawn(self._execute, run, work, context)
        except BaseException:
            spawn(self._settle, run, BROKEN)
            raise
        return run

    def _execute(self, run: Run, work: Work, context: LoggedContext) -> None:
        """Bring a run to its end."""
        with self._ending(run) as ending:
            ending.is_here = run.execute(work, context)

    def _settle(self, run: Run, outcome: Outcome) -> None:
        """End a run whose work was left behind."""
        with self._ending(run):
            run.settle(outcome)

    @contextmanager
    def _ending(self, run: Run) -> Iterator[_Ending]:
        """Whatever happens in the block, no reader may wait for ever."""
        bind(run_id=run.facts.id)
        ending = _Ending()
        try:
            yield ending
        except Exception as error:  # noqa: BLE001 - see above
            log.error("run %s has no end: %s", run.facts.id, describe(error))
            if not run.log.ended:
                run.log.append(run.failure())
        finally:
            if ending.is_here:
                self._active.pop(run.facts.id, None)
                run.meter.end()
                self.logs.end(run.facts.id)

    def _wait_until_idle(self, timeout: float) -> None:
        """Wait until nothing runs and nothing is about to."""
        deadline = time.monotonic() + timeout
        while (self._active or self._starting) and time.monotonic() < deadline:
            gevent.sleep(IDLE_POLL_SECONDS)


def _insufficient(price: int, balance: Balance) -> ServiceError:
    return ServiceError(
        ErrorCode.INSUFFICIENT_CREDITS,
        f"The price is {price}, the account has {balance.available} credits available: "
        "have credits granted to it.",
        details={
            "price": price,
            "available": balance.available,
            "balance": balance.posted,
            "held": balance.held,
        },
    )


@dataclass
class _Ending:
    """Whether a run ends in this greenlet, and not in another."""

    is_here: bool = True
