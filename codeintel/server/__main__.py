"""`python -m codeintel.server HOST PORT WORKERS [no-migrate]`: the process of `codeintel serve`.

The standard library is patched before any other import, because modules imported earlier would keep
blocking calls. This process imports everything once, and the workers are forked from it.
"""

# ruff: noqa: E402

from codeintel.base.gevent_patch import patch_all

patch_all()

import gc
import signal

signal.signal(signal.SIGINT, signal.SIG_DFL)  # no traceback for Ctrl+C during imports
gc.disable()  # imports create almost no garbage, but each collection scans all objects

import os
import sys

import click

from codeintel.base import logging as logs
from codeintel.base.wording import counted
from codeintel.platform.config import SettingError, Settings, load_settings
from codeintel.server import INTERRUPTED, prepare
from codeintel.server.opening import Failure, open_app


def main(host: str, port: int, workers: int, *, migrate: bool) -> int:
    """Prepare the server and serve until a signal ends the process. Return the exit status. Errors
    are printed in one line."""
    signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        logs.configure(_settings().log_format)
        # Not earlier, because this module exits by itself if a setting is invalid. Not later,
        # because it shares the metrics between processes before the first one is counted.
        from codeintel.server.application import run

        prepare_once(host, port, workers, migrate=migrate)
    except Failure as failure:
        failure.show()
        return failure.exit_code
    except KeyboardInterrupt:
        return INTERRUPTED
    gc.freeze()  # a collection would write to every object and undo the sharing with workers
    gc.enable()
    run(host, port, workers)
    return 0


def _settings() -> Settings:
    try:
        return load_settings().settings
    except SettingError as error:
        raise Failure(str(error)) from None


def prepare_once(host: str, port: int, workers: int, *, migrate: bool) -> None:
    """Check the address and settings, migrate, and end the runs that a crash left open.

    :raises Failure: if the settings, the address or the database cannot be used.
    """
    with open_app(has_log=True) as app:
        prepare.refuse_taken_address(host, port)
        ended = prepare.prepare(app, workers, migrate=migrate)
        if prepare.is_at_hand(host) and sys.stdout.isatty():
            os.environ[prepare.SIGN_IN] = prepare.operator_sign_in(app)
    if ended:
        click.echo(
            f"Ended {counted(ended, 'run')} that a crash interrupted. No credits were charged.",
            err=True,
        )
    os.environ[prepare.PREPARED] = str(os.getpid())


if __name__ == "__main__":
    may_migrate = "no-migrate" not in sys.argv[4:]
    sys.exit(main(sys.argv[1], int(sys.argv[2]), int(sys.argv[3]), migrate=may_migrate))
