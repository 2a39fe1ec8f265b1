"""What the code of a job sees of it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

from sqlalchemy import Connection

from codeintel.base.concurrency.pace import give_way
from codeintel.platform.jobs.errors import JobStopped
from codeintel.platform.jobs.holding import JobHolder
from codeintel.platform.jobs.records import Job

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
