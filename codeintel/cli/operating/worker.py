"""`codeintel worker`."""

from __future__ import annotations

import os
import sys

import click

from codeintel.cli.common import open_services


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
