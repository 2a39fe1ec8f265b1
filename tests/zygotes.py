"""Zygotes of the tests' applications, forked from one process that has imported all plugins.

A zygote imports for a second or more, and a test with a separate application starts one. Forked
from a mold, the process is the same, without that second. Tests of the worker processes themselves
start real zygotes.
"""

from __future__ import annotations

import json
import os
import select
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any
from unittest import mock

import gevent
from gevent import subprocess as real

from codeintel.app import TEXT_FUNCTIONS
from codeintel.platform.workers import fork_server as nursery

REPLY_BYTES = 64
POLL_SECONDS = 0.002
REAL = frozenset({"confinement", "workers"})
"""Folders whose tests check the processes themselves."""


class Mould:
    """The process that zygotes are forked from. It starts when the first is needed."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._orders: socket.socket | None = None
        self._process: subprocess.Popen[bytes] | None = None
        self._environment: dict[str, str] = {}

    def fork(self, control: int, environment: dict[str, str]) -> Zygote | None:
        """Return a zygote with this end of a pair, or None if the mold has another environment."""
        with self._lock:
            if self._orders is None:
                self._start(environment)
            if environment != self._environment:
                return None
            assert self._orders is not None
            folder = json.dumps(str(Path.cwd())).encode()
            socket.send_fds(self._orders, [folder], [control, 2])
            reply, handles, _, _ = socket.recv_fds(self._orders, REPLY_BYTES, 1)
        return Zygote(int(reply), handles[0])

    def _start(self, environment: dict[str, str]) -> None:
        self._orders, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        self._environment = environment
        program = str(Path(__file__).with_name("zygote_mould.py"))
        with theirs:
            self._process = subprocess.Popen(
                [sys.executable, program, str(theirs.fileno()), *TEXT_FUNCTIONS],
                pass_fds=[theirs.fileno()],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                env=environment,
                start_new_session=True,
            )

    def stop(self) -> None:
        """End the process; zygotes end with their applications."""
        if self._orders is not None and self._process is not None:
            self._orders.close()
            self._process.wait()


class Zygote:
    """The part of `subprocess.Popen` that a nursery uses."""

    def __init__(self, pid: int, handle: int) -> None:
        self.pid = pid
        self._handle = handle
        self._has_ended = False

    def poll(self) -> int | None:
        """Return 0 when the process has ended, regardless of its status."""
        if not self._has_ended and select.select([self._handle], [], [], 0)[0]:
            self._has_ended = True
            os.close(self._handle)
        return 0 if self._has_ended else None

    def wait(self, timeout: float | None = None) -> int:
        """Wait for its end, while other greenlets run."""
        ends = time.monotonic() + timeout if timeout is not None else None
        while self.poll() is None:
            if ends is not None and time.monotonic() > ends:
                raise real.TimeoutExpired("zygote", timeout)
            gevent.sleep(POLL_SECONDS)
        return 0

    def kill(self) -> None:
        """Kill it, if it still runs."""
        if self.poll() is None:
            with suppress(ProcessLookupError):
                signal.pidfd_send_signal(self._handle, signal.SIGKILL)


class Subprocess:
    """The part of gevent's `subprocess` that a nursery uses."""

    DEVNULL = real.DEVNULL
    TimeoutExpired = real.TimeoutExpired

    def __init__(self, mould: Mould) -> None:
        self._mould = mould

    def Popen(  # noqa: N802 - the name that it stands for
        self, command: Sequence[str], *, pass_fds: Sequence[int], env: dict[str, str], **more: Any
    ) -> Any:
        """Return a zygote of the mold, or a real one."""
        made = self._mould.fork(pass_fds[0], env)
        return made or real.Popen(command, pass_fds=pass_fds, env=env, **more)


@contextmanager
def forked_zygotes(mould: Mould) -> Iterator[None]:
    """Fork the zygotes of this process's applications from the mold."""
    with mock.patch.object(nursery, "subprocess", Subprocess(mould)):
        yield
