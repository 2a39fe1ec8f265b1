"""`codeintel trust refresh`: ask again about packages."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, TextIO

import click
import gevent

from codeintel.cli.common import Failure, open_services, write_line

if TYPE_CHECKING:
    from codeintel.jobs.records import Job
    from codeintel.services import Services

EXIT_FAILED = 1
WATCH_SECONDS = 0.2
STOP_SECONDS = 10.0


@click.command(short_help="Ask again about packages.")
@click.argument("targets", nargs=-1)
@click.option("--all", "is_all", is_flag=True, help="All packages that are stored.")
@click.option(
    "--from",
    "names",
    type=click.File("r", encoding="utf-8"),
    help="Packages, one a line (- for standard input).",
)
@click.option("--detach", is_flag=True, help="Leave it to `codeintel serve` or a worker.")
def refresh(targets: tuple[str, ...], names: TextIO | None, *, is_all: bool, detach: bool) -> None:
    """Ask the upstreams about TARGETS, and store a snapshot of each. It is a background job: after
    a stop it goes on where it was, when this is run again or by a worker. To one upstream it sends
    no more than CODEINTEL_TRUST_REQUESTS_PER_HOUR.

    \b
    Exit status:
      0    all packages were asked about
      1    some could not be
      2    nothing was done
    """
    from codeintel.trust.targets import parse_target
    from codeintel.trust.work import EVERYTHING, REFRESH, refresh_key

    given = [*targets, *(line.strip() for line in names or () if line.strip())]
    if is_all == bool(given):
        raise Failure("Name packages, or give --all for those that are stored; not both.")
    with open_services(may_make=not is_all) as services:
        wanted = dict.fromkeys(parse_target(each).key for each in given)
        packages = services.trust.store.packages() if is_all else list(wanted)
        if not packages:
            raise Failure("No package is stored: name some.")
        key = EVERYTHING if is_all else refresh_key(packages)
        job_id = services.jobs.enqueue(REFRESH, key, {"packages": packages})
        if detach:
            write_line(f"{job_id}: {len(packages)} packages wait for a worker")
            return
        job = _followed(services, job_id)
    _end(job)


def _followed(services: Services, job_id: str) -> Job:
    """The job at its end, done here if nobody else does it."""
    services.jobs.start(1)
    told = None
    try:
        while True:
            job = services.jobs.find(job_id)
            if job is None:
                raise Failure("The job was forgotten.")
            if job.progress_note is not None and job.progress_done != told:
                told = job.progress_done
                write_line(f"{told}/{job.progress_total} {job.progress_note}", err=True)
            if job.finished_ms is not None:
                services.jobs.wait_until_idle()
                return job
            gevent.sleep(WATCH_SECONDS)
    finally:
        services.jobs.stop(STOP_SECONDS)


def _end(job: Job) -> None:
    if job.error is not None or not isinstance(job.result, dict):
        write_line(f"{job.kind} {job.state}: {job.error or 'it has no result'}", err=True)
        sys.exit(EXIT_FAILED)
    failed = job.result.get("failed", 0)
    write_line(f"{job.result.get('packages', 0) - failed} packages refreshed, {failed} not")
    if failed:
        sys.exit(EXIT_FAILED)
