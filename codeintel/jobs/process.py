"""A process that does nothing but jobs."""

from __future__ import annotations

import signal

import gevent
from gevent.event import Event

from codeintel.cli.text import printable
from codeintel.jobs.records import Job
from codeintel.jobs.service import Jobs
from codeintel.jobs.states import JobState


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
    jobs.start(workers, _tell)
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


def _tell(job: Job, state: JobState, seconds: float) -> None:
    _say(f"{job.kind} {job.key} {state} {seconds:.1f} s")


def _say(line: str) -> None:
    print(printable(line), flush=True)  # noqa: T201 - what the command is to print
