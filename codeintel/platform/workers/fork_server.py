"""The server's handle on its zygote: start it, fork and kill children, end it."""

from __future__ import annotations

import os
import sys
import tempfile
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

import gevent
from gevent import socket, subprocess
from gevent.lock import RLock

from codeintel.platform.workers.protocol import Hello, Kill, Start, encode

# What the zygote's interpreter needs to find itself and its packages. Nothing else is passed on.
_ENVIRONMENT = ("PATH", "PYTHONPATH", "PYTHONHOME", "VIRTUAL_ENV", "LANG", "LC_ALL", "TMPDIR")
ZYGOTE = "codeintel.platform.workers.zygote"
START_SECONDS = 30.0
STOP_SECONDS = 3.0


class NurseryError(RuntimeError):
    """Raised when the zygote does not start, or has been stopped permanently."""


class Nursery:
    """A holder of one zygote at a time. A dead one is replaced when the next child is needed.

    :param config: settings for the plugins' hooks, as primitives.
    :param functions: the places of text functions, as `module:NAME`.
    """

    def __init__(
        self, config: Mapping[str, Any], instance: Path, functions: Sequence[str] = ()
    ) -> None:
        self._config = dict(config)
        self._instance = instance
        self._functions = tuple(functions)
        self._lock = RLock()
        self._control: Any = None
        self._process: Any = None
        self._folder: tempfile.TemporaryDirectory[str] | None = None
        self._last_job = 0
        self._closed = False

    @property
    def pid(self) -> int | None:
        """The process id of the zygote, or None."""
        return self._process.pid if self._process is not None else None

    def start(self) -> None:
        """Start the zygote unless it runs. This takes the time of importing all analyzers.

        :raises NurseryError: if it does not start in 30 s, or after :meth:`close`.
        """
        with self._lock:
            if self._closed:
                raise NurseryError("the analyzer processes have been stopped")
            if self._process is not None and self._process.poll() is None:
                return
            self._end()
            try:
                with gevent.Timeout(
                    START_SECONDS, NurseryError("the zygote did not start in time")
                ):
                    self._begin()
            except BaseException:
                self._end()
                raise

    def fork(self) -> tuple[int, Any]:
        """Fork a child. Return the number of its job and the socket to talk to it.

        :raises NurseryError: as :meth:`start`.
        :raises OSError: if the zygote has just died.
        """
        self.start()
        self._last_job += 1
        ours, theirs = socket.socketpair()
        with theirs:
            try:
                message = encode(Start(self._last_job))
                socket.send_fds(self._control, [message], [theirs.fileno()])
            except BaseException:
                ours.close()
                raise
        return self._last_job, ours

    def kill(self, job: int) -> None:
        """Kill the child of a job with all its descendants, if it still runs."""
        # Without a zygote there is no child either.
        with suppress(OSError, AttributeError):
            self._control.send(encode(Kill(job)))

    def close(self) -> None:
        """End the zygote and all its children permanently."""
        self._closed = True
        with self._lock:
            self._end()

    def _begin(self) -> None:
        self._folder = tempfile.TemporaryDirectory(prefix="codeintel-")
        self._control, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        with theirs:
            self._process = subprocess.Popen(
                # -P: a scan runs in the folder of other people's code, which must not be imported.
                [sys.executable, "-P", "-m", ZYGOTE, str(theirs.fileno())],
                pass_fds=[theirs.fileno()],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                env={name: os.environ[name] for name in _ENVIRONMENT if name in os.environ},
                start_new_session=True,
            )
        hello = Hello(str(self._instance), self._folder.name, self._config, self._functions)
        self._control.send(encode(hello))
        if self._control.recv(64) != b"ready":
            raise NurseryError("the zygote ended immediately. See its errors above")

    def _end(self) -> None:
        if self._control is not None:
            self._control.close()
            self._control = None
        if self._process is not None:
            try:
                self._process.wait(STOP_SECONDS)
            except subprocess.TimeoutExpired:
                self._process.kill()
                self._process.wait()
            self._process = None
        if self._folder is not None:
            self._folder.cleanup()
            self._folder = None
