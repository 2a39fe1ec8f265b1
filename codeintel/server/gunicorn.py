"""The configuration of gunicorn, also for `gunicorn -c python:codeintel.server.gunicorn
wsgi:app`.
"""

from __future__ import annotations

import gc
import logging
import os
import shlex
import signal
import sys
import time
from typing import Any

import gevent

from codeintel.app import create_app
from codeintel.base import logging as logs
from codeintel.base.confinement.kernel import hide_memory
from codeintel.base.version import DEFAULT_URL, __version__
from codeintel.http.served import listening_url, remember_address
from codeintel.identity.links import LINK_SECONDS, PATH
from codeintel.platform.config import SettingError, load_settings
from codeintel.platform.db.migrate import SchemaError
from codeintel.platform.metrics import exposition
from codeintel.platform.plugins.manager import MANAGER_LOG
from codeintel.platform.plugins.registry import DuplicateNameError
from codeintel.platform.workers.fork_server import NurseryError
from codeintel.server import prepare
from codeintel.server.sampling import Sampler

log = logging.getLogger(__name__)

DRAIN_MARGIN_SECONDS = 10
"""The longest time that draining takes beyond its timeout: engines that do not stop (5 s), their
settlement (2 s), sending the rest (2 s), and 1 s more.
"""
HAND_OVER_SECONDS = 6.0
"""The seconds after SIGTERM in which runs may begin while clients are connected. Proxies notice
only gradually that the port is closed, and send requests over open connections. gunicorn listens
for another second, and closes connections that are idle for `keepalive`.
"""
POLL_SECONDS = 0.05

try:
    _settings = load_settings().settings
except SettingError as error:
    sys.exit(f"codeintel: {error}")

figures_at = [exposition.address(_settings)] if _settings.metrics_port else []
"""The addresses for Prometheus, in addition to those of the service."""
if figures_at:
    try:  # here, because no metrics exist yet
        exposition.share(_settings.instance)
    except OSError as error:
        sys.exit(f"codeintel: the instance folder cannot be used: {os.strerror(error.errno or 0)}")

bind = ["127.0.0.1:8000", *figures_at]
worker_class = "codeintel.server.worker.Worker"
worker_connections = 4_000
"""Streams stay open for long, so other requests must still get in next to 2,000 of them."""
keepalive = 5
control_socket_disable = True
graceful_timeout = int(_settings.drain_timeout) + DRAIN_MARGIN_SECONDS
timeout = 60
loglevel = "warning"
limit_request_line = 8_190
logger_class = "codeintel.server.access_log.Logger"
accesslog = "-" if _settings.access_log else None


def on_starting(server: Any) -> None:
    """Check and migrate, unless `codeintel serve` has done so before it became this process."""
    hide_memory()  # also in the workers, which are forked from this process
    logs.configure(_settings.log_format)
    if os.environ.get(prepare.PREPARED) != str(os.getpid()):
        try:
            prepare.prepare(create_app(), server.cfg.workers, migrate=True)
        except (SettingError, SchemaError, DuplicateNameError) as error:
            sys.exit(f"codeintel: {error}")
    _listen_for_prometheus(server)
    # Broken plugins were reported, so workers need not report them again.
    logging.getLogger(MANAGER_LOG).setLevel(logging.CRITICAL)


def _listen_for_prometheus(server: Any) -> None:
    """Add the address for Prometheus, because `--bind` on gunicorn's command line replaces all
    addresses set here.
    """
    if not figures_at:
        return
    try:
        exposition.refuse_own(_settings, server.cfg.bind)
        if not server.master_pid:  # otherwise it would take over from a server that listens there
            exposition.refuse_taken(_settings)
    except SettingError as error:
        sys.exit(f"codeintel: {error}")
    server.cfg.set("bind", list(dict.fromkeys([*server.cfg.bind, *figures_at])))


def child_exit(server: Any, worker: Any) -> None:  # noqa: ARG001 - gunicorn's signature
    """Remove the metrics of a worker that has ended or was killed."""
    exposition.bury(worker.pid)


def on_exit(server: Any) -> None:  # noqa: ARG001 - gunicorn's signature
    """Remove the shared metrics at the end of the server."""
    if figures_at:
        exposition.stop_sharing()


