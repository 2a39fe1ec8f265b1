"""Run jobs: find one, take it, renew its lease, run it, and store how it ended."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Mapping
from pathlib import PurePath
from traceback import extract_tb
from typing import Any

import gevent

from codeintel.base.logging import bound, describe, spawn
from codeintel.contracts.states import OPEN, JobState
from codeintel.platform.db.statements import patient
from codeintel.platform.jobs.holding import Hold, JobHolder
from codeintel.platform.jobs.kinds import (
    JobContext,
    JobFailure,
    JobKind,
    JobStopped,
    LostJob,
    explain,
)
from codeintel.platform.jobs.messages import Messages
from codeintel.platform.jobs.store import Job, JobStore, to_json
from codeintel.platform.metrics import table

log = logging.getLogger(__name__)

CANCEL_SECONDS = 10.0
"""How long a cancelled job may take to its next checkpoint."""
KILL_SECONDS = 1.0
"""How long a killed job's greenlet may take to end."""


class Attempt:
    """Runs a job that was taken.

    :param watch_seconds: how often to check that the job is still held and not cancelled.
    """

    def __init__(self, job: Job, kind: JobKind, holder: JobHolder, watch_seconds: float) -> None:
        self.job = job
        self._kind = kind
        self._holder = holder
        self._watch_seconds = watch_seconds
        self._stopping = False
        self._cancelled = False
        self._result: str | None = None
        self._error: BaseException | None = None

    def stop(self) -> None:
        """Ask it to stop at its next checkpoint."""
        self._stopping = True

    def run(self) -> JobState | None:
        """Work until the end. Return the state that was written, or None if the job was lost.

        :raises BaseException: what the greenlet is interrupted with, after the job was queued.
        """
        worker = spawn(self._work)
        try:
            self._watch(worker)
        except BaseException:
            worker.kill(timeout=KILL_SECONDS)
            self._holder.give_back(self.job)
            raise
        return self._settle()

    def _work(self) -> None:
        context = JobContext(self.job, self._holder, lambda: self._stopping or self._cancelled)
        try:
            with patient():
                self._result = to_json(self._kind.run(context))
        except BaseException as error:  # noqa: BLE001 - what it means is decided below
            self._error = error

    def _watch(self, worker: gevent.Greenlet[..., None]) -> None:
        """Renew the lease until the work ends or must be ended."""
        now = time.monotonic()
        renew_at, late_at = now + self._kind.lease_seconds / 3, now + self._kind.timeout_seconds
        kill_at = float("inf")
        while True:
            worker.join(min(self._watch_seconds, self._kind.lease_seconds / 3))
            if worker.ready():
                return
            now = time.monotonic()
            is_due = now >= renew_at
            hold = self._ask(self._holder.renew if is_due else self._holder.look)
            if worker.ready():
                return
            if is_due:
                renew_at = now + self._kind.lease_seconds / 3
            if hold is Hold.CANCELLED and not self._cancelled:
                self._cancelled, kill_at = True, now + CANCEL_SECONDS
            if hold is Hold.LOST or now >= min(late_at, kill_at):
                break
        worker.kill(timeout=KILL_SECONDS)
        if hold is Hold.LOST:
            self._error = LostJob(self.job.id)
        elif self._cancelled:
            self._error = JobStopped(self.job.id)
        else:
            self._error = JobFailure(f"It took longer than {self._kind.timeout_seconds:g} s.")

    def _ask(self, question: Callable[[Job], Hold]) -> Hold:
        try:
            return question(self.job)
        except Exception as error:  # noqa: BLE001 - what it stores is guarded anyway
            log.error("the state of job %s could not be read: %s", self.job.id, explain(error))
            return Hold.OURS

    def _settle(self) -> JobState | None:
        job, error = self.job, self._error
        if isinstance(error, LostJob):
            log.warning("another process has taken over job %s (%s)", job.id, job.kind)
            return None
        if error is None:
            return self._ended(JobState.DONE, result=self._result)
        if isinstance(error, JobStopped) and self._cancelled:
            return self._ended(JobState.CANCELLED)
        if isinstance(error, JobStopped) and self._stopping:
            return self._holder.give_back(job)
        return self._failed(error)

    def _failed(self, error: BaseException) -> JobState | None:
        text = error_text(error)
        is_final = isinstance(error, JobFailure) and error.final
        detail = text if isinstance(error, JobFailure) else describe(error)
        log.error(
            "job %s (%s), attempt %d: %s", self.job.id, self.job.kind, self.job.attempts, detail
        )
        if is_final:
            return self._ended(JobState.FAILED, error=text)
        return self._holder.retry(self.job, text)

    def _ended(self, state: JobState, **more: Any) -> JobState | None:
        return state if self._holder.end(self.job, state, **more) else None


def error_text(error: BaseException) -> str:
    """Return the text of an error for operators.

    Other errors than a job's own failure may quote anything, so only type and place are reported.
    """
    if isinstance(error, JobFailure):
        return str(error)
    frames = extract_tb(error.__traceback__)
    place = f" at {PurePath(frames[-1].filename).name}:{frames[-1].lineno}" if frames else ""
    return f"{type(error).__name__}{place}. See the log for details."


OnEnd = Callable[[Job, JobState, float], None]
"""Called for each job that ended here: the job as taken, its last state, the last attempt's
seconds.
"""


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
        """Whether no job is running here or being taken."""
        return self._busy == 0

    def begin(self) -> None:
        """Start taking jobs."""
        self._stopping = False

    def stop(self) -> None:
        """Take no more jobs, and ask active ones to stop at their next checkpoint."""
        self._stopping = True
        for attempt in self._attempts:
            attempt.stop()

    def find(self) -> str | None:
        """Return the id of a job that may be due. Without messages, ask the table itself."""
        job_id = self._messages.receive()
        if job_id is not None or self._messages.works:
            return job_id
        return self._store.next_due(self._kinds)

    def do(self, job_id: str) -> None:
        """Take the job, if it is due and free, and run it.

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
                log.error("the end of job %s could not be reported: %s", job.id, describe(error))
