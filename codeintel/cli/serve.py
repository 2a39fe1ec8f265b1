"""`codeintel serve`."""

from __future__ import annotations

import os
import sys

import click

from codeintel.cli.common import open_app


@click.command()
@click.option("--host", default="127.0.0.1", show_default=True, help="Address to listen on.")
@click.option("--port", default=8000, show_default=True, type=click.IntRange(0, 65535))
@click.option("--workers", default=1, show_default=True, type=click.IntRange(1, 64))
@click.option("--no-migrate", is_flag=True, help="Refuse to start where a migration is missing.")
def serve(host: str, port: int, workers: int, no_migrate: bool) -> None:
    """Run the service.

    The database is brought up to date first. More than one worker needs REDIS_URL.
    """
    from codeintel import logs

    logs.configure()
    _prepare(host, port, workers, migrate=not no_migrate)
    sys.stdout.flush()
    # Another program, not a function: the server patches the standard library before it imports
    # anything, and here everything is imported already.
    arguments = [sys.executable, "-m", "codeintel.server", host, str(port), str(workers)]
    os.execv(sys.executable, arguments)  # noqa: S606 - our own interpreter


def _prepare(host: str, port: int, workers: int, *, migrate: bool) -> None:
    """Do what must be done once, and say what was wrong in one line."""
    from codeintel.server import prepare

    with open_app(has_log=True) as app:
        prepare.refuse_taken_address(host, port)
        ended = prepare.prepare(app, workers, migrate=migrate)
    if ended:
        click.echo(f"Ended {ended} runs that a crash cut off, free of charge.", err=True)
    os.environ[prepare.PREPARED] = str(os.getpid())
