"""Terminal events: of runs that end here, and of those that the database knows to have ended."""

from __future__ import annotations

import msgspec

from codeintel.contracts import Usage
from codeintel.contracts.events import (
    RunCancelled,
    RunCompleted,
    RunFailed,
    RunIncomplete,
    Terminal,
)
from codeintel.contracts.run_states import RunState
from codeintel.runs.records import RunRecord

_TYPES: dict[RunState, type[RunIncomplete | RunCancelled | RunFailed]] = {
    RunState.INCOMPLETE: RunIncomplete,
    RunState.CANCELLED: RunCancelled,
    RunState.FAILED: RunFailed,
}
_MESSAGES = {
    "lease_expired": "The process that worked on the run is gone. Nothing was charged.",
    "service_restarted": "The service was restarted. Nothing was charged.",
    "backup_restored": "The service was restored from a backup. Nothing was charged.",
}
LOST_REASONS = frozenset(_MESSAGES)
"""Why runs end whose process is gone."""


def terminal(
    state: RunState, usage: Usage, *, charge: int, refund: int, reason: str, message: str
) -> Terminal:
    """The event that ends a run in `state`. Credits are whole numbers."""
    if state is RunState.COMPLETED:
        return RunCompleted(usage=usage, credits_charged=charge, credits_refunded=refund)
    return _TYPES[state](
        usage=usage,
        credits_charged=charge,
        credits_refunded=refund,
        reason=reason,
        message=message,
    )


def recorded_terminal(record: RunRecord) -> Terminal:
    """The event that ends a run, from its row: for one whose process could not send it."""
    usage = (
        msgspec.json.decode(record.usage, type=Usage)
        if record.usage is not None
        else Usage(input_characters=0)
    )
    charge, reason = record.charged or 0, record.reason or ""
    return terminal(
        record.state,
        usage,
        charge=charge,
        refund=record.hold - charge,
        reason=reason,
        message=_MESSAGES.get(reason, "The run had ended when its last event was lost."),
    )
