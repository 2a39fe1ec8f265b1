"""`python -m codeintel.server HOST PORT WORKERS [no-migrate]`: what `codeintel serve` becomes.

The standard library is patched before anything else is imported: what was imported before would
keep blocking calls. And everything is imported once, here: workers are forked from this process.
"""

# ruff: noqa: E402

from codeintel.base.gevent_patch import patch_all

patch_all()

import gc
import signal

signal.signal(signal.SIGINT, signal.SIG_DFL)  # Ctrl-C among the imports: no traceback
gc.disable()  # imports make next to no garbage, and collections in between look at all of it

import os
import sys

import click

from codeintel.base import logging as logs
from codeintel.platform.config import SettingError, Settings, load_settings
from codeintel.server import INTERRUPTED, prepare
from codeintel.server.opening import Failure, open_app


def main(host: str, port: int, workers: int, *, migrate: bool) -> int:
    """Do what must be done once, saying in one line what was wrong, and serve until a signal ends
    it; returns the exit status."""
    signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        logs.configure(_settings().log_format)
        # Only now: with wrong settings it ends, and not as a command does. And before the first
        # figure is counted, which it has shared between processes.
        from codeintel.server.application import run

        prepare_once(host, port, workers, migrate=migrate)
    except Failure as failure:
        failure.show()
        return failure.exit_code
    except KeyboardInterrupt:
        return INTERRUPTED
    gc.freeze()  # what the workers share stays shared: a collection would touch every object
    gc.enable()
    run(host, port, workers)
    return 0


def _settings() -> Settings:
    try:
        return load_settings().settings
    except SettingError as error:
        raise Failure(str(error)) from None


def prepare_once(host: str, port: int, workers: int, *, migrate: bool) -> None:
    """Check, migrate, and end what a crash left behind.

    :raises Failure: for what is wrong with the settings, the address or the database.
    """
    with open_app(has_log=True) as app:
        prepare.refuse_taken_address(host, port)
        ended = prepare.prepare(app, workers, migrate=migrate)
        if prepare.is_at_hand(host) and sys.stdout.isatty():
            os.environ[prepare.SIGN_IN] = prepare.sign_in_token(app)
    if ended:
        click.echo(f"Ended {ended} runs that a crash cut off, free of charge.", err=True)
    os.environ[prepare.PREPARED] = str(os.getpid())


if __name__ == "__main__":
    may_migrate = "no-migrate" not in sys.argv[4:]
    sys.exit(main(sys.argv[1], int(sys.argv[2]), int(sys.argv[3]), migrate=may_migrate))
