"""A run, from its first event to its settlement, with its metrics and its cost."""

from __future__ import annotations

import logging
import time
from collections import Counter
from dataclasses import dataclass

import gevent
import greenlet
import msgspec
from sqlalchemy.exc import SQLAlchemyError

from codeintel.base.logging import bound, describe
from codeintel.contracts import (
    AnalysisResult,
    Failed,
    Incomplete,
    RunKind,
    TransformationResult,
    Usage,
)
from codeintel.contracts.events import ResultEvent, Terminal, UsageEvent
from codeintel.contracts.scans.records import ScanResult
from codeintel.contracts.states import RunState
from codeintel.engine.sarif.fingerprints import fingerprints
from codeintel.identity.ledger import Price
from codeintel.platform.metrics import table
from codeintel.runs.context import LoggedContext
from codeintel.runs.events.frames import terminal
from codeintel.runs.events.log import RunLog
from codeintel.runs.planning import Result, RunPlan
from codeintel.runs.store import Ending, RunStore

log = logging.getLogger(__name__)

STOP_SECONDS = 5.0
"""How long an engine may take to stop, in seconds."""
SETTLE_TRIES = 5
MAX_REASON_CHARACTERS = 64
MAX_WORDS_CHARACTERS = 1_000
SETTLE_PAUSE_SECONDS = 0.5


@dataclass(frozen=True)
class RunOutcome:
    """How the work ended: a state and, unless it completed, a reason with a message."""

    state: RunState
    reason: str = ""
    message: str = ""


class Stopped(BaseException):
    """Thrown into the work of a run to stop it.

    It is not an Exception, so that engines do not catch it.
    """

    def __init__(self, outcome: RunOutcome) -> None:
        super().__init__(outcome.reason)
        self.outcome = outcome


COMPLETED = RunOutcome(RunState.COMPLETED)
TIMED_OUT = RunOutcome(RunState.INCOMPLETE, "time_limit", "The run exceeded its time limit.")
BROKEN = RunOutcome(RunState.FAILED, "internal_error", "The service failed. Nothing was charged.")
UNSETTLED = RunOutcome(
    RunState.FAILED, "database_unavailable", "The database is unavailable. Nothing was charged."
)
LOST = RunOutcome(RunState.FAILED, "lease_expired", "The run lost its lease. Nothing was charged.")


