"""`codeintel trust refresh`: fetch new evidence about packages."""

from __future__ import annotations

import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import IO, TYPE_CHECKING

import click
import gevent

from codeintel.base.wording import counted
from codeintel.cli.instance import keep_jobs_quiet, open_services
from codeintel.cli.output import write_line
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
"""How long to wait for the job to stop. At most one package has to be fetched again."""


@click.command(short_help="Fetch new evidence about packages.")
@click.argument("targets", nargs=-1)
@click.option("--all", "is_all", is_flag=True, help="Refresh all stored packages.")
@click.option(
    "--from",
    "names",
    type=click.File("rb"),
    help="A list of packages, one per line (- for standard input). Lines that start with # are "
    "comments.",
)
@click.option(
    "--detach", is_flag=True, help="Queue the job for `codeintel serve` or a worker, and exit."
)
def refresh(
    targets: tuple[str, ...], names: IO[bytes] | None, *, is_all: bool, detach: bool
) -> None:
    """Fetch new evidence about TARGETS and store a snapshot of each.

    The refresh is a background job. After an interruption, the same command or a worker continues
    it. CODEINTEL_TRUST_REQUESTS_PER_HOUR limits the requests to each upstream.

    \b
    Exit status:
      0    all packages were refreshed
      1    some packages could not be refreshed
      2    nothing was done
      130  interrupted with Ctrl+C: the job is kept, and its id is shown
    """
    from codeintel.trust.targets import parse_target
    from codeintel.trust.work import EVERYTHING, REFRESH, refresh_key

    listed = [] if names is None else read_targets(names)
    if is_all == bool(targets or listed):
        raise Failure("Name packages, or add --all for all stored packages, but not both.")
    with open_services(may_make=not is_all) as services:
        wanted = dict.fromkeys([*(parse_target(each).key for each in targets), *listed])
        packages = services.trust.store.packages() if is_all else list(wanted)
        if not packages:
            raise Failure("No packages are stored. Name the packages to refresh.")
        key = EVERYTHING if is_all else refresh_key(packages)
        job_id = services.jobs.enqueue(REFRESH, key, {"packages": packages})
        if detach:
            write_line(f"Queued the job {job_id} with {counted(len(packages), 'package')}.")
            return
        _follow(services, job_id)


def _follow(services: Services, job_id: str) -> None:
    """Show the progress of the job until it ends. Run the job here unless another process does."""
    seen: dict[str, str] = {}
    keep_jobs_quiet()
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
    """Make Ctrl+C interrupt this greenlet. Python would interrupt the running one, such as a
    request to an upstream. A second Ctrl+C ends the process."""
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
    """Wait for the job to end and return it. Collect error codes by package in `seen`."""
    told = None
    while True:
        job = services.jobs.find(job_id)
        if job is None:
            raise Failure("The job no longer exists.")
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
    """Return what happens to the job after the interruption."""
    if job is None or job.finished_ms is not None:
        state = "deleted" if job is None else str(job.state)
        return f"Interrupted. The job {job_id} has already ended ({state})."
    done = f" at {job.progress_done}/{job.progress_total}" if job.progress_done else ""
    look = (
        f"To see its progress, run `codeintel jobs show {job_id}`. To stop it, run `codeintel jobs "
        f"cancel {job_id}`."
    )
    if job.state is JobState.RUNNING:
        return f"Interrupted. The job {job_id} continues in another process, {job.owner}. {look}"
    return (
        f"Interrupted. The job {job_id} is queued{done}. The same command, `codeintel serve` or a "
        f"worker continues it. {look}"
    )


def _tell(services: Services, job: Job, seen: dict[str, str]) -> None:
    from codeintel.cli.trust.gaps import failing, gap_lines

    trust = services.trust.snapshots
    if job.state is not JobState.DONE or not isinstance(job.result, dict):
        told = "by another process" if job.state is JobState.CANCELLED else job.error
        write_line(f"{job.kind} {job.state}: {told or 'no result'}", err=True)
        for line in failing(trust.collecting):
            write_line(line, err=True)
        sys.exit(EXIT_FAILED)
    for line in gap_lines(trust, job, seen):
        write_line(line, err=True)
    failed = job.result.get("failed", 0)
    done = job.result.get("packages", 0) - failed
    more = f" {counted(failed, 'package')} failed." if failed else ""
    write_line(f"Refreshed {counted(done, 'package')}.{more}")
    if failed:
        sys.exit(EXIT_FAILED)
