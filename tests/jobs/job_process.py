"""`python job_process.py WORKERS [once]`: a worker process that knows the tests' kinds of jobs."""

# ruff: noqa: E402

from gevent import monkey

monkey.patch_all()

import os
import signal
import sys

import gevent
from job_helpers import count, engine_of, note

from codeintel import create_app
from codeintel.base import logging as logs
from codeintel.platform.db.leases import new_owner
from codeintel.platform.db.writer import Writer
from codeintel.platform.jobs.kinds import JobContext, JobKind
from codeintel.platform.jobs.messages import Messages
from codeintel.platform.jobs.process import run
from codeintel.platform.jobs.service import Jobs


def hang(context: JobContext) -> None:
    """Hang halfway in the first attempt."""
    if context.cursor is None:
        context.checkpoint(note(context.id, 0), 1)
        context.checkpoint(note(context.id, 1), 2)
        while not context.should_stop:
            gevent.sleep(0.01)
        context.checkpoint(note(context.id, 2), 3)
    count(context)


def die(context: JobContext) -> None:
    """Note that it was started, and take the process along."""
    context.checkpoint(note(context.id, 0), None)
    os.kill(os.getpid(), signal.SIGKILL)


def freeze(context: JobContext) -> None:
    """Record the start, then block all other greenlets."""
    context.checkpoint(note(context.id, 0), None)
    signal.pause()


KINDS = [
    JobKind("count", count),
    JobKind("hang", hang, backoff_seconds=0),
    JobKind("brief", hang, lease_seconds=1, backoff_seconds=0),
    JobKind("die", die, backoff_seconds=0),
    JobKind("once", die, max_attempts=1),
    JobKind("freeze", freeze, lease_seconds=1, backoff_seconds=0),
]

if __name__ == "__main__":
    logs.configure()
    app = create_app()
    engine = engine_of(app)
    settings = app.extensions["codeintel"].settings
    jobs = Jobs(
        engine,
        Writer(engine),
        Messages(settings.instance, None),
        KINDS,
        new_owner(),
        retention=settings.job_retention,
        interval=0.05,
        watch=0.02,
    )
    run(jobs, int(sys.argv[1]), 10, once="once" in sys.argv)