class Run:
    """An active run of this process.

    One greenlet does the work and settles the run. An interruption of the work does not reach the
    settlement. If the work does not stop in time, it is abandoned, and another greenlet settles the
    run.
    """

    def __init__(
        self, plan: RunPlan, run_log: RunLog, store: RunStore, timeout: float, meter: RunMeter
    ) -> None:
        self.plan = plan
        self.log = run_log
        self.meter = meter
        self._store = store
        self._timeout = timeout
        self._usage = Usage(input_characters=plan.characters)
        self._result: Result | None = None
        self._is_delivered = False
        self._context: LoggedContext | None = None
        self._worker: greenlet.greenlet | None = None
        self.must_end_by = float("inf")
        self._stopped: RunOutcome | None = None

    def execute(self, context: LoggedContext) -> bool:
        """Do the work, settle, and send the terminal event.

        Return False if another greenlet settles.
        """
        self._context = context
        outcome = self._stopped
        if outcome is None:
            worker = self._worker = gevent.getcurrent()
            self.must_end_by = time.monotonic() + self._timeout + STOP_SECONDS
            outcome = self._work(context)
            if self._worker is not worker:
                return False
            self._worker = None
        self.settle(outcome)
        return True

    def settle(self, outcome: RunOutcome) -> None:
        """Store how the work ended, and send the terminal event."""
        context = self._context
        if self._result is None and context is not None and context.usage is not None:
            self._usage = context.usage
        worth = cost(
            outcome.state,
            self.plan.price,
            has_result=self._is_delivered,
            has_output=context is not None and context.has_output,
            is_mostly_sent=context is not None and context.is_mostly_sent,
        )
        charge = min(worth, self.plan.hold)
        settled = self._settle(outcome, charge, worth)
        if settled is not outcome:
            charge = 0
        self.meter.outcome = settled.state
        self.log.append(self._terminal(settled, charge))

    def stop(self, outcome: RunOutcome) -> None:
        """End the work with this outcome unless it has ended."""
        if self._stopped is not None:
            return
        self._stopped = outcome
        if self._worker is not None:
            self.must_end_by = min(self.must_end_by, time.monotonic() + STOP_SECONDS)
            gevent.get_hub().loop.run_callback(self._interrupt, outcome)

    def _interrupt(self, outcome: RunOutcome) -> None:
        """Throw into the work, if it is still active when the hub runs this."""
        if self._worker is not None and not self._worker.dead:
            self._worker.throw(Stopped(outcome))

    def left_behind(self) -> RunOutcome | None:
        """Return how to settle a run whose work did not stop in time, or None.

        After that, the caller settles the run.
        """
        if self._worker is None or time.monotonic() < self.must_end_by:
            return None
        with bound(run_id=self.plan.id):
            log.error("run %s: its engine did not stop in time", self.plan.id)
        self._worker = None
        return self._stopped or TIMED_OUT

    def _work(self, context: LoggedContext) -> RunOutcome:
        try:
            return self._worked(context)
        except Stopped as stopped:
            return stopped.outcome
        except Failed as failed:
            return _outcome(RunState.FAILED, failed)
        except gevent.Timeout:
            return TIMED_OUT
        except BaseException as error:  # noqa: BLE001 - an engine may raise anything
            log.error("run %s failed: %s", self.plan.id, describe(error))
            return BROKEN

    def _worked(self, context: LoggedContext) -> RunOutcome:
        """Do the work and send its result.

        If another greenlet settles the run already, the result is discarded.
        """
        try:
            with gevent.Timeout(self._timeout):
                result, usage = _checked(self.plan.work(context))
        except Incomplete as incomplete:
            if isinstance(incomplete.result, Result) and self._is_mine():
                self._show(incomplete.result)
            return _outcome(RunState.INCOMPLETE, incomplete)
        if self._is_mine():
            self._show(result)
            self._is_delivered = True
            self.log.append(UsageEvent(usage=usage))
            self._usage = usage
        return COMPLETED

    def _is_mine(self) -> bool:
        return self._worker is gevent.getcurrent()

    def _show(self, result: Result) -> None:
        """Send and store a result. A result that cannot be sent is neither stored nor charged."""
        self.log.append(ResultEvent(result=self.plan.sent(result)))
        self._result = result

    def _settle(self, outcome: RunOutcome, charge: int, worth: int) -> RunOutcome:
        """Store how the run ended.

        The terminal event reports what the database says. If the database is out of reach, the
        lease runs out. If another process has ended the run, its outcome counts.
        """
        ending = Ending(
            state=outcome.state,
            charge=charge,
            metered=worth,
            description=self.plan.description,
            reason=outcome.reason or None,
            result=msgspec.json.encode(self._result).decode() if self._result else None,
            fingerprints=self._fingerprints(),
            usage=msgspec.json.encode(self._usage).decode(),
            language=_language(self._result),
            severities=_severities(self._result),
        )
        for attempt in range(SETTLE_TRIES):
            try:
                ours = self._store.settle(self.plan.id, self.plan.caller.account_id, ending)
                if not ours and attempt:  # a try that seemed to fail may have been committed
                    ours = self._store.state(self.plan.id) is outcome.state
            except SQLAlchemyError as error:
                log.error("run %s cannot be settled: %s", self.plan.id, type(error).__name__)
                if attempt < SETTLE_TRIES - 1:
                    gevent.sleep(SETTLE_PAUSE_SECONDS * 2**attempt)
            else:
                return outcome if ours else LOST
        return UNSETTLED

    def _fingerprints(self) -> str | None:
        """Return the fingerprints of the findings, as JSON.

        They are made now, because the code is not stored.
        """
        if not isinstance(self._result, AnalysisResult) or not self._result.findings:
            return None
        return msgspec.json.encode(
            fingerprints(self._result.findings, self.plan.task.code)
        ).decode()

    def failure(self) -> Terminal:
        """Return the terminal event for a run that could not be settled and whose lease runs
        out.
        """
        return self._terminal(BROKEN, 0)

    def _terminal(self, outcome: RunOutcome, charge: int) -> Terminal:
        return terminal(
            outcome.state,
            self._usage,
            charge=charge,
            refund=self.plan.hold - charge,
            reason=outcome.reason,
            message=outcome.message,
        )


