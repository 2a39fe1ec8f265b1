"""Figures of several processes: files in a folder, from which any of them can add up all.

The folder is a server's own, also where several have one instance folder. It says whose it is by a
lock, which the server and its workers hold for as long as they live: process ids would not do, for
containers have the same.
"""

from __future__ import annotations

import fcntl
import os
import shutil
import tempfile
from contextlib import suppress
from pathlib import Path

VARIABLE = "PROMETHEUS_MULTIPROC_DIR"
"""By which `prometheus_client` is told."""
_LOCK = "lock"


def share(instance: Path) -> Path:
    """Have this process and those that it forks share figures, which begin at nothing. To be called
    before the first of them is counted.

    :raises OSError: if the instance folder cannot be written to.
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
    """Remove the folder: the server ends, and its workers have ended."""
    shutil.rmtree(os.environ.get(VARIABLE, ""), ignore_errors=True)


def bury(pid: int) -> None:
    """Forget the levels of a process that has died. What it counted stays counted."""
    if VARIABLE in os.environ:
        from prometheus_client.multiprocess import mark_process_dead

        mark_process_dead(pid)  # type: ignore[no-untyped-call]


def _remove_abandoned(parent: Path) -> None:
    for folder in parent.glob("server-*"):
        with suppress(OSError):  # one that has just been made, or is just being removed
            descriptor = os.open(folder / _LOCK, os.O_RDWR)
            try:
                fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
                shutil.rmtree(folder)
            finally:
                os.close(descriptor)
