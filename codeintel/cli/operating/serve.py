"""`codeintel serve` and `codeintel worker`: replace this process with the server or a worker."""

from __future__ import annotations

import os
import sys

import click

from codeintel.cli.instance import open_services


@click.command()
@click.option("--host", default="127.0.0.1", show_default=True, help="Address to listen on.")
@click.option(
    "--port",
    default=8000,
    show_default=True,
    type=click.IntRange(0, 65535),
    help="Port to listen on. 0 chooses a free port.",
)
@click.option(
    "--workers",
    default=1,
    show_default=True,
    type=click.IntRange(1, 64),
    help="Number of worker processes.",
)
@click.option("--no-migrate", is_flag=True, help="Do not start if the database needs a migration.")
def serve(host: str, port: int, workers: int, no_migrate: bool) -> None:
    """Run the service.

    The database is migrated first. On a terminal, a one-time sign-in link for the operator's
    account is printed. More than one worker needs REDIS_URL.
    """
    sys.stdout.flush()
    # Start another program, because the server must patch the standard library before all other
    # imports. Prepare nothing here: it would import everything twice. `-P` keeps a file of the
    # current folder from being imported as a module of the same name.
    arguments = [sys.executable, "-P", "-m", "codeintel.server", host, str(port), str(workers)]
    os.execv(  # noqa: S606 - our own interpreter
        sys.executable, [*arguments, *(["no-migrate"] if no_migrate else [])]
    )


@click.command()
@click.option(
    "--workers",
    default=1,
    show_default=True,
    type=click.IntRange(1, 64),
    help="Number of jobs to run at a time.",
)
@click.option("--once", is_flag=True, help="Exit when no job is due.")
@click.option("--no-migrate", is_flag=True, help="Do not start if the database needs a migration.")
def worker(workers: int, once: bool, no_migrate: bool) -> None:
    """Run background jobs.

    The database is migrated first. On SIGTERM or Ctrl+C, running jobs stop at their next checkpoint
    and are queued again.
    """
    with open_services(migrate=not no_migrate):
        pass
    sys.stdout.flush()
    # Start another program, because it must patch the standard library before all other imports.
    arguments = [sys.executable, "-P", "-m", "codeintel.server.job_worker", str(workers)]
    os.execv(sys.executable, [*arguments, *(["once"] if once else [])])  # noqa: S606 - our own
