"""A process that works on jobs: huey's consumer, in greenlets next to others."""

from __future__ import annotations

import logging
import signal
from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Any

import gevent
from gevent.event import Event
from huey.consumer import Consumer  # type: ignore[import-untyped]

from codeintel.base.wording import printable
from codeintel.contracts.states import JobState
from codeintel.platform.jobs.kinds import explain
from codeintel.platform.jobs.store import Job

if TYPE_CHECKING:
    from codeintel.platform.jobs.service import Jobs

log = logging.getLogger(__name__)

SHORTEST_WAIT_SECONDS = 0.05
LONGEST_WAIT_SECONDS = 1.0
"""How long an idle worker waits before it looks again: at first, and at most."""


class _Part:
    """A process as huey defines it, with the methods that it calls."""

    def __init__(self, stop_flag: Any) -> None:
        self.stop_flag = stop_flag

    def initialize(self) -> None:
        """Do nothing: there is nothing to set up."""

    def shutdown(self) -> None:
        """Do nothing: there is nothing to clean up."""


class _Worker(_Part):
    """A worker that does one job at a time.

    huey's own would run the message as a function call, with lookups in its storage around it. It
    would log a traceback each time the storage is out of reach.
    """

    def __init__(
        self, stop_flag: Any, find: Callable[[], str | None], do: Callable[[str], None]
    ) -> None:
        super().__init__(stop_flag)
        self._find = find
        self._do = do
        self._wait = SHORTEST_WAIT_SECONDS

    def loop(self) -> None:
        """Do one job, or wait."""
        job_id = None
        try:
            job_id = self._find()
            if job_id is not None:
                self._do(job_id)
        except Exception as error:  # noqa: BLE001 - the database may come back
            log.error("a job could not be done: %s", explain(error))
            self._wait = LONGEST_WAIT_SECONDS
            job_id = None
        if job_id is not None:
            self._wait = SHORTEST_WAIT_SECONDS
        else:
            self.stop_flag.wait(self._wait)
            self._wait = min(self._wait * 1.5, LONGEST_WAIT_SECONDS)


class _Rounds(_Part):
    """Replaces huey's scheduler, because the table knows when jobs are due."""

    def __init__(self, stop_flag: Any, round_: Callable[[], None], interval: float) -> None:
        super().__init__(stop_flag)
        self._round = round_
        self._interval = interval

    def loop(self) -> None:
        """Do one round and wait for the next."""
        self._round()
        self.stop_flag.wait(self._interval)


class JobConsumer(Consumer):  # type: ignore[misc]
    """Worker greenlets, and one that reconciles.

    :param find: returns the id of a job that may be due.
    :param do: does a job.
    :param round_: reconciles, every `interval` seconds.
    """

    def __init__(
        self,
        huey: Any,
        workers: int,
        find: Callable[[], str | None],
        do: Callable[[str], None],
        round_: Callable[[], None],
        interval: float,
    ) -> None:
        self._find = find
        self._do = do
        self._round = round_
        self._interval = interval
        super().__init__(huey, workers=workers, worker_type="greenlet", periodic=False)

    def _create_worker(self) -> _Worker:
        return _Worker(self.stop_flag, self._find, self._do)

    def _create_scheduler(self) -> _Rounds:
        return _Rounds(self.stop_flag, self._round, self._interval)

    def _set_signal_handlers(self) -> None:
        """Do nothing: the process has its own handlers."""


def run(jobs: Jobs, workers: int, drain_timeout: float, *, once: bool) -> None:
    """Work until SIGTERM or SIGINT, then let active jobs stop. A second signal ends it immediately.

    :param drain_timeout: seconds that active jobs have to reach a checkpoint.
    :param once: end as soon as nothing is due.
    :raises sqlalchemy.exc.OperationalError: with `once`, if the database is out of reach.
    """
    stopping = Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        gevent.signal_handler(number, _stop, stopping)
    _say(f"Running background jobs, {workers} at a time: {', '.join(sorted(jobs.kinds)) or 'none'}")
    jobs.start(workers, partial(_tell, jobs))
    try:
        if once:
            idle = gevent.spawn(_wait_until_idle, jobs, stopping)
        stopping.wait()
        if once and idle.value is not None:
            raise idle.value
    finally:
        jobs.stop(drain_timeout)


def _wait_until_idle(jobs: Jobs, stopping: Event) -> Exception | None:
    """Wait until idle. Return an error instead of raising it, because gevent would print it."""
    try:
        jobs.wait_until_idle()
    except Exception as error:  # noqa: BLE001 - the main greenlet raises it
        return error
    finally:
        stopping.set()
    return None


def _stop(stopping: Event) -> None:
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, signal.SIG_DFL)
    stopping.set()


def _tell(jobs: Jobs, job: Job, state: JobState, seconds: float) -> None:
    ended = jobs.find(job.id)
    counts = _counts(ended) if ended is not None else ""
    _say(f"{job.kind} {job.key} {state} {seconds:.1f} s{counts}")


def _counts(job: Job) -> str:
    """Return how much of the job was done, as far as its result or progress says."""
    result = job.result if isinstance(job.result, dict) else {}
    packages, failed = result.get("packages"), result.get("failed")
    if isinstance(packages, int):
        told = f", {packages:,} package{'' if packages == 1 else 's'}"
        return f"{told}, {failed:,} failed" if isinstance(failed, int) and failed else told
    if job.progress_done is None:
        return ""
    total = "" if job.progress_total is None else f"/{job.progress_total:,}"
    return f", {job.progress_done:,}{total}"


def _say(line: str) -> None:
    print(printable(line), flush=True)  # noqa: T201 - what the command is to print
