"""Runs as their account sees them later: state, result, events, cancellation."""

from __future__ import annotations

import time
from typing import cast

import gevent
import msgspec
from msgspec import Raw

from codeintel.base.entitlements import Scope
from codeintel.base.errors import ErrorCode, ServiceError
from codeintel.base.timestamps import Moment, from_milliseconds
from codeintel.contracts import AnalysisResult, RunKind, TransformationResult, Usage
from codeintel.contracts.scans.records import ScanResult
from codeintel.contracts.states import RunState
from codeintel.identity.auth.caller import Caller
from codeintel.platform.db.models import now_ms
from codeintel.runs.events.frames import LOST_REASONS
from codeintel.runs.events.log import RunLog
from codeintel.runs.idempotency import RequestKey
from codeintel.runs.service import RunService
from codeintel.runs.store import RunRecord
from codeintel.runs.supervisor import CANCELLED

SCOPES = {
    RunKind.ANALYSIS: Scope.ANALYSIS_WRITE,
    RunKind.TRANSFORM: Scope.TRANSFORM_WRITE,
    RunKind.SCAN: Scope.ANALYSIS_WRITE,
}
CANCEL_SECONDS = 5.0
"""How long a cancel request waits for the run's end, in seconds."""
BEGIN_SECONDS = 2.0
"""How long to wait for the first events of a run from another process, in seconds."""
BEHIND_SECONDS = 60.0
"""How long after its end a run's process may still send the last events, in seconds."""
POLL_SECONDS = 0.05


RunResult = AnalysisResult | TransformationResult | ScanResult


class RunReport(msgspec.Struct, frozen=True, kw_only=True, rename="camel"):
    """A run as its owner sees it.

    `result` is null until it exists. `creditsCharged` is null while the run is active.
    """

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
    result: RunResult | None


class RunReader:
    """Finds runs for their owners."""

    def __init__(self, service: RunService) -> None:
        self._service = service

    def find(self, caller: Caller, run_id: str, *, with_result: bool = False) -> RunRecord:
        """Return the row of a caller's run.

        :raises ServiceError: `not_found` for a run that does not exist, belongs to another account
            or has expired; `insufficient_scope` for a key without the scope of its kind.
        """
        record = self._service.records.find(run_id, with_result=with_result)
        if record is None or record.account_id != caller.account_id:
            raise ServiceError(ErrorCode.NOT_FOUND, "No such run exists.")
        caller.require(SCOPES[RunKind(record.kind)])
        return record

    def under(self, key: RequestKey) -> str | None:
        """Return the run that a request started when it was first sent, or None.

        :raises ServiceError: `idempotency_conflict` if the key was used with a different body.
        """
        return self._service.store.find_under(key)

    def events(self, record: RunRecord, after: int) -> RunLog:
        """Return the log of a run, to read after event `after`.

        :raises ServiceError: `invalid_request` if the run does not have that event yet,
            `events_gone` if the next event is deleted, `events_unavailable` if only another process
            has it and does not answer.
        """
        here = self._service.logs.find(record.id)
        events = here or self._elsewhere(record, after)
        if events is None or after < events.dropped:
            raise ServiceError(
                ErrorCode.EVENTS_GONE,
                "These events are deleted. Request the run itself for its state and its result.",
                details={"run": f"/api/v1/runs/{record.id}"}
                | ({"first": events.dropped + 1} if events is not None else {}),
            )
        is_known = here is not None or (events.ended and not events.was_cut)
        if is_known and after > events.length:
            raise ServiceError(
                ErrorCode.INVALID_REQUEST,
                f"The run's last event is {events.length}, so event {after} does not exist.",
                details={"path": "after", "last": events.length},
            )
        return events

    def _elsewhere(self, record: RunRecord, after: int) -> RunLog | None:
        shared = self._service.shared
        if shared is None:
            return None
        if record.reason in LOST_REASONS:  # no other process will send the end to its readers
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
        """End a run if it is active, and wait some seconds for its end.

        Repeating this has no effect.
        """
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
    """Return the duration of a run in milliseconds. An active run counts to now."""
    return (record.finished_ms or now_ms()) - record.created_ms


def report(record: RunRecord) -> RunReport:
    """Return the report of a run, with its result if the record was read with it."""
    return RunReport(
        id=record.id,
        kind=RunKind(record.kind),
        state=record.state,
        engine=record.engine,
        model=record.model,
        credits_reserved=record.hold,
        credits_charged=record.charged,
        reason=record.reason,
        created_at=from_milliseconds(record.created_ms),
        finished_at=from_milliseconds(record.finished_ms)
        if record.finished_ms is not None
        else None,
        usage=cast("Usage | None", _raw(record.usage)),
        result=cast(
            "AnalysisResult | TransformationResult | ScanResult | None", _raw(record.result)
        ),
    )


def _raw(document: str | None) -> Raw | None:
    """Return stored JSON as part of a response, without encoding it again."""
    return Raw(document.encode()) if document is not None else None
