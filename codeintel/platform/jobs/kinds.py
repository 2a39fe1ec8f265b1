"""Kinds of jobs: what does them, what it is given, and how it says that it cannot."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeVar

from sqlalchemy import Connection
from sqlalchemy.exc import DBAPIError

from codeintel.base.greenlets import give_way
from codeintel.base.logging import describe
from codeintel.platform.db.writer import is_unavailable
from codeintel.platform.jobs.store import Job

if TYPE_CHECKING:
    from codeintel.platform.jobs.holding import JobHolder


class JobFailure(Exception):  # noqa: N818 - says what happened
    """The work cannot be done. Unlike that of other exceptions its text is kept, for operators: it
    must hold no secret.

    :param final: whether trying again is of no use.
    """

    def __init__(self, message: str, *, final: bool = False) -> None:
        super().__init__(message)
        self.final = final


class LostJob(Exception):  # noqa: N818 - says what happened
    """Another process has taken the job over, or it has ended: what was to be done was not."""


class JobStopped(Exception):  # noqa: N818 - says what happened
    """The job was told to stop, and has done so at a place from which it can go on."""


def explain(error: Exception) -> str:
    """An exception for the log: in one line if the database is out of reach, which comes again and
    again while it lasts."""
    if isinstance(error, DBAPIError) and is_unavailable(error):
        return f"the database does not answer ({type(error.orig).__name__})"
    return describe(error)


T = TypeVar("T")


class JobContext:
    """One attempt at a job.

    `arguments` and `cursor` are JSON values; the cursor is that of the last checkpoint, of this
    attempt or an earlier one, None before the first.
    """

    def __init__(self, job: Job, holder: JobHolder, should_stop: Callable[[], bool]) -> None:
        self.id = job.id
        self.key = job.key
        self.arguments: Any = job.arguments
        self.cursor: Any = job.cursor
        self._job = job
        self._holder = holder
        self._should_stop = should_stop

    @property
    def should_stop(self) -> bool:
        """Whether to stop soon: the job was cancelled, or the process ends."""
        return self._should_stop()

    def checkpoint(
        self,
        work: Callable[[Connection], T],
        cursor: Any,
        done: int | None = None,
        total: int | None = None,
        note: str | None = None,
    ) -> T:
        """Do `work` and store where to go on, in one transaction: whatever becomes of this process,
        the work is done once.

        :param work: a piece of work as :class:`codeintel.platform.db.writer.Writer` takes it, for a
            second at most.
        :param cursor: JSON value, from which the next attempt goes on.
        :param done: how much is done of `total`, in any unit; with `note`, 255 characters at most,
            for people. What is None stays as it was.
        :raises LostJob: and nothing was done, if another process has the job now.
        :raises JobStopped: all was done, and the job should stop. Let it pass.
        :raises Exception: what the work raised; nothing was done.
        """
        result = self._holder.advance(self._job, work, cursor, done, total, note)
        self.cursor = cursor
        self.stop_if_asked()
        return result

    def stop_if_asked(self) -> None:
        """End the attempt here if the job should stop; the next one begins at the cursor. Lets
        other greenlets run, among them the one that keeps the lease.

        :raises JobStopped: then. Let it pass.
        """
        give_way()
        if self.should_stop:
            raise JobStopped(self.id)


MAX_BACKOFF_SECONDS = 3600.0
MAX_NAME_CHARACTERS = 64
MAX_DEATHS = 2
"""A job that has taken so many processes along is not started again."""


@dataclass(frozen=True)
class JobKind:
    """A kind of job. Durations are in seconds.

    :param run: does the work and returns the result, which must be expressible as JSON. It lets
        other greenlets run several times in each third of the lease, for which
        :meth:`codeintel.platform.jobs.kinds.JobContext.stop_if_asked` will do; what computes for
        seconds on end belongs in another process.
    :param max_attempts: that end with an exception, by the time limit or by the process's death,
        since a checkpoint last moved the cursor. After :data:`MAX_DEATHS` deaths there is no
        further attempt, however many are left.
    :param timeout_seconds: what one attempt may take.
    :param backoff_seconds: between the first attempt and the second; then twice as long each time,
        an hour at most.
    """

    name: str
    run: Callable[[JobContext], Any]
    max_attempts: int = 5
    lease_seconds: float = 60.0
    timeout_seconds: float = 3600.0
    backoff_seconds: float = 10.0

    def __post_init__(self) -> None:
        if not 1 <= len(self.name) <= MAX_NAME_CHARACTERS:
            raise ValueError(f"a job kind's name has 1 to {MAX_NAME_CHARACTERS} characters")
        if self.max_attempts < 1 or self.lease_seconds <= 0 or self.timeout_seconds <= 0:
            raise ValueError(f"job kind {self.name}: attempts, lease and timeout are positive")

    def pause_ms(self, attempts: int) -> int:
        """Milliseconds to wait after so many failed attempts, 1 or more."""
        doubled = self.backoff_seconds * 2.0 ** min(attempts - 1, 32)
        return int(min(doubled, MAX_BACKOFF_SECONDS) * 1000)


def by_name(kinds: Iterable[JobKind]) -> dict[str, JobKind]:
    """The kinds by their names.

    :raises ValueError: if two have the same.
    """
    named: dict[str, JobKind] = {}
    for kind in kinds:
        if kind.name in named:
            raise ValueError(f"two job kinds are called {kind.name}")
        named[kind.name] = kind
    return named
