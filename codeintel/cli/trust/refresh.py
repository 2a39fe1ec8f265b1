"""`codeintel trust refresh`: ask again about packages."""

from __future__ import annotations

import logging
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import IO, TYPE_CHECKING

import click
import gevent

from codeintel.cli.common import open_services, write_line
from codeintel.cli.trust.cohort import read_targets
from codeintel.contracts.states import JobState
from codeintel.server import INTERRUPTED
from codeintel.server.opening import Failure

if TYPE_CHECKING:
    from codeintel.app import Services
    from codeintel.platform.jobs.store import Job

EXIT_FAILED = 1
WATCH_SECONDS = 0.2
STOP_SECONDS = 3.0
"""What may be lost by it is asked for again: one package."""


@click.command(short_help="Ask again about packages.")
@click.argument("targets", nargs=-1)
@click.option("--all", "is_all", is_flag=True, help="All packages that are stored.")
@click.option(
    "--from",
    "names",
    type=click.File("rb"),
    help="Packages, one a line (- for standard input); lines that begin with # are passed over.",
)
@click.option("--detach", is_flag=True, help="Leave it to `codeintel serve` or a worker.")
def refresh(
    targets: tuple[str, ...], names: IO[bytes] | None, *, is_all: bool, detach: bool
) -> None:
    """Ask the upstreams about TARGETS, and store a snapshot of each. It is a background job: after
    a stop it goes on where it was, when this is run again or by a worker. To one upstream it sends
    no more than CODEINTEL_TRUST_REQUESTS_PER_HOUR.

    \b
    Exit status:
      0    all packages were asked about
      1    some could not be
      2    nothing was done
      130  Ctrl-C: the job is kept, and its id told
    """
    from codeintel.trust.targets import parse_target
    from codeintel.trust.work import EVERYTHING, REFRESH, refresh_key

    listed = [] if names is None else read_targets(names)
    if is_all == bool(targets or listed):
        raise Failure("Name packages, or give --all for those that are stored; not both.")
    with open_services(may_make=not is_all) as services:
        wanted = dict.fromkeys([*(parse_target(each).key for each in targets), *listed])
        packages = services.trust.store.packages() if is_all else list(wanted)
        if not packages:
            raise Failure("No package is stored: name some.")
        key = EVERYTHING if is_all else refresh_key(packages)
        job_id = services.jobs.enqueue(REFRESH, key, {"packages": packages})
        if detach:
            verb = "waits" if len(packages) == 1 else "wait"
            write_line(f"{job_id}: {_packages(len(packages))} {verb} for a worker")
            return
        _follow(services, job_id)


def _follow(services: Services, job_id: str) -> None:
    """Tell of the job until its end. It is done here if nobody else does it."""
    seen: dict[str, str] = {}
    # What it says of workers that are cut off at the end is for the log of a server.
    logging.getLogger("huey").addHandler(logging.NullHandler())
    services.jobs.start(1)
    try:
        with _interruptible():
            job = _ended(services, job_id, seen)
    except KeyboardInterrupt:
        services.jobs.stop(STOP_SECONDS)
        write_line(_interrupted(services.jobs.find(job_id), job_id), err=True)
        sys.exit(INTERRUPTED)
    finally:
        services.jobs.stop(STOP_SECONDS)
    _tell(services, job, seen)


@contextmanager
def _interruptible() -> Iterator[None]:
    """Have Ctrl-C interrupt this greenlet: Python would interrupt whichever runs, such as one that
    asks an upstream. A second Ctrl-C ends the process."""
    here, before = gevent.getcurrent(), signal.getsignal(signal.SIGINT)

    def interrupt() -> None:
        signal.signal(signal.SIGINT, signal.SIG_DFL)
        gevent.kill(here, KeyboardInterrupt)

    watcher = gevent.signal_handler(signal.SIGINT, interrupt)
    try:
        yield
    except KeyboardInterrupt:
        raise
    except BaseException:
        signal.signal(signal.SIGINT, before)
        raise
    else:
        signal.signal(signal.SIGINT, before)
    finally:
        watcher.cancel()


def _ended(services: Services, job_id: str, seen: dict[str, str]) -> Job:
    """The job at its end; codes of errors by package are put into `seen`."""
    told = None
    while True:
        job = services.jobs.find(job_id)
        if job is None:
            raise Failure("The job was forgotten.")
        if job.progress_note is not None and job.progress_done != told:
            told = job.progress_done
            write_line(f"{told}/{job.progress_total} {job.progress_note}", err=True)
            package, colon, code = job.progress_note.rpartition(": ")
            if colon:
                seen[package] = code
        if job.finished_ms is not None:
            services.jobs.wait_until_idle()
            return job
        gevent.sleep(WATCH_SECONDS)


def _interrupted(job: Job | None, job_id: str) -> str:
    """What becomes of a job that is not looked after here any more."""
    if job is None or job.finished_ms is not None:
        state = "forgotten" if job is None else str(job.state)
        return f"Interrupted: the job {job_id} has ended already: {state}."
    done = f" at {job.progress_done}/{job.progress_total}" if job.progress_done else ""
    look = f"`codeintel jobs show {job_id}` tells how far it is, and `jobs cancel` ends it"
    if job.state is JobState.RUNNING:
        return f"Interrupted: the job {job_id} goes on in another process, {job.owner}: {look}."
    return (
        f"Interrupted: the job {job_id} waits{done} to be gone on with, by the same command, "
        f"`codeintel serve` or a worker: {look}."
    )


def _tell(services: Services, job: Job, seen: dict[str, str]) -> None:
    from codeintel.cli.trust.gaps import failing, gap_lines

    trust = services.trust.snapshots
    if job.state is not JobState.DONE or not isinstance(job.result, dict):
        told = "by somebody else" if job.state is JobState.CANCELLED else job.error
        write_line(f"{job.kind} {job.state}: {told or 'it has no result'}", err=True)
        for line in failing(trust.collecting):
            write_line(line, err=True)
        sys.exit(EXIT_FAILED)
    for line in gap_lines(trust, job, seen):
        write_line(line, err=True)
    failed = job.result.get("failed", 0)
    done = job.result.get("packages", 0) - failed
    write_line(f"{_packages(done)} refreshed" + (f", {failed:,} not" if failed else ""))
    if failed:
        sys.exit(EXIT_FAILED)


def _packages(count: int) -> str:
    return f"{count:,} package{'' if count == 1 else 's'}"
