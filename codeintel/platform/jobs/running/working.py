"""The jobs that this process works on."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Mapping

from codeintel.base.logging.context import bound
from codeintel.base.logging.setup import describe
from codeintel.contracts.states import OPEN, JobState
from codeintel.platform.jobs.holding import JobHolder
from codeintel.platform.jobs.kinds import JobKind
from codeintel.platform.jobs.messages import Messages
from codeintel.platform.jobs.records import Job
from codeintel.platform.jobs.running.attempt import Attempt
from codeintel.platform.jobs.store import JobStore
from codeintel.platform.metrics import table

log = logging.getLogger(__name__)

OnEnd = Callable[[Job, JobState, float], None]
"""Told of each job that ended here: as it was taken, its last state, the last attempt's seconds."""


class JobWork:
    """Finds jobs and runs them."""

    def __init__(
        self,
        store: JobStore,
        holder: JobHolder,
        kinds: Mapping[str, JobKind],
        messages: Messages,
        watch_seconds: float,
    ) -> None:
        self._store = store
        self._holder = holder
        self._kinds = kinds
        self._messages = messages
        self._watch_seconds = watch_seconds
        self._attempts: set[Attempt] = set()
        self._busy = 0
        self._stopping = False
        self.on_end: OnEnd | None = None

    @property
    def is_idle(self) -> bool:
        """Whether nothing runs here or is being taken."""
        return self._busy == 0

    def begin(self) -> None:
        """Take jobs from now on."""
        self._stopping = False

    def stop(self) -> None:
        """Take no more jobs, and ask those under way to stop at their next checkpoint."""
        self._stopping = True
        for attempt in self._attempts:
            attempt.stop()

    def find(self) -> str | None:
        """The id of a job that may be due. Without messages the table itself is asked."""
        job_id = self._messages.receive()
        if job_id is not None or self._messages.works:
            return job_id
        return self._store.next_due(self._kinds)

    def do(self, job_id: str) -> None:
        """Take the job, if it is due and nobody else has it, and run it.

        :raises sqlalchemy.exc.OperationalError: if the database is out of reach.
        """
        self._busy += 1
        try:
            if self._stopping:
                self._store.unsend(job_id)  # others need not wait until its message counts as lost
                return
            job = self._holder.take(job_id)
            if job is not None:
                self._run(job)
        finally:
            self._busy -= 1

    def _run(self, job: Job) -> None:
        attempt = Attempt(job, self._kinds[job.kind], self._holder, self._watch_seconds)
        if self._stopping:
            attempt.stop()
        self._attempts.add(attempt)
        began = time.monotonic()
        with bound(job_id=job.id), table.JOBS_RUNNING.while_in(job.kind):
            outcome = "interrupted"
            try:
                state = attempt.run()
                outcome = str(state or "lost")
            finally:
                self._attempts.discard(attempt)
                table.JOB_ATTEMPTS.add(job.kind, outcome)
                table.JOB_SECONDS.observe(time.monotonic() - began, job.kind)
            self._tell(job, state, began)

    def _tell(self, job: Job, state: JobState | None, began: float) -> None:
        if state is not None and state not in OPEN and self.on_end is not None:
            try:
                self.on_end(job, state, time.monotonic() - began)
            except Exception as error:  # noqa: BLE001 - the job has ended all the same
                log.error("the end of job %s was not told: %s", job.id, describe(error))
