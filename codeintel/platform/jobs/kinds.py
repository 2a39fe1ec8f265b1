"""Kinds of jobs: their function, their context, and the errors that they raise."""

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
    """Raised when the work cannot be done.

    Unlike other exceptions, its text is stored for operators, so it must hold no secret.

    :param final: whether retrying is useless.
    """

    def __init__(self, message: str, *, final: bool = False) -> None:
        super().__init__(message)
        self.final = final


class LostJob(Exception):  # noqa: N818 - says what happened
    """Raised when another process has taken the job over, or it has ended. Nothing was done."""


class JobStopped(Exception):  # noqa: N818 - says what happened
    """Raised when the job had to stop, and has done so where it can continue later."""


def explain(error: Exception) -> str:
    """Return an exception for the log.

    A database that is out of reach takes one line, because that error repeats while it lasts.
    """
    if isinstance(error, DBAPIError) and is_unavailable(error):
        return f"the database does not answer ({type(error.orig).__name__})"
    return describe(error)


T = TypeVar("T")


class JobContext:
    """An attempt at a job.

    `arguments` and `cursor` are JSON values. The cursor is that of the last checkpoint, of this
    attempt or an earlier one, or None before the first.
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
        """Do `work` and store where to continue, in one transaction.

        Even if this process dies, the work is done once.

        :param work: a piece of work for :class:`codeintel.platform.db.writer.Writer`, of a second
            at most.
        :param cursor: JSON value, from which the next attempt continues.
        :param done: how much of `total` is done, in any unit. `done`, `total` and `note` keep their
            values if None.
        :param note: a displayed text of at most 255 characters.
        :raises LostJob: if another process has the job now; nothing was done.
        :raises JobStopped: if the job should stop; all was done. Let it pass.
        :raises Exception: what the work raised; nothing was done.
        """
        result = self._holder.advance(self._job, work, cursor, done, total, note)
        self.cursor = cursor
        self.stop_if_asked()
        return result

    def stop_if_asked(self) -> None:
        """End the attempt here if the job should stop. The next one starts at the cursor.

        Other greenlets get to run, among them the one that renews the lease.

        :raises JobStopped: if the job should stop. Let it pass.
        """
        give_way()
        if self.should_stop:
            raise JobStopped(self.id)


MAX_BACKOFF_SECONDS = 3600.0
MAX_NAME_CHARACTERS = 64
MAX_DEATHS = 2
"""Number of process deaths after which a job is not started again."""


@dataclass(frozen=True)
class JobKind:
    """A kind of job. Durations are in seconds.

    :param run: does the work and returns the result, which must be a JSON value. It must let other
        greenlets run several times in each third of the lease, for which
    :meth:`codeintel.platform.jobs.kinds.JobContext.stop_if_asked` is enough. Computations of
        several seconds belong in another process.
    :param max_attempts: the number of attempts that may end with an exception, by the time limit or
        by the process's death, since a checkpoint last moved the cursor. After :data:`MAX_DEATHS`
        deaths there is no further attempt.
    :param timeout_seconds: the time limit of one attempt.
    :param backoff_seconds: the pause between the first attempt and the second. It doubles each
        time, up to an hour.
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
        """Return the pause in milliseconds after this number of failed attempts, 1 or more."""
        doubled = self.backoff_seconds * 2.0 ** min(attempts - 1, 32)
        return int(min(doubled, MAX_BACKOFF_SECONDS) * 1000)


def by_name(kinds: Iterable[JobKind]) -> dict[str, JobKind]:
    """Return the kinds by their names.

    :raises ValueError: if two have the same name.
    """
    named: dict[str, JobKind] = {}
    for kind in kinds:
        if kind.name in named:
            raise ValueError(f"two job kinds have the name {kind.name}")
        named[kind.name] = kind
    return named
