"""The states of a run."""

from __future__ import annotations

from enum import StrEnum


class RunState(StrEnum):
    """`running` until exactly one of the others."""

    RUNNING = "running"
    COMPLETED = "completed"
    INCOMPLETE = "incomplete"
    FAILED = "failed"
    CANCELLED = "cancelled"
