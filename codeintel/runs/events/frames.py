"""The form in which events are sent, and the events that end runs."""

from __future__ import annotations

from functools import cache

import msgspec

from codeintel.contracts import Usage
from codeintel.contracts.events import (
    RunCancelled,
    RunCompleted,
    RunEvent,
    RunFailed,
    RunIncomplete,
    Terminal,
)
from codeintel.contracts.states import RunState
from codeintel.runs.store import RunRecord

_encode = msgspec.json.Encoder().encode


def terminal(
    state: RunState, usage: Usage, *, charge: int, refund: int, reason: str, message: str
) -> Terminal:
    """Return the event that ends a run in `state`. Credits are whole numbers."""
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
    """Return the terminal event of a run from its row, if its process could not send the event."""
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
        message=_MESSAGES.get(reason, "The run had ended, but its last event was lost."),
    )


_TYPES: dict[RunState, type[RunIncomplete | RunCancelled | RunFailed]] = {
    RunState.INCOMPLETE: RunIncomplete,
    RunState.CANCELLED: RunCancelled,
    RunState.FAILED: RunFailed,
}
_MESSAGES = {
    "lease_expired": "The process of the run is gone. Nothing was charged.",
    "service_restarted": "The service was restarted. Nothing was charged.",
    "backup_restored": "The service was restored from a backup. Nothing was charged.",
}
LOST_REASONS = frozenset(_MESSAGES)
"""The reasons of runs whose process was lost."""


def encode_frame(event: RunEvent) -> bytes:
    """Return a numbered event in the form in which it is sent."""
    return frame(event.sequence, _name(type(event)), _encode(event))


def frame(identifier: int, event: bytes, data: bytes) -> bytes:
    """Return one server-sent event: https://html.spec.whatwg.org/multipage/server-sent-events.html.

    `data` must not contain a line break, which JSON never does.
    """
    return b"id: %d\nevent: %b\ndata: %b\n\n" % (identifier, event, data)


@cache
def _name(type_: type[RunEvent]) -> bytes:
    return str(type_.__struct_config__.tag).encode()


def renumbered(frame_: bytes, number: int) -> bytes:
    """Return a sent terminal event with a different number."""
    data = frame_.rsplit(b"\ndata: ", 1)[1]
    event: Terminal = msgspec.json.decode(data, type=Terminal)
    event.sequence = number
    return encode_frame(event)