def _language(result: Result | None) -> str | None:
    """Return the language of the code that was sent."""
    if isinstance(result, TransformationResult):
        return result.source_language
    return (result.language or None) if isinstance(result, AnalysisResult) else None


def _severities(result: Result | None) -> str | None:
    """Count the findings by severity, as JSON; None without a finished analysis."""
    if isinstance(result, ScanResult):
        return msgspec.json.encode(result.summary.counts).decode()
    if not isinstance(result, AnalysisResult):
        return None
    counts = Counter(finding.severity.value for finding in result.findings)
    return msgspec.json.encode(dict(counts)).decode()


def cost(
    state: RunState,
    price: Price,
    *,
    has_result: bool,
    has_output: bool,
    is_mostly_sent: bool = False,
) -> int:
    """Return the credits that the work is worth.

    A delivered result costs the full price, however the run ended. A cancelled run also does if
    half of the longest answer was sent. Work that was cut short by a limit costs the least price,
    and so does a cancelled run with some output. Failures are free.

    :param has_result: whether the `result` event was sent.
    :param has_output: whether any `output.delta`, `finding` or `result` was sent.
    :param is_mostly_sent: whether half of the longest possible answer was sent.
    """
    if has_result or state is RunState.COMPLETED:
        return price.full
    if state is RunState.CANCELLED and is_mostly_sent:
        return price.full
    if state is RunState.INCOMPLETE or (state is RunState.CANCELLED and has_output):
        return price.least
    return 0


class RunMeter:
    """The metrics of a run.

    It is created when a run is requested, and each method is called at most once.
    """

    def __init__(self, kind: RunKind, engine: str) -> None:
        self._kind = str(kind)
        self._engine = engine
        self._since = time.monotonic()
        self.outcome = RunState.FAILED
        """The outcome for the metrics. A run that ends without an outcome has failed."""

    def begin(self) -> None:
        """Record the first event."""
        now = time.monotonic()
        table.RUN_FIRST_EVENT_SECONDS.observe(now - self._since, self._kind)
        table.RUNS_RUNNING.up(self._kind, self._engine)
        self._since = now

    def show(self) -> None:
        """Record the first finding or piece of output."""
        passed = time.monotonic() - self._since
        table.RUN_FIRST_OUTPUT_SECONDS.observe(passed, self._kind, self._engine)

    def end(self) -> None:
        """Record the end."""
        table.RUNS_RUNNING.down(self._kind, self._engine)
        table.RUNS.add(self._kind, self._engine, str(self.outcome))
        table.RUN_SECONDS.observe(time.monotonic() - self._since, self._kind, self._engine)


def _checked(answer: tuple[Result, Usage]) -> tuple[Result, Usage]:
    """Return an engine's result after checking its types, because the engine may be a plugin's."""
    result, usage = answer
    if not isinstance(result, Result) or not isinstance(usage, Usage):
        raise TypeError("an engine must return a result and a Usage")
    return result, usage


def _outcome(state: RunState, ending: Incomplete | Failed) -> RunOutcome:
    """Return the outcome that an engine reports."""
    reason = _sendable(ending.reason)[:MAX_REASON_CHARACTERS]
    return RunOutcome(state, reason, _sendable(ending.message))


def _sendable(text: object) -> str:
    """Return a plugin's text in a form that can be stored and sent."""
    return str(text).encode("utf-8", "replace").decode()[:MAX_WORDS_CHARACTERS]
