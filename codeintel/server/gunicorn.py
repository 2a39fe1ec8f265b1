"""gunicorn's configuration, also for `gunicorn -c python:codeintel.server.gunicorn wsgi:app`."""

from __future__ import annotations

import gc
import logging
import os
import shlex
import signal
import sys
from typing import Any

import gevent

from codeintel import DEFAULT_URL, __version__, create_app, logs
from codeintel.config import SettingError, load_settings
from codeintel.db.migrate import SchemaError
from codeintel.plugins.manager import MANAGER_LOG
from codeintel.plugins.registry import DuplicateNameError
from codeintel.server import prepare

DRAIN_MARGIN_SECONDS = 10
"""What draining takes beyond its timeout at most: engines that do not stop when told to (5 s),
their settlement (2 s), sending what is left (2 s), and one more."""
POLL_SECONDS = 0.05

_settings = load_settings().settings

bind = "127.0.0.1:8000"
worker_class = "codeintel.server.worker.Worker"
worker_connections = 2_000
keepalive = 5
control_socket_disable = True
graceful_timeout = int(_settings.drain_timeout) + DRAIN_MARGIN_SECONDS
timeout = 60
loglevel = "warning"
# The request line's path and no query, which may hold what people search for.
limit_request_line = 8_190


def on_starting(server: Any) -> None:
    """Check and migrate, unless `codeintel serve` has done so before it became this process."""
    logs.configure()
    if os.environ.get(prepare.PREPARED) != str(os.getpid()):
        try:
            prepare.prepare(create_app(), server.cfg.workers, migrate=True)
        except (SettingError, SchemaError, DuplicateNameError) as error:
            sys.exit(f"codeintel: {error}")
    # Which plugins are broken has been said: workers need not say it again.
    logging.getLogger(MANAGER_LOG).setLevel(logging.CRITICAL)


def when_ready(server: Any) -> None:
    """Say where, and how to begin; let Ctrl-C end gently."""
    host, port = server.LISTENERS[0].sock.getsockname()[:2]
    url = _settings.public_url or f"http://{f'[{host}]' if ':' in host else host}:{port}"
    print(_welcome(url), flush=True)  # noqa: T201
    _end_gently_on_ctrl_c(server)


def post_worker_init(worker: Any) -> None:
    """Start what runs beside the requests, and watch for the end."""
    services = worker.wsgi.extensions["codeintel"]
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # a terminal sends it to all: the master decides
    if prepare.is_only_user(services.loaded):  # a worker before this one may have been killed
        services.runs.store.fail_gone()
    services.pool.start()
    services.runs.keep()
    services.jobs.start(services.settings.job_workers)
    worker.drain = gevent.spawn(_drain_at_the_end, worker, services)
    # What is there now stays for good: the collector need not look at it again and again.
    gc.collect()
    gc.freeze()
    # And what requests make is nearly all freed by counting: looking for cycles after each 700
    # objects, the default, takes a twentieth of the time.
    gc.set_threshold(20_000, 20, 20)


def worker_exit(server: Any, worker: Any) -> None:  # noqa: ARG001 - gunicorn's signature
    """Wait for the runs that nobody reads: gunicorn itself waits for connections only."""
    drain = getattr(worker, "drain", None)
    if drain is not None:
        drain.join(_settings.drain_timeout + DRAIN_MARGIN_SECONDS)


def _drain_at_the_end(worker: Any, services: Any) -> None:
    """gunicorn cuts streams at its timeout without raising in them: end the runs before that. A
    worker whose master was killed ends as well, and would keep the address until then."""
    while worker.alive and os.getppid() == worker.ppid:
        gevent.sleep(POLL_SECONDS)
    ending = gevent.spawn(services.jobs.stop, services.settings.drain_timeout)
    services.runs.drain(services.settings.drain_timeout)
    ending.join(DRAIN_MARGIN_SECONDS)
    services.pool.stop()


def _end_gently_on_ctrl_c(server: Any) -> None:
    def again(*_: object) -> None:
        server.kill_workers(signal.SIGKILL)

    def first(*_: object) -> None:
        os.write(2, b"\nEnding what runs; Ctrl-C again stops at once.\n")
        signal.signal(signal.SIGINT, again)
        server.signal(signal.SIGTERM, None)

    signal.signal(signal.SIGINT, first)


def _welcome(url: str) -> str:
    # The other terminal may stand elsewhere, and would work on another instance folder there.
    where = f"export CODEINTEL_INSTANCE={shlex.quote(str(_settings.instance))}"
    if url != DEFAULT_URL:
        where += f"\n  export CODEINTEL_URL={shlex.quote(url)}"
    return (
        f"codeintel {__version__} serves {url} (documentation: {url}/docs)\n"
        "\n"
        "Make an account and a key, in another terminal:\n"
        f"  {where}\n"
        "  codeintel accounts create you@example.org --tier TEAM --unlimited\n"
        "  codeintel keys create you@example.org --name first --scope api:v1\n"
    )
