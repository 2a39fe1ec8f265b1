"""A process that does nothing but jobs."""

from __future__ import annotations

import signal
from functools import partial

import gevent
from gevent.event import Event

from codeintel.base.text.printable import printable
from codeintel.contracts.states import JobState
from codeintel.platform.jobs.records import Job
from codeintel.platform.jobs.service import Jobs


def run(jobs: Jobs, workers: int, drain_timeout: float, *, once: bool) -> None:
    """Work until SIGTERM or SIGINT, then let what runs stop; a second signal ends it at once.

    :param drain_timeout: seconds that running jobs have to come to a checkpoint.
    :param once: end as soon as nothing is due.
    :raises sqlalchemy.exc.OperationalError: with `once`, if the database is out of reach.
    """
    stopping = Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        gevent.signal_handler(number, _stop, stopping)
    _say(f"codeintel works on jobs, {workers} at once: {', '.join(sorted(jobs.kinds)) or 'none'}")
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
    """What went wrong, not raised: gevent would write it to standard error."""
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
    """How much of it was done, as far as its result or its progress says that."""
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