def when_ready(server: Any) -> None:
    """Print the address and the first steps, and let Ctrl+C shut the server down gracefully."""
    host, port = server.LISTENERS[0].sock.getsockname()[:2]
    url = _settings.public_url or f"http://{f'[{host}]' if ':' in host else host}:{port}"
    remember_address(_settings.instance, url, listening_url(host, port))
    print(_welcome(url, os.environ.pop(prepare.SIGN_IN, "")), flush=True)  # noqa: T201
    _end_gently_on_ctrl_c(server)


def post_worker_init(worker: Any) -> None:
    """Start the background work, and watch for the end."""
    services = worker.wsgi.extensions["codeintel"]
    # a terminal sends it to all processes, and the master decides
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if prepare.is_only_user(services.loaded):  # an earlier worker may have been killed
        services.runs.store.fail_gone()
    gevent.spawn(_get_ready, services.pool)
    services.runs.keep()
    services.jobs.start(services.settings.job_workers)
    worker.drain = gevent.spawn(_drain_at_the_end, worker, services)
    logs.watch_greenlets()
    if figures_at:
        Sampler(services).start()
        service = worker.wsgi.wsgi_app
        worker.wsgi.wsgi_app = exposition.beside(service, _settings.metrics_port)
    # These objects stay permanently, so the collector need not check them repeatedly.
    gc.collect()
    gc.freeze()
    # Objects of requests are nearly all freed by reference counting. Collecting cycles after each
    # 700 objects, the default, takes 5 % of the time.
    gc.set_threshold(20_000, 20, 20)


def _get_ready(pool: Any) -> None:
    """Start the analyzers' processes, which takes a second. Only requests that need one wait for
    it. After a failure, the next such request tries again.
    """
    try:
        pool.start()
    except (NurseryError, OSError) as error:
        log.error("the analyzers' processes do not start: %s", error)


def worker_exit(server: Any, worker: Any) -> None:  # noqa: ARG001 - gunicorn's signature
    """Wait for runs without a reader. gunicorn waits for connections only."""
    drain = getattr(worker, "drain", None)
    if drain is not None:
        drain.join(_settings.drain_timeout + DRAIN_MARGIN_SECONDS)


def _drain_at_the_end(worker: Any, services: Any) -> None:
    """End the runs before gunicorn's timeout, because gunicorn cuts streams without raising an
    exception in them. Also end a worker whose master was killed, which would keep the address until
    that timeout.
    """
    while worker.alive and os.getppid() == worker.ppid:
        gevent.sleep(POLL_SECONDS)
    began, timeout = time.monotonic(), services.settings.drain_timeout
    ending = gevent.spawn(services.jobs.stop, timeout)
    services.runs.leaving = True
    while not worker.is_left and time.monotonic() < began + min(HAND_OVER_SECONDS, timeout / 2):
        gevent.sleep(POLL_SECONDS)
    services.runs.drain(max(0.0, began + timeout - time.monotonic()))
    ending.join(DRAIN_MARGIN_SECONDS)
    services.pool.stop()


def _end_gently_on_ctrl_c(server: Any) -> None:
    def again(*_: object) -> None:
        server.kill_workers(signal.SIGKILL)

    def first(*_: object) -> None:
        os.write(2, b"\nShutting down. Press Ctrl+C again to stop immediately.\n")
        signal.signal(signal.SIGINT, again)
        server.signal(signal.SIGTERM, None)

    signal.signal(signal.SIGINT, first)


def _welcome(url: str, sign_in: str) -> str:
    """Return the text that the server prints when it starts.

    :param sign_in: the operator's address and a token, as :func:`prepare.operator_sign_in` returns
        them. If empty, the text says how to create a link.
    """
    text = f"codeintel {__version__} is running at {url} (API reference: {url}/docs)\n\n"
    email, _, token = sign_in.partition(" ")
    if token:
        text += (
            f"Open this link to sign in as {email}. It works once, within "
            f"{LINK_SECONDS // 60} minutes:\n  {url}{PATH}{token}\n\n"
        )
    # In another folder, the commands would use another instance.
    lines = [f"export CODEINTEL_INSTANCE={shlex.quote(str(_settings.instance))}"]
    if url != DEFAULT_URL:
        lines.append(f"export CODEINTEL_URL={shlex.quote(url)}")
    if not token:
        lines.append("codeintel accounts invite")
    lines += [
        "export CODEINTEL_API_KEY=$(codeintel keys create)",
        "codeintel analyze path/to/file.py",
    ]
    return (
        f"{text}To analyze a file{' with this account' if token else ''}, run these commands in "
        "another terminal:\n" + "".join(f"  {line}\n" for line in lines)
    )
