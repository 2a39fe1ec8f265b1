"""What a job can be."""

from __future__ import annotations

from enum import StrEnum


class JobState(StrEnum):
    """States; the last three are final."""

    QUEUED = "queued"
    RUNNING = "running"
    DONE = "done"
    FAILED = "failed"
    CANCELLED = "cancelled"


OPEN = (JobState.QUEUED, JobState.RUNNING)
