"""The states of a run."""

from __future__ import annotations

from enum import StrEnum

FIRST_EPOCH = 1
"""Of the process that began the run. All but the last event are its own: whoever takes a run over
only ends it."""


class RunState(StrEnum):
    """`running` until exactly one of the others."""

    RUNNING = "running"
    COMPLETED = "completed"
    INCOMPLETE = "incomplete"
    FAILED = "failed"
    CANCELLED = "cancelled"
