"""The states of jobs and runs, and the sources of runs."""

from __future__ import annotations

from enum import StrEnum


class JobState(StrEnum):
    """The states of a job. The last three are final."""

    QUEUED = "queued"
    RUNNING = "running"
    DONE = "done"
    FAILED = "failed"
    CANCELLED = "cancelled"


OPEN = (JobState.QUEUED, JobState.RUNNING)


FIRST_EPOCH = 1
"""The epoch of the process that began the run. That process writes all events but the last. A
process that takes the run over only ends it.
"""


class RunState(StrEnum):
    """`running` until exactly one of the others."""

    RUNNING = "running"
    COMPLETED = "completed"
    INCOMPLETE = "incomplete"
    FAILED = "failed"
    CANCELLED = "cancelled"


class RunSource(StrEnum):
    """The kind of program that started a run."""

    API = "api"
    CLI = "cli"
    BROWSER = "browser"
    EDITOR = "editor"
    DEMO = "demo"
    """The demo, whose runs cost nothing. No client can claim it."""
