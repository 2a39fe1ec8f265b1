"""`codeintel serve` and `codeintel worker`: become the process that runs."""

from __future__ import annotations

import os
import sys

import click

from codeintel.cli.common import open_services


@click.command()
@click.option("--host", default="127.0.0.1", show_default=True, help="Address to listen on.")
@click.option("--port", default=8000, show_default=True, type=click.IntRange(0, 65535))
@click.option("--workers", default=1, show_default=True, type=click.IntRange(1, 64))
@click.option("--no-migrate", is_flag=True, help="Refuse to start where a migration is missing.")
def serve(host: str, port: int, workers: int, no_migrate: bool) -> None:
    """Run the service.

    The database is brought up to date first. More than one worker needs REDIS_URL.
    """
    sys.stdout.flush()
    # Another program, not a function: the server patches the standard library before it imports
    # anything, and here some is imported already. Nothing is prepared here: all that would have to
    # be imported for it would be imported twice.
    arguments = [sys.executable, "-m", "codeintel.server", host, str(port), str(workers)]
    os.execv(  # noqa: S606 - our own interpreter
        sys.executable, [*arguments, *(["no-migrate"] if no_migrate else [])]
    )


@click.command()
@click.option(
    "--workers",
    default=1,
    show_default=True,
    type=click.IntRange(1, 64),
    help="Jobs to work on at once.",
)
@click.option("--once", is_flag=True, help="End when nothing is due.")
@click.option("--no-migrate", is_flag=True, help="Refuse to start where a migration is missing.")
def worker(workers: int, once: bool, no_migrate: bool) -> None:
    """Work on background jobs.

    The database is brought up to date first. SIGTERM and Ctrl-C let running jobs come to a
    checkpoint and queue them again.
    """
    with open_services(migrate=not no_migrate):
        pass
    sys.stdout.flush()
    # Another program, not a function: it patches the standard library before it imports anything,
    # and here everything is imported already.
    arguments = [sys.executable, "-m", "codeintel.server.job_worker", str(workers)]
    os.execv(sys.executable, [*arguments, *(["once"] if once else [])])  # noqa: S606 - our own
