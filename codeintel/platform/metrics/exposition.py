"""Expose the metrics to Prometheus, those of all processes together."""

from __future__ import annotations

import fcntl
import os
import shutil
import socket
import tempfile
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

from codeintel.platform.config import SettingError, Settings
from codeintel.platform.metrics.families import registry

VARIABLE = "PROMETHEUS_MULTIPROC_DIR"
"""The environment variable that tells `prometheus_client` the folder."""
_LOCK = "lock"
PATH = "/metrics"
Wsgi = Callable[[dict[str, Any], Any], Iterable[bytes]]


def share(instance: Path) -> Path:
    """Make this process and its forks share metrics, which start at zero.

    Call this before the first metric is counted.

    :raises OSError: if the instance folder is not writable.
    """
    parent = instance / "metrics"
    parent.mkdir(parents=True, exist_ok=True)
    _remove_abandoned(parent)
    folder = Path(tempfile.mkdtemp(prefix="server-", dir=parent))
    descriptor = os.open(folder / _LOCK, os.O_RDWR | os.O_CREAT, 0o600)
    fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    os.environ[VARIABLE] = str(folder)
    return folder


def stop_sharing() -> None:
    """Remove the folder. The server and its workers have ended."""
    shutil.rmtree(os.environ.get(VARIABLE, ""), ignore_errors=True)


def bury(pid: int) -> None:
    """Forget the gauges of a process that has died. Its counters stay."""
    if VARIABLE in os.environ:
        from prometheus_client.multiprocess import mark_process_dead

        mark_process_dead(pid)  # type: ignore[no-untyped-call]


def _remove_abandoned(parent: Path) -> None:
    for folder in parent.glob("server-*"):
        with suppress(OSError):  # one that is being created or removed right now
            descriptor = os.open(folder / _LOCK, os.O_RDWR)
            try:
                fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
                shutil.rmtree(folder)
            finally:
                os.close(descriptor)


def exposition() -> Wsgi:
    """Return a WSGI application that serves the metrics."""
    from prometheus_client import CollectorRegistry, make_wsgi_app
    from prometheus_client.multiprocess import MultiProcessCollector

    found = registry()
    if VARIABLE in os.environ:
        found = CollectorRegistry()
        MultiProcessCollector(found)  # type: ignore[no-untyped-call]
    tell: Wsgi = make_wsgi_app(found)

    def application(environ: dict[str, Any], start_response: Any) -> Iterable[bytes]:
        if environ.get("PATH_INFO") != PATH:
            start_response("404 Not Found", [("Content-Type", "text/plain")])
            return [f"The metrics are at {PATH}.\n".encode()]
        return tell(environ, start_response)

    return application


def beside(service: Wsgi, port: int) -> Wsgi:
    """Return an application that serves the metrics on their port, and the service on others."""
    figures, number = exposition(), str(port)

    def application(environ: dict[str, Any], start_response: Any) -> Iterable[bytes]:
        # If gunicorn listens at a Unix socket, it takes SERVER_PORT from what the client sends.
        if environ.get("SERVER_PORT") == number and _came_to(environ, port):
            return figures(environ, start_response)
        return service(environ, start_response)

    return application


def _came_to(environ: dict[str, Any], port: int) -> bool:
    connection: socket.socket | None = environ.get("gunicorn.socket")
    if connection is None or connection.family not in {socket.AF_INET, socket.AF_INET6}:
        return False
    return bool(connection.getsockname()[1] == port)


def serve(settings: Settings) -> None:
    """Serve the metrics of a process that is not a web server, in a greenlet.

    :raises SettingError: as :func:`refuse_taken`.
    """
    from gevent.pywsgi import WSGIServer

    refuse_taken(settings)
    WSGIServer((settings.metrics_host, settings.metrics_port), exposition(), log=None).start()


def address(settings: Settings) -> str:
    """Return the address to listen on, in gunicorn's notation."""
    host = settings.metrics_host
    return f"{f'[{host}]' if ':' in host else host}:{settings.metrics_port}"


def refuse_own(settings: Settings, binds: Sequence[str]) -> None:
    """Reject a metrics port that the service itself listens on, at any address.

    Requests for the metrics are recognized by their port, so the service could not answer there.

    :param binds: gunicorn's, with or without the address of the metrics.
    :raises SettingError: if one of the service's has that port.
    """
    from gunicorn.util import parse_address

    others, port = list(binds), settings.metrics_port
    if address(settings) in others:
        others.remove(address(settings))  # once: the other is the service's
    places = [parse_address(each) for each in others]
    if not places or any(isinstance(place, tuple) and place[1] == port for place in places):
        raise SettingError(
            f"CODEINTEL_METRICS_PORT is {port}, which is also the service's own port (`--port`, "
            "`--bind`, or BIND_PORT of the unit). Set a different port for the metrics."
        )


def refuse_taken(settings: Settings) -> None:
    """Report in one line why the metrics address cannot be used, before a server retries it.

    :raises SettingError: if it cannot be listened on.
    """
    host, port = settings.metrics_host, settings.metrics_port
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        socket.create_server((host, port), family=family).close()
    except OSError as error:
        raise SettingError(
            f"Cannot listen for Prometheus on {host}, port {port}: "
            f"{os.strerror(error.errno or 0)}. Each server and each `codeintel worker` on a "
            "machine needs its own port. Set CODEINTEL_METRICS_PORT."
        ) from None
