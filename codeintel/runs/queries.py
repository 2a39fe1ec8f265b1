"""Runs as their account sees them afterwards: state, result, events, cancelling."""

from __future__ import annotations

import time
from typing import cast

import gevent
import msgspec
from msgspec import Raw

from codeintel.base.entitlements import Scope
from codeintel.base.errors import ErrorCode, ServiceError
from codeintel.base.timestamps import Moment, moment
from codeintel.contracts import AnalysisResult, RunKind, TransformationResult, Usage
from codeintel.contracts.states import RunState
from codeintel.identity.auth.caller import Caller
from codeintel.platform.db.models import now_ms
from codeintel.runs.events.log import LOST_REASONS, RunLog
from codeintel.runs.idempotency import RequestKey
from codeintel.runs.service import RunService
from codeintel.runs.store import RunRecord
from codeintel.runs.supervisor import CANCELLED

SCOPES = {
    RunKind.ANALYSIS: Scope.ANALYSIS_WRITE,
    RunKind.TRANSFORM: Scope.TRANSFORM_WRITE,
}
CANCEL_SECONDS = 5.0
"""How long an answer to a request to cancel waits for the run's end."""
BEGIN_SECONDS = 2.0
"""How long the first events of a run may be on their way from another process."""
BEHIND_SECONDS = 60.0
"""How long after its end a run's process may still be about to send the last events."""
POLL_SECONDS = 0.05


class RunReport(msgspec.Struct, frozen=True, kw_only=True, rename="camel"):
    """A run as its owner sees it. `result` is null until there is one; `creditsCharged` is null
    while the run goes on."""

    id: str
    kind: RunKind
    state: RunState
    engine: str
    model: str
    credits_reserved: int
    credits_charged: int | None
    reason: str | None
    created_at: Moment
    finished_at: Moment | None
    usage: Usage | None
    result: AnalysisResult | TransformationResult | None


class RunReader:
    """Finds runs for those who may see them."""

    def __init__(self, service: RunService) -> None:
        self._service = service

    def find(self, caller: Caller, run_id: str, *, with_result: bool = False) -> RunRecord:
        """The row of a caller's run.

        :raises ServiceError: `not_found` for a run that does not exist, is another account's or was
            deleted when its time was over; `insufficient_scope` for a key without the scope of its
            kind.
        """
        record = self._service.records.find(run_id, with_result=with_result)
        if record is None or record.account_id != caller.account_id:
            raise ServiceError(ErrorCode.NOT_FOUND, "There is no such run.")
        caller.require(SCOPES[RunKind(record.kind)])
        return record

    def under(self, key: RequestKey) -> str | None:
        """The run that a request began when it was first sent.

        :raises ServiceError: `idempotency_conflict` if another body came under the key.
        """
        return self._service.store.find_under(key)

    def events(self, record: RunRecord, after: int) -> RunLog:
        """The log of a run, for reading on behind event `after`.

        :raises ServiceError: `invalid_request` if the run has not come that far,
            `events_gone` if the next event is not kept any more,
            `events_unavailable` if only another process has it and cannot be asked.
        """
        here = self._service.logs.find(record.id)
        events = here or self._elsewhere(record, after)
        if events is None or after < events.dropped:
            raise ServiceError(
                ErrorCode.EVENTS_GONE,
                "These events are not kept any more: ask for the run, which tells its state and "
                "its result.",
                details={"run": f"/api/v1/runs/{record.id}"}
                | ({"first": events.dropped + 1} if events is not None else {}),
            )
        is_known = here is not None or (events.ended and not events.was_cut)
        if is_known and after > events.length:
            raise ServiceError(
                ErrorCode.INVALID_REQUEST,
                f"The run's last event is {events.length}: there was none numbered {after}.",
                details={"path": "after", "last": events.length},
            )
        return events

    def _elsewhere(self, record: RunRecord, after: int) -> RunLog | None:
        shared = self._service.shared
        if shared is None:
            return None
        if record.reason in LOST_REASONS:  # nobody else will tell the readers
            shared.close(record)
            events = shared.open(record.id)
            return shared.end_of(record) if events is None and after else events
        has_ended = record.state is not RunState.RUNNING
        deadline = time.monotonic() + BEGIN_SECONDS
        while True:
            events = shared.open(record.id)
            if events is not None and (events.ended or not has_ended):
                return events
            if time.monotonic() >= deadline:
                break
            gevent.sleep(POLL_SECONDS)
        if not has_ended or now_ms() - (record.finished_ms or 0) < BEHIND_SECONDS * 1000:
            raise shared.unavailable()  # its process may not have reached Redis yet
        return None

    def cancel(self, record: RunRecord) -> RunRecord:
        """End a run if it goes on, and wait some seconds for its end. Doing it again changes
        nothing."""
        run = self._service.active(record.id)
        if run is not None:
            run.stop(CANCELLED)
        elif record.state is RunState.RUNNING:
            self._service.records.request_end(record.id)
        deadline = time.monotonic() + CANCEL_SECONDS
        while record.state is RunState.RUNNING and time.monotonic() < deadline:
            gevent.sleep(POLL_SECONDS)
            record = self._service.records.find(record.id) or record
        return record


def lasted_ms(record: RunRecord) -> int:
    """How long a run has taken, in milliseconds; until now for one that goes on."""
    return (record.finished_ms or now_ms()) - record.created_ms


def report(record: RunRecord) -> RunReport:
    """What is told of a run; with its result if the record was read with it."""
    return RunReport(
        id=record.id,
        kind=RunKind(record.kind),
        state=record.state,
        engine=record.engine,
        model=record.model,
        credits_reserved=record.hold,
        credits_charged=record.charged,
        reason=record.reason,
        created_at=moment(record.created_ms),
        finished_at=moment(record.finished_ms) if record.finished_ms is not None else None,
        usage=cast("Usage | None", _raw(record.usage)),
        result=cast("AnalysisResult | TransformationResult | None", _raw(record.result)),
    )


def _raw(document: str | None) -> Raw | None:
    """Stored JSON as part of an answer: what was encoded once need not be again."""
    return Raw(document.encode()) if document is not None else None
